import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NewRecord } from '../../journal/journal.ts'
import { crc32c } from '../../journal/kafka/crc32c.ts'
import { visibleRecords } from '../../journal/kafka/reader.ts'
import { batchesIn, encodeBatch, encodeBatches, sealBatch } from '../../journal/kafka/record-batch.ts'
import { Bytes, varintBytes, writeVarint } from '../../journal/kafka/varint.ts'
import { record, textsOf } from '../contracts/support/journal-world.ts'

const sealed = (
  records: readonly NewRecord[],
  { offset = 0, producerId = 7n, isTransactional = false, keyed = false } = {},
): Buffer => {
  const batch = encodeBatch(records, keyed)
  sealBatch(batch, { producerId, epoch: 3, sequence: 0 }, isTransactional)
  batch.writeBigInt64BE(BigInt(offset), 0)
  return batch
}

const all = (bytes: Buffer) =>
  [...batchesIn(bytes)].flatMap((batch) => [...batch.records()].map(({ record }) => record))

const text = fc.string({ unit: 'grapheme', maxLength: 20 })
const recordArbitrary: fc.Arbitrary<NewRecord> = fc.record({
  key: fc.option(text),
  value: fc.uint8Array({ maxLength: 300 }),
  timestamp: fc.oneof(fc.nat(), fc.nat({ max: 2 ** 43 })),
  headers: fc.dictionary(text, text, { maxKeys: 4, noNullPrototype: true }),
})

describe('a record batch', () => {
  it.each([false, true])('gives its records back as they went in (keys demanded: %s)', (keyed) => {
    fc.assert(
      fc.property(
        fc.array(recordArbitrary, { minLength: 1, maxLength: 30 }),
        fc.nat({ max: 2 ** 50 }),
        (records, offset) => {
          const expected = records.map((written, i) => ({
            ...written,
            value: Buffer.from(written.value),
            offset: offset + i,
          }))
          expect(all(sealed(records, { offset, keyed }))).toEqual(expected)
        },
      ),
    )
  })

  it('is followed by others where records would not fit one, none greater than allowed', () => {
    const written = fc.array(recordArbitrary, { maxLength: 40 })
    const cut = (records: readonly NewRecord[], keyed: boolean, maxBytes: number) => {
      const batches = encodeBatches(records, keyed, maxBytes)
      for (const batch of batches) sealBatch(batch, { producerId: 7n, epoch: 3, sequence: 0 }, true)
      for (const batch of batches) expect(batch.length <= maxBytes || batch.readInt32BE(57) === 1).toBe(true)
      expect(batches.every((batch) => batch.readInt32BE(57) > 0)).toBe(true)
      const read = batches.flatMap((batch) => all(batch))
      expect(read.map(({ offset, ...rest }) => rest)).toEqual(
        records.map((record) => ({ ...record, value: Buffer.from(record.value) })),
      )
      return batches.length
    }
    fc.assert(
      fc.property(written, fc.boolean(), fc.integer({ min: 100, max: 3_000 }), (records, keyed, maxBytes) => {
        cut(records, keyed, maxBytes)
      }),
    )
    expect(cut(Array(10).fill(record('x'.repeat(100))), false, 800)).toBe(2)
    expect(cut([], false, 700)).toBe(0)
  })

  it('says the greatest time, which retention goes by', () => {
    const batch = encodeBatch(
      [9, 100, 20].map((timestamp) => record('', { timestamp })),
      false,
    )
    expect(batch.readBigInt64BE(35)).toBe(100n)
  })

  it('refuses what would not come back as it went in', () => {
    const encode = (rest: Partial<NewRecord>) => () => encodeBatch([record('', rest)], false)
    expect(encode({ timestamp: 1.5 })).toThrow(RangeError)
    expect(encode({ timestamp: -1 })).toThrow(RangeError)
    expect(encode({ key: 'half \ud83d' })).toThrow('lone surrogate')
    expect(encode({ key: 'k'.repeat(1_025) })).toThrow('record_too_large')
    expect(encode({ headers: { long: 'h'.repeat(40_000) } })).toThrow('record_too_large')
  })

  it('shows any damage, and leaves out a batch that is cut off', () => {
    const bytes = sealed([record('first'), record('second')])
    for (let at = 16; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes)
      damaged[at] = (damaged[at] as number) ^ 0x10
      expect(() => all(damaged)).toThrow('damaged')
    }
    expect(all(Buffer.concat([bytes, bytes.subarray(0, 80)]))).toHaveLength(2)
  })

  it('is read when a copy tool has compressed it with gzip, and refused by name otherwise', () => {
    const plain = sealed([record('squeezed')])
    const recoded = (codec: number) => {
      const batch = Buffer.concat([plain.subarray(0, 61), gzipSync(plain.subarray(61))])
      batch.writeInt32BE(batch.length - 12, 8)
      batch.writeInt16BE(codec, 21)
      batch.writeUInt32BE(crc32c(batch, 21), 17)
      return batch
    }
    expect(textsOf(all(recoded(1)))).toEqual(['squeezed'])
    expect(() => all(recoded(2))).toThrow('compression 2')
  })
})

describe('a varint', () => {
  it('comes back, in the bytes foretold', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer(),
          // Plus zero: there is no −0 among integers of 64 bits.
          fc.maxSafeInteger().map((value) => Math.trunc(value / 2) + 0),
        ),
        (value) => {
          const target = Buffer.alloc(10)
          expect(writeVarint(target, 0, value)).toBe(varintBytes(value))
          expect(new Bytes(target, 0).varint()).toBe(value)
        },
      ),
    )
  })
})

describe('CRC-32C', () => {
  it('is that of RFC 3720', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283)
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa)
    expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43)
  })

  it('is the same wherever the bytes lie and whatever lies around them', () => {
    const bitByBit = (bytes: Uint8Array) => {
      let crc = -1
      for (const byte of bytes) {
        crc ^= byte
        for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
      }
      return ~crc >>> 0
    }
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 80 }),
        fc.nat({ max: 9 }),
        fc.nat({ max: 9 }),
        (bytes, before, outside) => {
          const memory = new Uint8Array(outside + before + bytes.length + 20).fill(0xa5)
          memory.set(bytes, outside + before)
          const view = new Uint8Array(memory.buffer, outside)
          expect(crc32c(view, before, before + bytes.length)).toBe(bitByBit(bytes))
        },
      ),
    )
  })
})

describe('what a reader sees', () => {
  /** A control record: key i16 version · i16 kind (0 abort, 1 commit). */
  const marker = (kind: 0 | 1, producerId: bigint, offset: number): Buffer => {
    const batch = sealed([record('', { key: `\0\0\0${String.fromCharCode(kind)}` })], { offset, producerId })
    batch.writeInt16BE(0x30, 21)
    batch.writeUInt32BE(crc32c(batch, 21), 17)
    return batch
  }
  type Step = { producer: number; action: 'write' | 'commit' | 'abort' | 'plain' }
  const step: fc.Arbitrary<Step> = fc.record({
    producer: fc.nat(2),
    action: fc.constantFrom('write', 'write', 'write', 'commit', 'abort', 'plain'),
  })

  it('is what was committed, from whatever offset, in whatever pieces it is fetched (K3)', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 4_000 }), (steps, fetchBytes) => {
        const log = logOf(steps)
        for (let from = 0; from <= log.end; from++) {
          const seen: number[] = []
          for (let at = from; at < log.end; ) {
            const { records, next } = visibleRecords(log.fetch(at, fetchBytes), at, 1_000, 1_000_000)
            seen.push(...records.map(({ offset }) => offset))
            expect(next).toBeGreaterThan(at)
            at = next
          }
          expect(seen).toEqual(log.visible.filter((offset) => offset >= from))
        }
      }),
      // A producer commits after it has aborted, in one fetch: what is drawn seldom has it.
      {
        examples: [
          [(['write', 'abort', 'write', 'commit'] as const).map((action) => ({ producer: 0, action })), 4_000],
        ],
      },
    )
  })

  /** As Kafka keeps and serves it: batches of 1 to 3 records, markers, and the aborted transactions that a fetch touches. */
  function logOf(steps: readonly Step[]) {
    const open = new Map<number, { first: number; offsets: number[] }>()
    const batches: { offset: number; last: number; bytes: Buffer }[] = []
    const aborted: { producerId: bigint; firstOffset: number; last: number }[] = []
    const visible: number[] = []
    let end = 0
    const put = (bytes: Buffer, count: number) => {
      batches.push({ offset: end, last: end + count - 1, bytes })
      end += count
    }
    const finish = (producer: number, isCommit: boolean) => {
      const transaction = open.get(producer)
      if (!transaction) return
      if (isCommit) visible.push(...transaction.offsets)
      else aborted.push({ producerId: BigInt(producer), firstOffset: transaction.first, last: end })
      put(marker(isCommit ? 1 : 0, BigInt(producer), end), 1)
      open.delete(producer)
    }
    for (const [i, { producer, action }] of steps.entries()) {
      const records = Array.from({ length: 1 + (i % 3) }, () => record(`${i}`))
      const offsets = records.map((_, r) => end + r)
      if (action === 'commit' || action === 'abort') finish(producer, action === 'commit')
      else if (action === 'plain') {
        visible.push(...offsets)
        put(sealed(records, { offset: end, producerId: BigInt(10 + producer) }), records.length)
      } else {
        const transaction = open.get(producer) ?? { first: end, offsets: [] }
        transaction.offsets.push(...offsets)
        open.set(producer, transaction)
        put(sealed(records, { offset: end, producerId: BigInt(producer), isTransactional: true }), records.length)
      }
    }
    for (const producer of [...open.keys()]) finish(producer, producer % 2 === 0)
    visible.sort((a, b) => a - b)
    const fetch = (from: number, bytes: number) => {
      const first = batches.findIndex(({ last }) => last >= from)
      const served: typeof batches = []
      for (const batch of batches.slice(first)) {
        if (served.length > 0 && served.reduce((sum, { bytes }) => sum + bytes.length, batch.bytes.length) > bytes)
          break
        served.push(batch)
      }
      const upTo = served.at(-1)?.last ?? from
      return {
        bytes: Buffer.concat(served.map(({ bytes }) => bytes)),
        aborted: aborted.filter(({ firstOffset, last }) => firstOffset <= upTo && last >= from),
      }
    }
    return { end, visible, fetch }
  }
})
