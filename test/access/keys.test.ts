import { randomBytes } from 'node:crypto'
import avro from 'avsc'
import { describe, expect, it } from 'vitest'
import { Value } from '#typebox'
import { identityOf } from '../../access/identity.ts'
import { kindOfKey } from '../../access/key.ts'
import { KeyTable } from '../../access/key-table.ts'
import { createKey, type NewKey, revokeKey, rotateKey } from '../../access/keys.ts'
import { checkOrigin, isOriginAllowed } from '../../access/origin.ts'
import { AccessKey } from '../../contracts/records.ts'
import { codecFor } from '../../journal/codec.ts'
import { localRegistry, releasedSchemas } from '../../journal/registry.ts'

const NOW = Date.parse('2026-09-15T12:00:00.000Z')
const HOUR = 3_600_000
const wanted: NewKey = {
  kind: 'live',
  plan: 'basic',
  owner: 'Aunt May',
  origins: ['https://may.example'],
  expiresAt: null,
}
const create = (rest: Partial<NewKey> = {}) => createKey({ ...wanted, ...rest }, NOW, randomBytes)
const failsWith = (code: string, says = '') =>
  expect.objectContaining({ name: 'AccessError', code, message: expect.stringContaining(says) })

describe('creating a key', () => {
  it('gives the key, and a record that does not hold it', () => {
    const { key, record } = create({ expiresAt: NOW + HOUR })
    expect(kindOfKey(key)).toBe('live')
    expect(record).toMatchObject({
      plan: 'basic',
      owner: 'Aunt May',
      origins: ['https://may.example'],
      status: 'active',
      created_at: '2026-09-15T12:00:00.000Z',
      expires_at: '2026-09-15T13:00:00.000Z',
    })
    expect(Value.Check(AccessKey, record)).toBe(true)
    expect(JSON.stringify(record)).not.toContain(key.slice(9, 39))
  })
  it('keeps an origin once', () => {
    expect(create({ origins: ['https://b.example', 'https://a.example', 'https://b.example'] }).record.origins).toEqual(
      ['https://b.example', 'https://a.example'],
    )
  })
  it('refuses an owner that is no line of text, and an expiry in the past', () => {
    for (const owner of ['', '  ', 'two\nlines', 'x'.repeat(201)]) {
      expect(() => create({ owner })).toThrow(failsWith('invalid_owner'))
    }
    const instants = [
      NOW,
      NOW - 1,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      2 ** 53,
      Date.parse('9999-12-31T23:59:59Z') + 1_000,
    ]
    for (const expiresAt of instants) {
      expect(() => create({ expiresAt })).toThrow(failsWith('invalid_expiry'))
    }
    const says = '2026-09-15T11:00:00.000Z is no later than now, 2026-09-15T12:00:00.000Z'
    expect(() => create({ expiresAt: NOW - HOUR })).toThrow(failsWith('invalid_expiry', says))
  })
})

describe('an allowed origin', () => {
  it('is exactly what a browser sends: https, or this machine', () => {
    const good = [
      'https://app.example.com',
      'https://app.example.com:8443',
      'http://localhost',
      'http://localhost:5173',
      'https://localhost:5173',
      'http://127.0.0.1:3000',
      'http://127.8.8.8:3000',
      'http://[::1]:3000',
    ]
    for (const origin of good) expect(checkOrigin(origin, 'live')).toBe(origin)
  })
  it.for([
    ['http://app.example.com', 'use https'],
    ['http://localhost.example.com', 'use https'],
    ['http://127.0.0.1.example.com', 'use https'],
    ['http://192.168.0.1', 'use https'],
    ['https://app.example.com/', 'use that'],
    ['https://app.example.com/path', '"https://app.example.com"'],
    ['https://App.Example.com', '"https://app.example.com"'],
    ['https://app.example.com:443', '"https://app.example.com"'],
    ['https://user@app.example.com', '"https://app.example.com"'],
    ['https://bücher.example', '"https://xn--bcher-kva.example"'],
    ['https://*.example.com', 'is not an origin'],
    ['ftp://example.com', 'is not an origin'],
    ['app.example.com', 'is not an origin'],
    ['null', 'is not an origin'],
    ['*', 'is not an origin'],
    ['', 'is not an origin'],
    ['https://localhost:*', 'is not an origin'],
    ['http://example.com:*', 'is not an origin'],
  ] as const)('is not %s', ([origin, says]) => {
    expect(() => checkOrigin(origin, 'test')).toThrow(failsWith('invalid_origin', says))
    expect(() => create({ origins: [origin] })).toThrow(failsWith('invalid_origin', JSON.stringify(origin)))
  })
  it('is read alike however often it is checked', () => {
    // Once compiled, `URL.canParse` of Node 22 refuses what has a letter beyond ASCII.
    for (let time = 0; time < 20_000; time++)
      expect(() => checkOrigin('https://bücher.example', 'live')).toThrow('"https://xn--bcher-kva.example"')
  })
  it('may be every port of this machine for a test key only', () => {
    for (const pattern of ['http://localhost:*', 'http://127.0.0.1:*']) {
      expect(checkOrigin(pattern, 'test')).toBe(pattern)
      expect(() => checkOrigin(pattern, 'live')).toThrow(failsWith('invalid_origin', 'only a test key'))
    }
  })
  it('is matched exactly, patterns by port', () => {
    const allowed = ['https://app.example.com', 'http://localhost:*']
    for (const origin of ['https://app.example.com', 'http://localhost', 'http://localhost:5173']) {
      expect(isOriginAllowed(origin, allowed), origin).toBe(true)
    }
    for (const origin of [
      'https://app.example.com:8443',
      'https://app.example.com.evil.example',
      'http://app.example.com',
      'http://localhost.evil.example',
      'http://localhost:80.evil.example',
      'http://localhost:*',
      'http://localhost:',
      'http://localhost:80',
      'http://localhost:65536',
      'https://localhost:5173',
      'http://127.0.0.1:5173',
      'null',
    ]) {
      expect(isOriginAllowed(origin, allowed), origin).toBe(false)
    }
  })
})

describe('rotating a key', () => {
  it('makes a new one with the same rights, and lets the old one run out', () => {
    const { record: old } = create()
    const { key, records } = rotateKey(old, HOUR, NOW, randomBytes)
    const [created, ending] = records
    expect(created).toMatchObject({ plan: 'basic', owner: 'Aunt May', origins: old.origins, expires_at: null })
    expect(created.key_id).not.toBe(old.key_id)
    expect(ending).toEqual({ ...old, expires_at: '2026-09-15T13:00:00.000Z', replaced_by: created.key_id })
    expect(Value.Check(AccessKey, created)).toBe(true)

    const table = new KeyTable()
    for (const record of [old, ...records]) table.apply(record)
    expect(table.find(key, NOW)).toMatchObject({ ok: true, key: { key_id: created.key_id } })
  })
  it.each(['live', 'test'] as const)('keeps the kind of a %s key and its origins, however often', (kind) => {
    const origins = ['https://may.example', ...(kind === 'test' ? ['http://localhost:*', 'http://127.0.0.1:*'] : [])]
    let { record } = create({ kind, origins })
    for (let i = 0; i < 3; i++) {
      const { key, records } = rotateKey(record, HOUR, NOW, randomBytes)
      record = records[0]
      expect(kindOfKey(key)).toBe(kind)
      expect(record).toMatchObject({ kind, origins })
    }
  })
  it('takes a key from before kinds were recorded for a test key where its origins say so', () => {
    const rotated = (origins: string[]) => {
      const old = { ...create({ kind: 'test', origins }).record, kind: null }
      return kindOfKey(rotateKey(old, HOUR, NOW, randomBytes).key)
    }
    expect(rotated(['http://127.0.0.1:*'])).toBe('test')
    expect(rotated(['http://127.0.0.1:*', 'https://may.example'])).toBe('test')
    expect(rotated(['https://may.example'])).toBe('live')
    expect(rotated([])).toBe('live')
  })
  it('hands the account on, however often, which is the first key itself', () => {
    const { record: first } = create()
    expect(first.account).toBe(first.key_id)
    let last = first
    for (let i = 0; i < 3; i++) [last] = rotateKey(last, HOUR, NOW, randomBytes).records
    expect(last.key_id).not.toBe(first.key_id)
    expect(identityOf(last)).toEqual({ keyId: last.key_id, account: first.key_id })
    expect(identityOf(create().record)).not.toMatchObject({ account: first.key_id })
  })
  it('makes an account of a key from before accounts, by its own id', () => {
    const old = { ...create().record, account: null }
    const [created, ending] = rotateKey(old, HOUR, NOW, randomBytes).records
    expect([created, ending, revokeKey(ending)].map((record) => identityOf(record).account)).toEqual(
      Array(3).fill(old.key_id),
    )
  })
  it('reads a journal whose records are of the schema before accounts and of today’s, mixed', async () => {
    const before = releasedSchemas().find(({ topic, version }) => topic === 'access' && version === 2)
    if (!before) throw new Error('access.2 was released')
    const codec = await codecFor('access', localRegistry())
    const { account: _, kind: _kind, ...old } = create().record
    const bytes = avro.Type.forSchema(before.schema as avro.Schema).toBuffer(old)
    const wire = Buffer.concat([Buffer.from([0, 0, 0, 0, before.id]), bytes])
    const table = new KeyTable()
    table.apply(await codec.decode(wire))
    const known = table.get(old.key_id)
    expect(known).toEqual({ ...old, account: null, kind: null })
    if (!known) return
    const { records } = rotateKey(known, HOUR, NOW, randomBytes)
    for (const record of records) table.apply(await codec.decode(Buffer.from(codec.encode(record))))
    expect(table.list().map(identityOf)).toEqual([
      { keyId: old.key_id, account: old.key_id },
      { keyId: records[0].key_id, account: old.key_id },
    ])
    // A program from before accounts wrote the record of the old key once more.
    table.apply(await codec.decode(wire))
    expect(table.list().map((record) => identityOf(record).account)).toEqual([old.key_id, old.key_id])
  })
  it('never makes a key valid for longer than it was', () => {
    const { record: old } = create({ expiresAt: NOW + HOUR })
    const [created, ending] = rotateKey(old, 24 * HOUR, NOW, randomBytes).records
    expect([created.expires_at, ending.expires_at]).toEqual([old.expires_at, old.expires_at])
  })
  it('ends the old key at once without an overlap', () => {
    const [, ending] = rotateKey(create().record, 0, NOW, randomBytes).records
    expect(ending.expires_at).toBe('2026-09-15T12:00:00.000Z')
  })
  it('refuses a key that is replaced already, but not its replacement, which keeps the expiry there was', () => {
    const { record: old } = create()
    const rotate = (key: AccessKey) => rotateKey(key, HOUR, NOW, randomBytes).records
    const [replacement, ending] = rotate(old)
    expect(() => rotate(ending)).toThrow(failsWith('key_replaced', replacement.key_id))
    expect(rotate(replacement)[0]).toMatchObject({ expires_at: null, replaced_by: null })
  })
  it('refuses what is revoked or expired, and a negative overlap', () => {
    const { record } = create({ expiresAt: NOW + HOUR })
    const rotate = (old: AccessKey, now: number, overlapMs = 0) => rotateKey(old, overlapMs, now, randomBytes)
    expect(() => rotate(revokeKey(record), NOW)).toThrow(failsWith('key_not_active', record.key_id))
    expect(() => rotate(record, NOW + HOUR)).toThrow(failsWith('key_not_active', record.key_id))
    for (const overlapMs of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 2 ** 53, Date.parse('9999-12-31')]) {
      expect(() => rotate(record, NOW, overlapMs)).toThrow(failsWith('invalid_overlap'))
    }
  })
})

describe('the key table', () => {
  const { key, record } = create({ expiresAt: NOW + HOUR })
  const other = create()
  const tableOf = (...records: AccessKey[]) => {
    const table = new KeyTable()
    for (const each of records) table.apply(each)
    return table
  }

  it('has no record of a key that it does not know', () => {
    expect(tableOf(record).get('key_unknown')).toBeUndefined()
  })
  it('finds the record of a key', () => {
    const table = tableOf(other.record, record)
    expect(table.find(key, NOW)).toEqual({ ok: true, key: record })
    expect(table.find(other.key, NOW)).toEqual({ ok: true, key: other.record })
    expect(table.get(record.key_id)).toEqual(record)
    expect(table.list()).toEqual([other.record, record])
  })
  it('says why it refuses one', () => {
    const table = tableOf(record)
    expect(table.find(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, NOW)).toEqual({
      ok: false,
      why: 'malformed',
    })
    expect(table.find('', NOW)).toEqual({ ok: false, why: 'malformed' })
    expect(table.find(record.hash, NOW)).toEqual({ ok: false, why: 'malformed' })
    expect(table.find(other.key, NOW)).toEqual({ ok: false, why: 'unknown' })
    expect(tableOf(record, revokeKey(record)).find(key, NOW)).toEqual({ ok: false, why: 'revoked' })
  })
  it('judges expiry by the time it is given', () => {
    const table = tableOf(record)
    expect(table.find(key, NOW + HOUR - 1).ok).toBe(true)
    expect(table.find(key, NOW + HOUR)).toEqual({ ok: false, why: 'expired' })
  })
  it('lets the newest record of a key id count', () => {
    const moved = { ...record, plan: 'pro' as const }
    expect(tableOf(record, moved).find(key, NOW)).toEqual({ ok: true, key: moved })
    const rehashed = { ...record, hash: other.record.hash }
    const table = tableOf(record, rehashed)
    expect(table.find(key, NOW)).toEqual({ ok: false, why: 'unknown' })
    expect(table.find(other.key, NOW)).toEqual({ ok: true, key: rehashed })
    expect(table.list()).toHaveLength(1)
  })
  it('refuses a key whose record cannot be dated', () => {
    expect(tableOf({ ...record, expires_at: 'soon' }).find(key, NOW)).toEqual({ ok: false, why: 'expired' })
  })
})
