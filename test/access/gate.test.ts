import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Value } from '#typebox'
import type { Access } from '../../access/access.ts'
import { openEmbeddedAccess } from '../../access/embedded/open.ts'
import { AccessError } from '../../access/error.ts'
import { Gate, type GateParts } from '../../access/gate.ts'
import { identityOf } from '../../access/identity.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, revokeKey, rotateKey } from '../../access/keys.ts'
import type { Quota } from '../../access/quota.ts'
import { plans } from '../../contracts/plans.ts'
import { Usage } from '../../contracts/resources.ts'

const NOON = Date.parse('2026-09-15T12:00:00.000Z')
const { key, record } = createKey(
  { kind: 'live', plan: 'free', owner: 'Aunt May', origins: [], expiresAt: NOON + 86_400_000 },
  NOON,
  randomBytes,
)
const problem = (code: string, headers: Record<string, string>) =>
  expect.objectContaining({ name: 'ProblemError', code, headers })
const unauthorized = problem('unauthorized', { 'www-authenticate': 'Bearer' })

describe('the gate', () => {
  const keys = new KeyTable()
  let now: number
  let dir: string
  let access: Access

  const gateWith = (parts: Partial<GateParts> = {}) =>
    new Gate({ ...access, keys, plans, streamsOpen: async () => 1, time: { now: () => now }, ...parts })
  const called = (gate: Gate) => gate.authenticate(`Bearer ${key}`)

  beforeEach(async () => {
    now = NOON
    dir = mkdtempSync(join(tmpdir(), 'almanac-gate-'))
    access = await openEmbeddedAccess(dir)
    keys.apply(record)
  })
  afterEach(async () => {
    await access.close()
    rmSync(dir, { recursive: true, force: true })
  })

  describe('authenticate', () => {
    it('knows who calls by the bearer key', () => {
      for (const header of [`Bearer ${key}`, `bearer ${key}`, `BEARER  ${key} `]) {
        expect(gateWith().authenticate(header)).toMatchObject({ ...identityOf(record), plan: 'free', key: record })
      }
    })
    it.for([
      ['none', undefined, 'missing'],
      ['an empty one', '', 'malformed'],
      ['the scheme', 'Bearer', 'malformed'],
      ['the scheme and a space', 'Bearer ', 'malformed'],
      ['the key', key, 'malformed'],
      ['another scheme', `Basic ${key}`, 'malformed'],
      ['more than the key', `Bearer ${key} x`, 'malformed'],
      ['the key twice', `Bearer ${key}, Bearer ${key}`, 'malformed'],
      ['what is no key', 'Bearer alm_live_nothing', 'malformed'],
    ] as const)('refuses a header with %s', ([, header, cause]) => {
      expect(() => gateWith().authenticate(header)).toThrow(unauthorized)
      expect(() => gateWith().authenticate(header)).toThrow(expect.objectContaining({ cause }))
    })
    it('says that a key has ended to the holder of the whole key, and to others nothing of whether it exists', () => {
      const gate = gateWith()
      const stranger = createKey(
        { kind: 'live', plan: 'pro', owner: 'x', origins: [], expiresAt: null },
        now,
        randomBytes,
      )
      const refusals: unknown[] = []
      const refusal = (presented: string) => {
        try {
          gate.authenticate(`Bearer ${presented}`)
        } catch (error) {
          refusals.push((error as Error).cause)
          return (error as Error).message
        }
        return 'accepted'
      }
      const details = [refusal(stranger.key), refusal(`${stranger.key.slice(0, -1)}`)]
      now = NOON + 86_400_000
      details.push(refusal(key))
      now = NOON
      keys.apply(revokeKey(record))
      details.push(refusal(key))
      const notKnown = 'The API key is not valid: a character of it is wrong or missing, or it is of another service.'
      expect(details).toEqual([notKnown, notKnown, 'The API key has expired.', 'The API key was revoked.'])
      expect(refusals).toEqual(['unknown', 'malformed', 'expired', 'revoked'])
    })
  })

  it('lets a call through at once where nothing must be waited for, and says what is left', async () => {
    const gate = gateWith()
    const first = called(gate)
    await gate.burst(first)
    await gate.charge(first)
    expect(gate.rateLimit(first)).toEqual({
      policy: '"burst";q=30;w=60, "month";q=5000',
      // 15.5 days to the end of September.
      limit: '"burst";r=29;t=2, "month";r=4999;t=1339200',
    })
    const second = called(gate)
    expect(gate.rateLimit(second).limit).toBe('')
    expect(gate.burst(second)).toBeUndefined()
    expect(gate.rateLimit(second).limit).toBe('"burst";r=28;t=4')
    expect(gate.charge(second)).toBeUndefined()
    expect(gate.rateLimit(second).limit).toBe('"burst";r=28;t=4, "month";r=4998;t=1339200')
  })

  it('limits the calls of a minute', async () => {
    const gate = gateWith()
    for (let i = 0; i < 30; i++) await gate.burst(called(gate))
    const refused = called(gate)
    expect(() => gate.burst(refused)).toThrow(problem('rate_limited', { 'retry-after': '2' }))
    expect(gate.rateLimit(refused).limit).toBe('"burst";r=0;t=60')
    now += 2_000
    expect(gate.burst(called(gate))).toBeUndefined()
  })

  it('limits the calls of a month', async () => {
    const gate = gateWith({ plans: { ...plans, free: { ...plans.free, callsPerMonth: 2 } } })
    now = Date.parse('2026-09-30T23:59:58.500Z')
    keys.apply({ ...record, expires_at: null })
    for (let i = 0; i < 2; i++) await gate.charge(called(gate))
    const refused = called(gate)
    await expect(async () => gate.charge(refused)).rejects.toThrow(problem('quota_exhausted', { 'retry-after': '2' }))
    await expect(async () => gate.charge(called(gate))).rejects.toThrow('2026-10-01T00:00:00.000Z')
    expect(gate.rateLimit(refused).limit).toBe('"month";r=0;t=2')
    now += 1_500
    await gate.charge(called(gate))
  })

  it('gives a charge back once, and nothing that was not charged', async () => {
    const gate = gateWith()
    const [failed, fine, uncharged] = [called(gate), called(gate), called(gate)]
    await gate.charge(failed)
    await gate.charge(fine)
    expect(failed.month).toMatchObject({ used: 1, remaining: 4_999 })
    gate.refund(failed)
    gate.refund(failed)
    gate.refund(uncharged)
    expect(failed.month).toMatchObject({ used: 0, remaining: 5_000 })
    expect(await gate.usage(called(gate))).toMatchObject({ used: 1, remaining: 4_999 })
  })

  it('gives a charge back to the month it was taken in', async () => {
    keys.apply({ ...record, expires_at: null })
    const gate = gateWith()
    now = Date.parse('2026-09-30T23:59:59.999Z')
    const late = called(gate)
    await gate.charge(late)
    now += 1
    await gate.charge(called(gate))
    gate.refund(late)
    expect(await gate.usage(called(gate))).toMatchObject({ month: '2026-10', used: 1 })
  })

  it('says what a key has used, at no cost', async () => {
    const gate = gateWith()
    await gate.charge(called(gate))
    const caller = called(gate)
    await gate.usage(caller)
    const usage = await gate.usage(caller)
    expect(Value.Check(Usage, usage)).toBe(true)
    expect(usage).toEqual({
      plan: 'free',
      month: '2026-09',
      used: 1,
      remaining: 4_999,
      streams_open: 1,
      limits: { calls_per_month: 5_000, calls_per_minute: 30, concurrent_streams: 1 },
    })
    expect(gate.rateLimit(caller).limit).toBe('"month";r=4999;t=1339200')
  })

  describe('with two keys of an account, old and new', () => {
    const rotated = (old = record) => {
      const { key, records } = rotateKey(old, 3_600_000, now, randomBytes)
      for (const each of records) keys.apply(each)
      return { authorization: `Bearer ${key}`, record: records[0] }
    }

    it.for([
      ['a record as it is written now', record],
      ['a record from before accounts', { ...record, account: null }],
    ] as const)('goes on with the month and the minute of %s', async ([_, old]) => {
      const gate = gateWith({ plans: { ...plans, free: { ...plans.free, callsPerMonth: 3 } } })
      keys.apply(old)
      for (let i = 0; i < 2; i++) await gate.charge(called(gate))
      for (let i = 0; i < 29; i++) await gate.burst(called(gate))
      const next = rotated(old)
      const again = rotated(next.record)
      const [second, third] = [next, again].map(
        ({ authorization }) =>
          () =>
            gate.authenticate(authorization),
      )
      if (!second || !third) throw new Error('two keys were made')
      await gate.burst(third())
      for (const caller of [called(gate), second(), third()]) {
        expect(() => gate.burst(caller)).toThrow(problem('rate_limited', { 'retry-after': '2' }))
      }
      const last = third()
      await gate.charge(last)
      for (const caller of [called(gate), second(), third()]) {
        await expect(async () => gate.charge(caller)).rejects.toMatchObject({ code: 'quota_exhausted' })
        expect(await gate.usage(caller)).toMatchObject({ used: 3, remaining: 0 })
      }
      gate.refund(last)
      expect(await gate.usage(called(gate))).toMatchObject({ used: 2, remaining: 1 })
    })

    it('goes by the plan of the key that asks, on one count', async () => {
      const small = { ...plans.free, callsPerMonth: 2, callsPerMinute: 2 }
      const gate = gateWith({ plans: { ...plans, free: small } })
      const next = rotated()
      keys.apply({ ...next.record, plan: 'pro' })
      const pro = () => gate.authenticate(next.authorization)
      for (let i = 0; i < 3; i++) await gate.charge(pro())
      await expect(async () => gate.charge(called(gate))).rejects.toMatchObject({ code: 'quota_exhausted' })
      await gate.charge(pro())
      expect(await gate.usage(called(gate))).toMatchObject({ plan: 'free', used: 4, remaining: 0 })
      expect(await gate.usage(pro())).toMatchObject({ plan: 'pro', used: 4, remaining: 999_996 })
    })

    it('leaves the new key all its counts when the old one is revoked, and the other way round', async () => {
      const gate = gateWith()
      await gate.charge(called(gate))
      const next = rotated()
      const asNext = () => gate.authenticate(next.authorization)
      await gate.charge(asNext())
      await access.revocations.revoke(identityOf(record))
      await expect(async () => gate.charge(called(gate))).rejects.toThrow(unauthorized)
      await gate.charge(asNext())
      expect(await gate.usage(asNext())).toMatchObject({ used: 3 })
      const last = rotated(next.record)
      await access.revocations.revoke(identityOf(next.record))
      await expect(gate.usage(asNext())).rejects.toThrow(unauthorized)
      expect(await gate.usage(gate.authenticate(last.authorization))).toMatchObject({ used: 3 })
    })

    it('asks how many streams the account has open', async () => {
      const asked: unknown[] = []
      const gate = gateWith({ streamsOpen: (who) => asked.push(who.account) })
      await gate.usage(gate.authenticate(rotated().authorization))
      expect(asked).toEqual([record.key_id])
    })
  })

  it('obeys the revocation flag before the key table has heard', async () => {
    const gate = gateWith()
    await gate.charge(called(gate))
    await access.revocations.revoke(identityOf(record))
    const caller = called(gate)
    await expect(async () => gate.charge(caller)).rejects.toThrow(unauthorized)
    await expect(gate.usage(caller)).rejects.toThrow(unauthorized)
  })

  it('works the same with a store that has to be waited for', async () => {
    const { quota, burst } = access
    const slow: Quota = {
      take: async (...args) => quota.take(...args),
      peek: async (...args) => quota.peek(...args),
      refund: (...args) => quota.refund(...args),
      close: () => quota.close(),
    }
    const gate = gateWith({ quota: slow, burst: { take: async (...args) => burst.take(...args) } })
    const caller = called(gate)
    for (let i = 0; i < 30; i++) await gate.burst(caller)
    await expect(gate.burst(caller)).rejects.toThrow(problem('rate_limited', { 'retry-after': '2' }))
    await gate.charge(caller)
    expect(gate.rateLimit(caller).limit).toBe('"burst";r=0;t=60, "month";r=4999;t=1339200')
    await access.revocations.revoke(identityOf(record))
    await expect(gate.charge(caller)).rejects.toThrow(unauthorized)
  })

  it.for(['throws', 'rejects'] as const)('grants nothing when a store %s because it cannot be asked', async (way) => {
    const fail = (): never => {
      throw new AccessError('unavailable', 'no disk')
    }
    const failing = way === 'throws' ? fail : async () => fail()
    const quota: Quota = { take: failing, peek: failing, refund: () => undefined, close: async () => undefined }
    const gate = gateWith({ quota, burst: { take: failing } })
    const caller = called(gate)
    const unavailable = problem('unavailable', { 'retry-after': '5' })
    await expect(async () => gate.burst(caller)).rejects.toThrow(unavailable)
    await expect(async () => gate.charge(caller)).rejects.toThrow(unavailable)
    await expect(gate.usage(caller)).rejects.toThrow(unavailable)
    expect(caller.chargedAt).toBeUndefined()
  })

  it('still admits a key that it has admitted until that expires, or is revoked by its record or its flag', async () => {
    const gate = gateWith()
    const id = record.key_id
    expect(await gate.stillAdmits(id)).toEqual({ ...identityOf(record), plan: 'free' })
    expect(await gate.stillAdmits('key_unknown')).toBeUndefined()
    now = NOON + 86_400_000
    expect(await gate.stillAdmits(id)).toBeUndefined()
    now = NOON
    keys.apply(revokeKey(record))
    expect(await gate.stillAdmits(id)).toBeUndefined()
    keys.apply(record)
    const away = () => Promise.reject(new AccessError('unavailable', 'away'))
    await expect(gateWith({ revocations: { isRevoked: away } }).stillAdmits(id)).rejects.toMatchObject({
      code: 'unavailable',
    })
    await access.revocations.revoke(identityOf(record))
    expect(await gate.stillAdmits(id)).toBeUndefined()
  })

  it('does not hide a fault of ours as unavailability', async () => {
    const take = () => {
      throw new TypeError('ours')
    }
    const gate = gateWith({ burst: { take }, quota: { ...access.quota, take: async () => take() } as unknown as Quota })
    expect(() => gate.burst(called(gate))).toThrow(TypeError)
    await expect(async () => gate.charge(called(gate))).rejects.toThrow(TypeError)
  })
})
