import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Burst } from '../../access/burst.ts'
import { InProcessBurst } from '../../access/embedded/burst.ts'
import { AccessEnvironment } from '../../access/embedded/environment.ts'
import { EmbeddedLeases } from '../../access/embedded/leases.ts'
import { EmbeddedRevocations } from '../../access/embedded/revocations.ts'
import { EmbeddedTickets } from '../../access/embedded/tickets.ts'
import { AccessError } from '../../access/error.ts'
import { type Identity, identityOf } from '../../access/identity.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, revokeKey, rotateKey } from '../../access/keys.ts'
import type { Leases } from '../../access/leases.ts'
import type { QuotaDecision } from '../../access/quota.ts'
import { type Admission, type Arrival, StreamDoor, type StreamDoorParts } from '../../access/stream-door.ts'
import { plans } from '../../contracts/plans.ts'
import type { Plan } from '../../contracts/resources.ts'
import { streamNames } from '../../contracts/streams.ts'

const NOON = Date.UTC(2026, 8, 15, 12)
const ORIGIN = 'https://app.example.com'

const dir = mkdtempSync(join(tmpdir(), 'almanac-stream-door-'))
const environment = await AccessEnvironment.open(dir)
const revocations = new EmbeddedRevocations(environment)
const leases = new EmbeddedLeases(environment, revocations)
const tickets = new EmbeddedTickets(environment, revocations)
afterAll(async () => {
  await environment.close()
  rmSync(dir, { recursive: true, force: true })
})

const unlimited: Burst = { take: () => ({ allowed: true, remaining: 1, resetAfter: 0, retryAfter: 0 }) }

/** A door before the embedded store, a quota that can be short or away, and one key of a plan. */
function doorFor(plan: Plan, change: Partial<StreamDoorParts> = {}) {
  const { key, record } = createKey(
    { kind: 'live', plan, owner: 'TEST', origins: [ORIGIN], expiresAt: NOON + 3_600_000 },
    NOON,
    randomBytes,
  )
  const keys = new KeyTable()
  keys.apply(record)
  const time = { now: NOON, passed: 0 }
  const quota = {
    outcome: 'granted' as QuotaDecision['outcome'] | 'away',
    asked: 0,
    take: async (): Promise<QuotaDecision> => {
      quota.asked++
      if (quota.outcome === 'away') throw new AccessError('unavailable', 'away')
      return { outcome: quota.outcome, used: 1, remaining: 1, resetAt: NOON }
    },
  }
  const door = new StreamDoor({
    keys,
    burst: unlimited,
    leases,
    tickets,
    quota,
    revocations,
    plans,
    clock: () => time.now,
    monotonic: () => time.passed,
    ...change,
  })
  const authorization = `Bearer ${key}`
  const enter = (arrival: Partial<Arrival> = {}) => door.enter({ stream: 'events', authorization, ...arrival })
  const admitted = async (arrival: Partial<Arrival> = {}): Promise<Admission> => {
    const outcome = await enter(arrival)
    if ('refused' in outcome) throw new Error(`refused: ${outcome.refused} ${outcome.cause}`)
    return outcome
  }
  const ticketFor = async (stream: Arrival['stream'] = 'events') => {
    const issued = await tickets.issue({ ...identityOf(record), stream, origin: ORIGIN }, time.now)
    return 'ticket' in issued ? issued.ticket : ''
  }
  const open = () => leases.count(identityOf(record), time.now)
  const withTicket = (ticket: string, more: Partial<Arrival> = {}) =>
    enter({ authorization: undefined, ticket, origin: ORIGIN, ...more })
  return { door, keys, record, time, quota, authorization, enter, admitted, ticketFor, withTicket, open }
}

describe('the door of the streams', () => {
  it.each(streamNames)('admits a key to %s, charges it once and leaves it a lease', async (stream) => {
    const { enter, record, quota, open, door } = doorFor('basic')
    const admission = await enter({ stream })
    expect(admission).toEqual({
      stream,
      keyId: record.key_id,
      account: record.key_id,
      plan: 'basic',
      lease: expect.any(String),
    })
    expect(quota.asked).toBe(1)
    expect(open()).toBe(1)
    expect(door.standing(admission as Admission)).toBe('ok')
  })

  describe('judges in order', () => {
    /** Each fault, from the first on, with all those that come after it. */
    const faults = [
      { code: 'unauthorized', charged: false },
      { code: 'plan_upgrade_required', charged: false },
      { code: 'stream_limit', charged: false },
      { code: 'quota_unavailable', charged: true },
    ] as const
    const pairs = faults.flatMap((first, i) => faults.slice(i).map((second) => [first, second] as const))
    it.each(pairs.map(([first, second]) => [first.code, second.code, first.charged] as const))(
      '%s before %s',
      async (first, second, charged) => {
        const has = (code: string) => code === first || code === second
        const { enter, quota, open } = doorFor(has('plan_upgrade_required') ? 'free' : 'basic')
        if (has('stream_limit')) for (let i = 0; i < 2; i++) await enter()
        const [asked, held] = [quota.asked, open()]
        if (has('quota_unavailable')) quota.outcome = 'exhausted'
        const outcome = await enter({ stream: 'prices', ...(has('unauthorized') ? { authorization: 'Bearer x' } : {}) })
        expect(outcome).toMatchObject({ refused: first })
        expect(quota.asked - asked, 'charges').toBe(charged ? 1 : 0)
        expect(open(), 'leases').toBe(held)
      },
    )
  })

  it('counts connections as calls of the minute, and refuses those beyond it without asking leases or quota', async () => {
    let decisions = 0
    const counted: Leases = {
      take: (...args) => {
        decisions++
        return leases.take(...args)
      },
      renew: (...args) => leases.renew(...args),
      release: (...args) => leases.release(...args),
      count: (...args) => leases.count(...args),
    }
    const { door, enter, admitted, quota, time, ticketFor, withTicket } = doorFor('free', {
      burst: new InProcessBurst(),
      leases: counted,
    })
    const { callsPerMinute } = plans.free
    for (let i = 0; i < callsPerMinute; i++) await door.leave(await admitted())
    expect(await enter()).toMatchObject({ refused: 'quota_unavailable', cause: 'burst' })
    expect(await withTicket(await ticketFor())).toMatchObject({ refused: 'quota_unavailable', cause: 'burst' })
    expect([decisions, quota.asked]).toEqual([callsPerMinute, callsPerMinute])
    // Neither a wrong key nor a plan that bars the stream depends on it.
    expect(await enter({ stream: 'prices' })).toMatchObject({ refused: 'plan_upgrade_required' })
    expect(await enter({ authorization: 'Bearer x' })).toMatchObject({ refused: 'unauthorized' })
    time.now += 60_000 / callsPerMinute
    await admitted()
  })

  it('refuses a connection whose calls a minute cannot be counted', async () => {
    const take = () => Promise.reject(new AccessError('unavailable', 'away'))
    expect(await doorFor('basic', { burst: { take } }).enter()).toMatchObject({ refused: 'quota_unavailable' })
  })

  it('refuses whoever brings no key, or none that is valid', async () => {
    const { enter, keys, record, time } = doorFor('basic')
    for (const authorization of [undefined, '', 'Bearer', 'Basic x', `Bearer ${record.hash}`]) {
      expect(await enter({ authorization })).toMatchObject({ refused: 'unauthorized' })
    }
    time.now += 3_600_000
    expect(await enter()).toMatchObject({ refused: 'unauthorized', cause: 'expired' })
    time.now -= 3_600_000
    keys.apply(revokeKey(record))
    expect(await enter()).toMatchObject({ refused: 'unauthorized', cause: 'revoked' })
  })

  describe('tells a client in words', () => {
    const words = (outcome: object): string => String('detail' in outcome ? outcome.detail : 'nothing')
    const noKey = { authorization: undefined, origin: ORIGIN }

    it.each([
      ['that nothing came', noKey, 'Neither an Authorization header nor a ticket came.'],
      ['that an empty ticket is none', { ...noKey, ticket: '' }, 'Neither an Authorization header'],
      ['how the header looks', { authorization: 'Basic eDp5' }, 'The Authorization header is not "Bearer <API_KEY>".'],
      ['that a key is not valid', { authorization: 'Bearer x' }, 'The API key is not valid.'],
      ['that a ticket is unknown', { ...noKey, ticket: 'A'.repeat(43) }, 'is unknown'],
      ['that what it sent is no ticket', { ...noKey, ticket: 'x' }, 'is unknown'],
    ])('%s', async (_, arrival, text) => expect(words(await doorFor('basic').enter(arrival))).toContain(text))

    it('what is wrong with a ticket, but not the origin that it was issued for', async () => {
      const { ticketFor, withTicket, time, keys, record } = doorFor('basic')
      const told = async (arrival: Partial<Arrival> = {}) => words(await withTicket(await ticketFor(), arrival))
      const used = await ticketFor()
      await withTicket(used)
      expect(words(await withTicket(used))).toContain('was used before')
      expect(await told({ origin: undefined })).toContain('needs the Origin header')
      const wrongOrigin = await told({ origin: 'https://evil.test' })
      expect(wrongOrigin).toContain('not the one that the ticket was issued for')
      expect(wrongOrigin).not.toContain(ORIGIN)
      expect(await told({ stream: 'predictions' })).toContain('for another stream')
      const late = await ticketFor()
      time.now += 30_000
      expect(words(await withTicket(late))).toContain('has expired')
      const last = await ticketFor()
      keys.apply(revokeKey(record))
      expect(words(await withTicket(last))).toContain('not valid any more')
    })

    it('the same of a key that is unknown, revoked or expired', async () => {
      const { enter, keys, record, time } = doorFor('basic')
      const told = [await enter({ authorization: doorFor('basic').authorization })]
      time.now += 3_600_000
      told.push(await enter())
      time.now -= 3_600_000
      keys.apply(revokeKey(record))
      told.push(await enter())
      expect(told).toMatchObject(['unknown', 'expired', 'revoked'].map((cause) => ({ refused: 'unauthorized', cause })))
      expect(told.map(words)).toEqual(Array(3).fill('The API key is not valid.'))
    })

    it('which allowance is used up', async () => {
      const { enter, quota } = doorFor('free')
      expect(words(await enter({ stream: 'prices' }))).toContain('plan')
      quota.outcome = 'exhausted'
      expect(words(await enter())).toContain('calls of the month')
      quota.outcome = 'away'
      expect(words(await enter())).toContain('cannot be checked')
      quota.outcome = 'granted'
      await enter()
      expect(words(await enter())).toContain('as many streams')
    })
  })

  it.each([
    ['free', 1],
    ['basic', 2],
    ['pro', 10],
  ] as const)(
    'lets %s have %i streams at once, whichever they are, and the next when one has left',
    async (plan, limit) => {
      const { door, enter, admitted, quota } = doorFor(plan)
      const streams = streamNames.filter((stream) => stream !== 'prices' || plan !== 'free')
      const arrivals = Array.from({ length: 50 }, (_, i) => enter({ stream: streams[i % streams.length] ?? 'events' }))
      const outcomes = await Promise.all(arrivals)
      const [first, ...others] = outcomes.filter((outcome) => !('refused' in outcome))
      expect(others).toHaveLength(limit - 1)
      expect(outcomes.filter((outcome) => 'refused' in outcome && outcome.refused === 'stream_limit')).toHaveLength(
        50 - limit,
      )
      expect(quota.asked, 'only who is let in is charged').toBe(limit)
      await door.leave(first as Admission)
      await door.leave(first as Admission)
      expect(door.standing(first as Admission)).toBe('revoked')
      await admitted()
      expect(await enter()).toMatchObject({ refused: 'stream_limit' })
    },
  )

  it.each([
    ['exhausted', 'quota_unavailable'],
    ['away', 'quota_unavailable'],
    ['revoked', 'unauthorized'],
  ] as const)('gives the lease back when the quota is %s', async (outcome, refused) => {
    const { enter, quota, open } = doorFor('basic')
    quota.outcome = outcome
    for (let i = 0; i < 3; i++) expect(await enter()).toMatchObject({ refused })
    expect(open()).toBe(0)
    quota.outcome = 'granted'
    expect(await enter()).toHaveProperty('lease')
  })

  it('refuses a key whose flag is set before its record is known, and charges nothing', async () => {
    const { enter, record, quota, ticketFor, withTicket } = doorFor('basic')
    const ticket = await ticketFor()
    await revocations.revoke(identityOf(record))
    expect(await enter()).toMatchObject({ refused: 'unauthorized' })
    expect(await withTicket(ticket)).toMatchObject({ refused: 'unauthorized' })
    expect(quota.asked).toBe(0)
  })

  it('says quota_unavailable when leases or tickets cannot be checked', async () => {
    const away = () => Promise.reject(new AccessError('unavailable', 'away'))
    const noLeases: Leases = { take: away, renew: away, release: away, count: () => 0 }
    expect(await doorFor('basic', { leases: noLeases }).enter()).toMatchObject({ refused: 'quota_unavailable' })
    const { withTicket } = doorFor('basic', { tickets: { redeem: away } })
    expect(await withTicket('A'.repeat(43))).toMatchObject({ refused: 'quota_unavailable' })
  })

  it('lets faults of our own through', async () => {
    const broken = () => Promise.reject(new TypeError('ours'))
    await expect(doorFor('basic', { tickets: { redeem: broken } }).withTicket('A')).rejects.toThrow('ours')
  })

  describe('with a ticket', () => {
    it('admits once to its stream, for its origin', async () => {
      const { ticketFor, withTicket, record } = doorFor('basic')
      const ticket = await ticketFor('prices')
      expect(await withTicket(ticket, { stream: 'prices' })).toMatchObject({ keyId: record.key_id, stream: 'prices' })
      expect(await withTicket(ticket, { stream: 'prices' })).toMatchObject({ refused: 'unauthorized' })
    })

    it.each([
      ['another stream', { stream: 'predictions' }, 'unauthorized'],
      ['another origin', { origin: 'https://app.example.com.evil.test' }, 'unauthorized'],
      ['another port', { origin: `${ORIGIN}:8443` }, 'unauthorized'],
      ['no origin', { origin: undefined }, 'unauthorized'],
    ] as const)('is refused for %s, and the ticket is spent', async (_, arrival, refused) => {
      const { ticketFor, withTicket, quota, open } = doorFor('basic')
      const ticket = await ticketFor()
      expect(await withTicket(ticket, arrival)).toMatchObject({ refused })
      expect(await withTicket(ticket)).toMatchObject({ refused: 'unauthorized', cause: 'ticket used' })
      expect([quota.asked, open()]).toEqual([0, 0])
    })

    it('is spent by whatever follows', async () => {
      const { ticketFor, withTicket, quota } = doorFor('basic')
      const ticket = await ticketFor()
      quota.outcome = 'exhausted'
      expect(await withTicket(ticket)).toMatchObject({ refused: 'quota_unavailable' })
      quota.outcome = 'granted'
      expect(await withTicket(ticket)).toMatchObject({ refused: 'unauthorized' })
    })

    it('is refused once its key is revoked or has expired, or the ticket has', async () => {
      const { ticketFor, withTicket, time, keys, record } = doorFor('basic')
      const [late, stale, last] = [await ticketFor(), await ticketFor(), await ticketFor()]
      time.now += 30_000
      expect(await withTicket(late)).toMatchObject({ refused: 'unauthorized', cause: 'ticket expired' })
      time.now = NOON
      keys.apply({ ...record, expires_at: new Date(NOON).toISOString() })
      expect(await withTicket(stale)).toMatchObject({ refused: 'unauthorized', cause: 'expired' })
      keys.apply(revokeKey(record))
      expect(await withTicket(last)).toMatchObject({ refused: 'unauthorized', cause: 'revoked' })
    })

    it('goes by the plan that the key has now', async () => {
      const { ticketFor, withTicket, keys, record } = doorFor('basic')
      const ticket = await ticketFor('prices')
      keys.apply({ ...record, plan: 'free' })
      expect(await withTicket(ticket, { stream: 'prices' })).toMatchObject({ refused: 'plan_upgrade_required' })
    })

    it('and a header is judged by the header: the ticket is neither a help nor spent', async () => {
      const { enter, ticketFor, withTicket } = doorFor('basic')
      const ticket = await ticketFor()
      expect(await enter({ authorization: 'Bearer x', ticket, origin: ORIGIN })).toMatchObject({
        refused: 'unauthorized',
      })
      expect(await enter({ ticket, origin: 'https://elsewhere.test' })).toHaveProperty('lease')
      expect(await withTicket(ticket)).toHaveProperty('lease')
    })
  })

  describe('with a key that is rotated', () => {
    const rotated = ({ keys, record, time }: ReturnType<typeof doorFor>, old = record) => {
      const { key, records } = rotateKey(old, 1_800_000, time.now, randomBytes)
      for (const each of records) keys.apply(each)
      return { authorization: `Bearer ${key}`, record: records[0] }
    }

    it.each([
      ['now', {}],
      ['before there were accounts', { account: null }],
    ] as const)('has no more streams than before, if it was made %s', async (_, made) => {
      const of = doorFor('basic')
      of.keys.apply({ ...of.record, ...made })
      const [first] = [await of.admitted(), await of.admitted()]
      const next = rotated(of, { ...of.record, ...made })
      const { authorization } = rotated(of, next.record)
      for (const key of [of.authorization, next.authorization, authorization]) {
        expect(await of.enter({ authorization: key })).toMatchObject({ refused: 'stream_limit' })
      }
      await of.door.leave(first)
      const last = await of.admitted({ authorization })
      expect(of.open()).toBe(2)
      expect(await of.enter()).toMatchObject({ refused: 'stream_limit' })
      await of.door.leave(last)
      expect(of.open()).toBe(1)
    })

    it('cuts the streams of the old key when that is revoked, and those of the new one go on', async () => {
      const of = doorFor('pro')
      const next = rotated(of)
      const [old, fresh] = [await of.admitted(), await of.admitted({ authorization: next.authorization })]
      await revocations.revoke(identityOf(of.record))
      of.time.passed += 400
      expect([old, fresh].map((admission) => of.door.standing(admission))).toEqual(['revoked', 'ok'])
      await of.door.leave(old)
      expect(of.open()).toBe(1)
      expect(await of.enter()).toMatchObject({ refused: 'unauthorized' })
      expect(await of.enter({ authorization: next.authorization })).toHaveProperty('lease')
    })

    it('takes a ticket for the key that asked: it dies with that key, and its slot is of the account', async () => {
      const of = doorFor('basic')
      const next = rotated(of)
      const ask = async (record = of.record) => {
        const issued = await tickets.issue({ ...identityOf(record), stream: 'events', origin: ORIGIN }, NOON)
        return 'ticket' in issued ? issued.ticket : ''
      }
      await of.admitted()
      const [byOld, byNext, late] = [await ask(), await ask(next.record), await ask(next.record)]
      await revocations.revoke(identityOf(of.record))
      expect(await of.withTicket(byOld)).toMatchObject({ refused: 'unauthorized' })
      expect(await of.withTicket(byNext)).toMatchObject({ keyId: next.record.key_id, account: of.record.key_id })
      expect(await of.withTicket(late)).toMatchObject({ refused: 'stream_limit' })
      expect(of.open()).toBe(2)
    })

    it('goes by the plan of the key that asks, on one count', async () => {
      const of = doorFor('basic')
      const next = rotated(of)
      of.keys.apply({ ...next.record, plan: 'pro' })
      for (let i = 0; i < 2; i++) await of.admitted({ authorization: next.authorization })
      expect(await of.enter()).toMatchObject({ refused: 'stream_limit' })
      await of.admitted({ authorization: next.authorization })
      expect(of.open()).toBe(3)
    })
  })

  describe('cuts a stream that is open', () => {
    it.each([
      ['whose key is revoked', ({ keys, record }) => keys.apply(revokeKey(record))],
      ['whose key is flagged', ({ record }) => revocations.revoke(identityOf(record))],
      ['whose key has expired', ({ time }) => (time.now += 3_600_000)],
      ['of prices, whose plan is free now', ({ keys, record }) => keys.apply({ ...record, plan: 'free' })],
      ['whose lease was not renewed in time', ({ time }) => (time.passed += 14_000)],
    ] as const satisfies [string, (of: ReturnType<typeof doorFor>) => unknown][])('%s', async (_, happen) => {
      const of = doorFor('basic')
      const admission = await of.admitted({ stream: 'prices' })
      expect(of.door.standing(admission)).toBe('ok')
      await happen(of)
      of.time.passed += 400
      expect(of.door.standing(admission)).toBe('revoked')
    })

    it('but none for a smaller plan that still grants all of it, however many are open', async () => {
      const { door, admitted, enter, keys, record } = doorFor('pro')
      const open = [await admitted(), await admitted({ stream: 'predictions' }), await admitted({ stream: 'prices' })]
      keys.apply({ ...record, plan: 'basic' })
      expect(open.map((admission) => door.standing(admission))).toEqual(['ok', 'ok', 'ok'])
      keys.apply({ ...record, plan: 'free' })
      expect(open.map((admission) => door.standing(admission))).toEqual(['revoked', 'ok', 'revoked'])
      expect(await enter()).toMatchObject({ refused: 'stream_limit' })
    })

    it('and not for a flag that cannot be read: the lease decides', async () => {
      const isRevoked = () => {
        throw new AccessError('unavailable', 'away')
      }
      const { door, admitted, time } = doorFor('basic', { revocations: { isRevoked } })
      const admission = await admitted()
      expect(door.standing(admission)).toBe('ok')
      time.passed += 14_000
      expect(door.standing(admission)).toBe('revoked')
    })

    it('as soon as a store that answers later has said so', async () => {
      const later = { isRevoked: async (who: Identity) => revocations.isRevoked(who) }
      const { door, admitted, record } = doorFor('basic', { revocations: later })
      const admission = await admitted()
      await revocations.revoke(identityOf(record))
      await expect.poll(() => door.standing(admission), { interval: 1 }).toBe('revoked')
      const silent = { isRevoked: () => Promise.reject(new AccessError('unavailable', 'away')) }
      const other = doorFor('basic', { revocations: silent })
      expect(other.door.standing(await other.admitted())).toBe('ok')
    })
  })

  it('keeps leases while it runs, and gives all back when it is closed', async () => {
    const { door, admitted, enter, time, open } = doorFor('pro', { renewEveryMs: 1 })
    const admission = await admitted()
    await admitted()
    const stop = new AbortController()
    const running = door.run(stop.signal)
    for (let i = 0; i < 5; i++) {
      time.now += 4_000
      time.passed += 4_000
      await expect.poll(() => leases.count(admission, time.now + 14_999), { interval: 1 }).toBe(2)
      expect(door.standing(admission)).toBe('ok')
    }
    stop.abort()
    await running
    await door.close()
    expect(open()).toBe(0)
    expect(await enter()).toMatchObject({ refused: 'quota_unavailable' })
  })
})
