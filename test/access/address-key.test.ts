import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Value } from '#typebox'
import { openEmbeddedAccess } from '../../access/embedded/open.ts'
import { Gate } from '../../access/gate.ts'
import { identityOf } from '../../access/identity.ts'
import { generateAddressKey, generateKey, hashKey, isAddressKey, kindOfKey } from '../../access/key.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, deriveAddressKey, derivedFrom, revokeKey, rotateKey } from '../../access/keys.ts'
import { plans } from '../../contracts/plans.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { AccessKey } from '../../contracts/records.ts'

const NOON = Date.parse('2026-09-15T12:00:00.000Z')
const HOUR = 3_600_000
const wanted = { kind: 'live', plan: 'free', owner: 'Aunt May', origins: ['https://may.example'] } as const
const parent = createKey({ ...wanted, expiresAt: NOON + HOUR }, NOON, randomBytes)
const derived = deriveAddressKey(parent.record, 'her spreadsheet', NOON, randomBytes)
const failsWith = (code: string) => expect.objectContaining({ name: 'AccessError', code })

describe('a read-only key for addresses', () => {
  it('has exactly 32 lower-case letters and digits, and is known by its checksum', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (bytes) => {
        let next = 0
        const key = generateAddressKey((size) => Uint8Array.from({ length: size }, () => bytes[next++] ?? next % 250))
        expect(key).toMatch(/^alm[a-z0-9]{29}$/)
        expect(isAddressKey(key)).toBe(true)
        expect(kindOfKey(key)).toBeUndefined()
        const at = next % 32
        expect(isAddressKey(key.slice(0, at) + (key[at] === 'z' ? 'y' : 'z') + key.slice(at + 1))).toBe(false)
      }),
    )
    expect(isAddressKey(generateKey('live', randomBytes))).toBe(false)
    const seen = new Set(Array.from({ length: 100 }, () => generateAddressKey(randomBytes).slice(3, 26)).join(''))
    expect(seen.size).toBe(36)
  })

  it('is on record by its hash, with account, plan and kind of its parent and no origin', () => {
    const { key, record } = derived
    expect(Value.Check(AccessKey, record)).toBe(true)
    expect(JSON.stringify(record)).not.toContain(key)
    expect(record).toMatchObject({
      hash: hashKey(key),
      parent: parent.record.key_id,
      account: parent.record.key_id,
      plan: 'free',
      kind: 'live',
      origins: [],
      owner: 'her spreadsheet',
      expires_at: parent.record.expires_at,
    })
  })

  it('is derived from an active key only, which is neither replaced nor derived itself', () => {
    const derive =
      (from: AccessKey, now = NOON) =>
      () =>
        deriveAddressKey(from, 'x', now, randomBytes)
    expect(derive(revokeKey(parent.record))).toThrow(failsWith('key_not_active'))
    expect(derive(parent.record, NOON + HOUR)).toThrow(failsWith('key_not_active'))
    expect(derive(rotateKey(parent.record, HOUR, NOON, randomBytes).records[1])).toThrow(failsWith('key_replaced'))
    expect(derive(derived.record)).toThrow(failsWith('key_derived'))
    expect(() => deriveAddressKey(parent.record, ' ', NOON, randomBytes)).toThrow(failsWith('invalid_owner'))
    expect(() => rotateKey(derived.record, HOUR, NOON, randomBytes)).toThrow(failsWith('key_derived'))
  })

  it('is revoked with its parent, and only once', () => {
    const other = createKey({ ...wanted, expiresAt: null }, NOON, randomBytes)
    const ofOther = deriveAddressKey(other.record, 'x', NOON, randomBytes)
    const ended = revokeKey(deriveAddressKey(parent.record, 'x', NOON, randomBytes).record)
    const all = [parent.record, derived.record, other.record, ofOther.record, ended]
    expect(derivedFrom(parent.record, all)).toEqual([derived.record])
    expect(derivedFrom(derived.record, all)).toEqual([])
  })
})

describe('the table of keys', () => {
  const tableOf = (...records: AccessKey[]) => {
    const table = new KeyTable()
    for (const record of records) table.apply(record)
    return table
  }
  const found = (...records: AccessKey[]) => tableOf(...records).findInAddress(derived.key, NOON)

  it('finds each kind of key in its place only', () => {
    const table = tableOf(parent.record, derived.record)
    expect(table.findInAddress(derived.key, NOON).ok).toBe(true)
    expect(table.find(derived.key, NOON)).toEqual({ ok: false, why: 'malformed' })
    expect(table.findInAddress(parent.key, NOON)).toEqual({ ok: false, why: 'malformed' })
    // Whatever a record says, the place and its kind must agree.
    expect(tableOf(parent.record, { ...derived.record, hash: hashKey(parent.key) }).find(parent.key, NOON)).toEqual({
      ok: false,
      why: 'unknown',
    })
    expect(found({ ...derived.record, parent: null })).toEqual({ ok: false, why: 'unknown' })
  })

  it('goes by the plan, account and expiry that the parent has now', () => {
    const moved: AccessKey = { ...parent.record, plan: 'pro', expires_at: '2026-09-15T12:30:00.000Z' }
    expect(found(parent.record, derived.record, moved)).toMatchObject({
      ok: true,
      key: { key_id: derived.record.key_id, plan: 'pro', account: parent.record.key_id, expires_at: moved.expires_at },
    })
    const table = tableOf(parent.record, derived.record, moved)
    expect(table.findInAddress(derived.key, NOON + HOUR / 2)).toEqual({ ok: false, why: 'expired' })
  })

  it('refuses it once it is revoked, once its parent is, and where its parent is unknown', () => {
    expect(found(parent.record, revokeKey(derived.record))).toEqual({ ok: false, why: 'revoked' })
    expect(found(revokeKey(parent.record), derived.record)).toEqual({ ok: false, why: 'revoked' })
    expect(found(derived.record)).toEqual({ ok: false, why: 'unknown' })
    const table = tableOf(revokeKey(parent.record), derived.record)
    expect(table.standing(derived.record.key_id, NOON)).toEqual({ ok: false, why: 'revoked' })
  })
})

describe('the gate', () => {
  async function gateOver(...records: AccessKey[]) {
    const dir = mkdtempSync(join(tmpdir(), 'almanac-address-key-'))
    const access = await openEmbeddedAccess(dir)
    onTestFinished(async () => {
      await access.close()
      rmSync(dir, { recursive: true, force: true })
    })
    const keys = new KeyTable()
    for (const record of records) keys.apply(record)
    const gate = new Gate({ ...access, keys, plans, streamsOpen: () => 0, time: { now: () => NOON } })
    return { gate, access }
  }
  const refusal = (ask: () => unknown): ProblemError => {
    try {
      ask()
    } catch (error) {
      if (error instanceof ProblemError) return error
      throw error
    }
    throw new Error('it was accepted')
  }

  it('charges the account of the parent', async () => {
    const { gate } = await gateOver(parent.record, derived.record)
    const caller = gate.authenticateAddressKey(derived.key)
    expect(caller).toMatchObject({ keyId: derived.record.key_id, account: parent.record.key_id, plan: 'free' })
    await gate.burst(caller)
    await gate.charge(caller)
    expect(await gate.usage(gate.authenticate(`Bearer ${parent.key}`))).toMatchObject({ used: 1 })
  })

  it('refuses it in every header, with what it is for', async () => {
    const { gate } = await gateOver(parent.record, derived.record)
    const pair = Buffer.from(`${derived.key}:`).toString('base64')
    for (const ask of [
      () => gate.authenticate(`Bearer ${derived.key}`),
      () => gate.authenticateRead(`Bearer ${derived.key}`),
      () => gate.authenticateRead(`Basic ${pair}`),
    ]) {
      const { code, message } = refusal(ask)
      expect([code, message]).toEqual(['unauthorized', expect.stringContaining('valid in an address only')])
      expect(message).not.toContain(derived.key)
    }
  })

  it('refuses a full key in an address, valid or not, and says what to do, without the key', async () => {
    const { gate } = await gateOver(parent.record, derived.record)
    for (const key of [parent.key, generateKey('test', randomBytes), parent.key.slice(0, -3), `  ${parent.key}`]) {
      const { code, message } = refusal(() => gate.authenticateAddressKey(key))
      expect([code, message]).toEqual(['unauthorized', expect.stringContaining('./almanac keys derive')])
      expect(message).not.toContain(key.trim().slice(0, 20))
    }
  })

  it('tells nothing of why a key in an address is not valid, and does not repeat it', async () => {
    const { gate } = await gateOver(parent.record, revokeKey(derived.record))
    const given = [
      derived.key,
      generateAddressKey(randomBytes),
      'abcdefghijklmnopqrstuvwxyz012345',
      '',
      'x'.repeat(9_000),
    ]
    const told = given.map((key) => refusal(() => gate.authenticateAddressKey(key)))
    expect(new Set(told.map(({ message }) => message)).size).toBe(1)
    expect(told.map(({ cause }) => cause)).toEqual(['revoked', 'unknown', 'malformed', 'malformed', 'malformed'])
  })

  it('obeys its flag before the journal has told, and leaves its parent alone', async () => {
    const { gate, access } = await gateOver(parent.record, derived.record)
    await access.revocations.revoke(identityOf(derived.record))
    await expect(async () => gate.charge(gate.authenticateAddressKey(derived.key))).rejects.toMatchObject({
      code: 'unauthorized',
    })
    await gate.charge(gate.authenticate(`Bearer ${parent.key}`))
  })
})
