import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Archive } from '../../archive/archive.ts'
import type { ChainEntry } from '../../archive/chain-entry.ts'
import { digestAfter, digestAtStart } from '../../archive/digest.ts'
import { DirectoryStore } from '../../archive/directory.ts'
import { OpenSegment } from '../../archive/open-segment.ts'
import { packRecords, unpackedRecords } from '../../archive/packed-records.ts'
import { archivedOffsetAt, readArchive } from '../../archive/read.ts'
import { SegmentWriter } from '../../archive/segment.ts'
import { decodeSegment } from '../../archive/segment-reader.ts'
import { verifyArchive } from '../../archive/verify.ts'
import type { PortableRecord } from '../../journal/portable-records.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { anyRecords, type DrawnRecords, plainRecord } from './support/records.ts'

function segmentOf({ topic, records }: DrawnRecords): Uint8Array {
  const writer = new SegmentWriter(topic, 0)
  writer.add(packRecords(records))
  return writer.finish()
}

async function recordsIn(bytes: Uint8Array): Promise<PortableRecord[]> {
  const records: PortableRecord[] = []
  for await (const group of decodeSegment(bytes)) records.push(...unpackedRecords(group))
  return records
}

describe('a segment', () => {
  it('gives back any records as they were', async () => {
    await fc.assert(
      fc.asyncProperty(anyRecords({ minLength: 1, maxLength: 30 }), async (drawn) => {
        const found = await recordsIn(segmentOf(drawn))
        expect(found.map(plainRecord)).toEqual(drawn.records.map(plainRecord))
      }),
    )
  })
  it('has the same bytes for the same records, however they arrive', () => {
    fc.assert(
      fc.property(anyRecords({ minLength: 2, maxLength: 10 }), fc.nat(9), (drawn, cut) => {
        const writer = new SegmentWriter(drawn.topic, 0)
        const reordered = drawn.records.map((record) => ({
          ...record,
          headers: Object.fromEntries(Object.entries(record.headers).reverse()),
        }))
        writer.add(packRecords(reordered.slice(0, cut)))
        writer.add(packRecords(reordered.slice(cut)))
        expect(hash('sha256', writer.finish())).toBe(hash('sha256', segmentOf(drawn)))
      }),
      { numRuns: 30 },
    )
  })
  it('has row groups that are read one by one', async () => {
    const [drawn] = fc.sample(anyRecords({ minLength: 1, maxLength: 1 }), { numRuns: 1, seed: 1 })
    const [record] = drawn?.records ?? []
    if (!drawn || !record) throw new Error('nothing drawn')
    const records = Array.from({ length: 10_001 }, (_, offset) => ({ ...record, offset }))
    const sizes: number[] = []
    for await (const group of decodeSegment(segmentOf({ ...drawn, records }))) sizes.push(group.ends.length)
    expect(sizes).toEqual([5_000, 5_000, 1])
    const last: number[] = []
    for await (const group of decodeSegment(segmentOf({ ...drawn, records }), -1))
      last.push(...unpackedRecords(group).map(({ offset }) => offset))
    expect(last).toEqual([10_000])
  })
})

describe('a digest', () => {
  const start = digestAtStart('J', 'ticks', 0, 0)
  const record: PortableRecord = {
    offset: 7,
    timestamp: 1,
    key: 'k',
    headers: { a: '1', b: '2' },
    schema: 2,
    body: Buffer.from('body'),
  }
  it('depends on every part of a record and of its place', () => {
    const digests = [
      record,
      { ...record, offset: 8 },
      { ...record, offset: 7 + 2 ** 32 },
      { ...record, timestamp: -1 },
      { ...record, key: null },
      { ...record, key: '' },
      { ...record, headers: {} },
      { ...record, headers: { a: '1', b2: '' } },
      { ...record, headers: { a: '1b', '2': '' } },
      { ...record, schema: 1 },
      { ...record, body: Buffer.from('bodY') },
    ].map((changed) => digestAfter(start, packRecords([changed])).toString('hex'))
    digests.push(digestAfter(digestAtStart('K', 'ticks', 0, 0), packRecords([record])).toString('hex'))
    digests.push(digestAfter(digestAtStart('J', 'ticks', 1, 0), packRecords([record])).toString('hex'))
    digests.push(digestAfter(digestAtStart('J', 'ticks', 0, 1), packRecords([record])).toString('hex'))
    expect(new Set(digests).size).toBe(digests.length)
  })
  it('does not depend on the order of headers', () => {
    const reversed = { ...record, headers: { b: '2', a: '1' } }
    expect(digestAfter(start, packRecords([reversed]))).toEqual(digestAfter(start, packRecords([record])))
  })
  it('is what its description says, of short records and of long ones', () => {
    const u32 = (n: number) => Buffer.from([n >>> 24, n >>> 16, n >>> 8, n])
    const text = (s: string | Uint8Array) => Buffer.concat([u32(Buffer.byteLength(s)), Buffer.from(s)])
    const described = (a: string, body: Uint8Array) =>
      hash(
        'sha256',
        Buffer.concat([
          start,
          u32(0),
          u32(7),
          u32(0),
          u32(1),
          u32(2),
          text('k'),
          u32(2),
          text('a'),
          text(a),
          text('b'),
          text('2'),
          text(body),
        ]),
      )
    expect(digestAfter(start, packRecords([record])).toString('hex')).toBe(described('1', record.body))
    const long = { a: 'ä€😀'.repeat(20_000), body: Buffer.alloc(900_000, 1) }
    const found = digestAfter(
      start,
      packRecords([{ ...record, headers: { ...record.headers, a: long.a }, body: long.body }]),
    )
    expect(found.toString('hex')).toBe(described(long.a, long.body))
    expect(start.toString('hex')).toBe(hash('sha256', 'almanac:J/ticks/0:0'))
  })
})

/** Archives records in segments that end at these offsets. */
async function archived({ topic, records, end }: DrawnRecords, cuts: readonly number[]) {
  const store = new DirectoryStore(await temporaryDirectory())
  const archive = await Archive.openFor(store, { id: 'J', generations: [] }, 0)
  let last: ChainEntry | undefined
  for (const to of [...new Set([...cuts.filter((cut) => cut > 0 && cut < end), end])].sort((a, b) => a - b)) {
    const segment = OpenSegment.after(archive, topic, 0, last, 0)
    await segment.add(packRecords(records.filter(({ offset }) => offset >= segment.from && offset < to)), to)
    last = await segment.seal(archive, 0)
  }
  return { archive, last, store }
}

describe('a chain of segments', () => {
  it('has the same digest wherever it is cut, and gives the records back from any offset', async () => {
    const cuts = fc.array(fc.nat(60), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(anyRecords({ minLength: 1, maxLength: 20 }), cuts, fc.nat(60), async (drawn, at, from) => {
        const [whole, cut] = [await archived(drawn, []), await archived(drawn, at)]
        expect(cut.last?.after).toBe(whole.last?.after)
        const offset = Math.min(from, drawn.end)
        const found: PortableRecord[] = []
        let next = offset
        for await (const batch of readArchive(cut.archive, drawn.topic, 0, offset)) {
          found.push(...batch.records)
          expect(batch.next).toBeGreaterThanOrEqual(next)
          expect(batch.end).toBe(drawn.end)
          next = batch.next
        }
        expect(next).toBe(drawn.end)
        expect(found.map(plainRecord)).toEqual(drawn.records.filter((r) => r.offset >= offset).map(plainRecord))
        const faults: Error[] = []
        await verifyArchive(cut.archive, (fault) => faults.push(fault))
        expect(faults).toEqual([])
      }),
      { numRuns: 25 },
    )
  })
  it('finds the first offset at or after a time, also where times go backwards', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyRecords({ minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(40), { maxLength: 3 }),
        async (drawn, cuts) => {
          const { archive } = await archived(drawn, cuts)
          for (const { timestamp } of drawn.records) {
            for (const time of [timestamp, timestamp + 1]) {
              const expected = drawn.records.find((record) => record.timestamp >= time)?.offset ?? drawn.end
              expect(await archivedOffsetAt(archive, drawn.topic, 0, time)).toBe(expected)
            }
          }
        },
      ),
      { numRuns: 15 },
    )
  })
  it('holds nothing of a partition before its first segment', async () => {
    const { archive } = await archived({ topic: 'ticks', records: [], end: 5 }, [])
    expect(await archivedOffsetAt(archive, 'events', 0, 0)).toBeUndefined()
    await expect(readArchive(archive, 'events', 0, 0).next()).rejects.toThrow(
      'not_archived: of events/0 the archive holds nothing',
    )
    await expect(readArchive(archive, 'ticks', 0, 6).next()).rejects.toThrow('offsets 0 to 5, so not offset 6')
    expect((await readArchive(archive, 'ticks', 0, 2).next()).value).toEqual({ records: [], next: 5, end: 5 })
    expect((await readArchive(archive, 'ticks', 0, 5).next()).done).toBe(true)
  })
})
