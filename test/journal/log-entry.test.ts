import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EntryWalk, encodeEntries, encodeOne, entryFrom, entryKey, seal } from '../../journal/embedded/log-entry.ts'
import { measureRecord, recordOf } from '../../journal/embedded/record-body.ts'
import type { NewRecord, StoredRecord } from '../../journal/journal.ts'
import { record } from '../contracts/support/journal-world.ts'

const LOG = 3
const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const anyRecord = fc.record({
  key: fc.option(text),
  value: fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.nat(9_000).map((length) => new Uint8Array(length).fill(length)),
  ),
  timestamp: fc.integer({ min: -(2 ** 40), max: 2 ** 46 }),
  headers: fc.dictionary(fc.oneof(text, fc.constant('__proto__')), text, { maxKeys: 5, noNullPrototype: true }),
})
const manyRecords = fc.array(anyRecord, { minLength: 1, maxLength: 30, size: 'max' })

type Sealed = { readonly bytes: Buffer; readonly last: number }

/** The entries of a write, sealed for consecutive offsets from `first` on. */
function sealed(records: readonly NewRecord[], first: number): Sealed[] {
  let next = first
  return encodeEntries(records.map(measureRecord)).map(({ bytes, count }) => {
    next += count
    return { bytes: seal(bytes, entryKey(LOG, next - 1)), last: next - 1 }
  })
}

function recordsIn({ bytes, last }: Sealed, log = LOG): StoredRecord[] {
  const walk = new EntryWalk()
  walk.open(bytes, log, last)
  const records: StoredRecord[] = []
  while (walk.next()) {
    const stored = recordOf(bytes, walk.from, walk.to, walk.offset)
    expect(Buffer.from(stored.value).equals(bytes.subarray(walk.value, walk.to))).toBe(true)
    records.push(stored)
  }
  return records
}

/** With a value that is compared as a text, because comparing arrays of bytes takes long. */
const plain = (records: readonly NewRecord[]) =>
  records.map(({ value, ...rest }) => ({ ...rest, value: Buffer.from(value).toString('latin1') }))

describe('the entries of a write', () => {
  it('give back any records, in order', () => {
    fc.assert(
      fc.property(manyRecords, fc.nat(2 ** 40), (records, first) => {
        const read = sealed(records, first).flatMap((entry) => recordsIn(entry))
        expect(plain(read)).toEqual(plain(records.map((written, i) => ({ ...written, offset: first + i }))))
      }),
    )
  })

  it('are the same for the same records, whatever the order of their headers', () => {
    fc.assert(
      fc.property(manyRecords, (records) => {
        const reordered = records.map((written) => ({
          ...written,
          headers: Object.fromEntries(Object.entries(written.headers).reverse()),
        }))
        const bytesOf = (entries: readonly Sealed[]) => Buffer.concat(entries.map(({ bytes }) => bytes))
        expect(bytesOf(sealed(reordered, 7)).equals(bytesOf(sealed(records, 7)))).toBe(true)
      }),
    )
  })

  it('are few, and fill their pages', () => {
    const sizes = (count: number, bytes: number) =>
      sealed(
        Array.from({ length: count }, () => record('x'.repeat(bytes))),
        0,
      ).map((entry) => entry.bytes.length)
    expect(sizes(1, 10)).toEqual([25])
    // Eight pages of their own, without the 16 bytes that LMDB needs, then small ones.
    const large = sizes(1_000, 600)
    expect(large.length).toBeLessThan(25)
    for (const size of large.slice(0, -10)) expect(size).toBeGreaterThan(32_752 - 618)
    for (const size of large) expect(size).toBeLessThanOrEqual(32_752)
    // Less than fills a page: four and more of them fit into one.
    expect(sizes(10, 200)).toEqual([879, 879, 443])
    expect(sizes(3, 600)).toEqual([615, 615, 615])
    expect(sizes(6, 600)).toEqual([3_715])
    // A greater record has an entry of its own.
    expect(sizes(3, 100_000)).toEqual([100_015, 100_015, 100_015])
    expect(sizes(200_000, 0).length).toBeLessThan(120)
  })

  it('show each flipped bit and each cut', () => {
    const rest = { key: 'key', headers: { cause: 'ticks/3/17' } }
    for (const count of [1, 3]) {
      const [{ bytes, last } = never()] = sealed(
        Array.from({ length: count }, () => record('some value', rest)),
        4,
      )
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const damaged = Buffer.from(bytes)
        damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7))
        expect(() => recordsIn({ bytes: damaged, last })).toThrow()
      }
      for (let length = 0; length < bytes.length; length++)
        expect(() => recordsIn({ bytes: bytes.subarray(0, length), last })).toThrow()
    }
  })

  it('show that they lie at another offset or in another log', () => {
    for (const count of [1, 3]) {
      const [{ bytes, last } = never()] = sealed(
        Array.from({ length: count }, () => record('some value')),
        4,
      )
      expect(recordsIn({ bytes, last }).map(({ offset }) => offset)).toEqual([4, 5, 6].slice(0, count))
      expect(() => recordsIn({ bytes, last: last + 1 })).toThrow('the checksum differs')
      expect(() => recordsIn({ bytes, last }, LOG - 1)).toThrow('the checksum differs')
    }
  })

  it('can be shortened to any offset', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { minLength: 1, maxLength: 12 }), fc.nat(), (records, draw) => {
        for (const entry of sealed(records, 100)) {
          const whole = recordsIn(entry)
          const first = whole[0]?.offset ?? 0
          const start = first + (draw % whole.length)
          const rest = entryFrom(entry.bytes, LOG, entry.last, start)
          expect(rest === undefined).toBe(start === first)
          if (!rest) continue
          seal(rest, entryKey(LOG, entry.last))
          expect(plain(recordsIn({ bytes: rest, last: entry.last }))).toEqual(plain(whole.slice(start - first)))
        }
      }),
    )
  })

  it('stay as they are, even damaged, if they begin where the log shall begin', () => {
    for (const { bytes, last } of sealed([record('one'), record('two'), record('three')], 100)) {
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 4, bytes.length - 1)
      expect(entryFrom(bytes, LOG, last, 100)).toBeUndefined()
      expect(() => entryFrom(bytes, LOG, last, 101)).toThrow('the checksum differs')
    }
  })
})

describe('an entry of format 1', () => {
  it('is read, though its checksum leaves the place out', () => {
    const { bytes } = encodeOne(measureRecord(record('some value', { key: 'key' })))
    bytes.writeUInt8(1, 0)
    bytes.writeUInt32BE(crc32(bytes.subarray(5)), 1)
    expect(recordsIn({ bytes, last: 4 })).toMatchObject([{ key: 'key', offset: 4 }])
    bytes.writeUInt8(bytes.readUInt8(6) ^ 1, 6)
    expect(() => recordsIn({ bytes, last: 4 })).toThrow('the checksum differs')
  })
})

describe('a record', () => {
  it('is refused if it would not come back as it went in', () => {
    expect(() => measureRecord(record('', { timestamp: 1.5 }))).toThrow(RangeError)
    expect(() => measureRecord(record('', { key: 'half \ud83d' }))).toThrow('lone surrogate')
    expect(() => measureRecord(record('', { key: 'k'.repeat(1_025) }))).toThrow('record_too_large')
    expect(() => measureRecord(record('', { headers: { long: 'h'.repeat(40_000) } }))).toThrow('record_too_large')
  })
})

function never(): never {
  throw new Error('a write has an entry')
}
