import { hash } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { packRecords } from '../../archive/packed-records.ts'
import type { UnfiledEntry } from '../../archive/sealed-file.ts'
import { SegmentWriter } from '../../archive/segment.ts'
import { SegmentTally } from '../../archive/segment-tally.ts'
import { SegmentThread } from '../../archive/segment-thread.ts'
import type { PortableRecord } from '../../journal/portable-records.ts'
import { tick } from './support/records.ts'

function startThread(): SegmentThread {
  const thread = new SegmentThread()
  onTestFinished(() => thread.close())
  return thread
}

const recordsOf = (from: number, count: number) => Array.from({ length: count }, (_, i) => tick(from + i))

/** What an entry says of the records, which begin a partition. */
function entryOf(records: readonly PortableRecord[]): UnfiledEntry {
  const tally = new SegmentTally('00'.repeat(32))
  tally.add(packRecords(records))
  const [from, to] = [records[0]?.offset ?? 0, (records.at(-1)?.offset ?? 0) + 1]
  return {
    topic: 'ticks',
    partition: 0,
    from,
    to,
    ...tally.account(),
    gap: false,
    sealed_at: '2026-01-01T00:00:00.000Z',
  }
}

/** The file that this thread makes of the records. */
function fileOf(records: readonly PortableRecord[]): Uint8Array {
  const writer = new SegmentWriter('ticks', 0)
  writer.add(packRecords(records))
  return writer.finish()
}

it('makes the same files as this thread does, of segments that are written at the same time', async () => {
  const { newEncoder } = startThread()
  const [one, other] = [newEncoder('ticks', 0), newEncoder('ticks', 0)]
  const [many, few] = [recordsOf(0, 11_000), recordsOf(20_000, 7)]
  for (let at = 0; at < many.length; at += 1_000)
    await Promise.all([one.add(packRecords(many.slice(at, at + 1_000))), other.add(packRecords(at === 0 ? few : []))])
  expect(one.bytes).toBeGreaterThan(10_000)
  expect(other.bytes).toBeLessThan(100)
  const [large, small] = await Promise.all([one.seal(entryOf(many)), other.seal(entryOf(few))])
  expect(Buffer.from(large.bytes).equals(fileOf(many))).toBe(true)
  expect(Buffer.from(small.bytes).equals(fileOf(few))).toBe(true)
  expect(small).toMatchObject({ file: hash('sha256', small.bytes), entry: { count: 7, file: small.file } })
})
it('lets others run while a row group is encoded', async () => {
  const encoder = startThread().newEncoder('ticks', 0)
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  onTestFinished(() => clearInterval(timer))
  const records = recordsOf(0, 20_000)
  const added = Promise.all([encoder.add(packRecords(records)), encoder.seal(entryOf(records))])
  turns = 0
  await added
  expect(turns).toBeGreaterThan(3)
})
it('fails with the reason if the thread does, and from then on', async () => {
  const encoder = startThread().newEncoder('ticks', 0)
  // A time that 64 bits of microseconds cannot hold.
  const wrong = { ...tick(0), timestamp: 1e16 }
  await encoder.add(packRecords([wrong]))
  const failed = {
    message: expect.stringContaining('the thread that encodes segments failed: The value of'),
    cause: expect.any(RangeError),
  }
  await expect(encoder.seal(entryOf([tick(0)]))).rejects.toMatchObject(failed)
  await expect(encoder.add(packRecords([tick(1)]))).rejects.toMatchObject(failed)
})
it('fails what is waiting when it is closed', async () => {
  const thread = startThread()
  const encoder = thread.newEncoder('ticks', 0)
  const records = recordsOf(0, 10_000)
  await encoder.add(packRecords(records))
  await Promise.all([
    thread.close(),
    expect(encoder.seal(entryOf(records))).rejects.toThrow('the thread that encodes segments has ended'),
  ])
})
