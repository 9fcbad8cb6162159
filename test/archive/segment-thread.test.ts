import { expect, it, onTestFinished } from 'vitest'
import { packRecords } from '../../archive/packed-records.ts'
import { SegmentWriter } from '../../archive/segment.ts'
import { SegmentThread } from '../../archive/segment-thread.ts'
import type { PortableRecord } from '../../journal/portable-records.ts'
import { tick } from './support/records.ts'

function startThread(): SegmentThread {
  const thread = new SegmentThread()
  onTestFinished(() => thread.close())
  return thread
}

const recordsOf = (from: number, count: number) => Array.from({ length: count }, (_, i) => tick(from + i))

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
  const [large, small] = await Promise.all([one.finish(), other.finish()])
  expect(Buffer.from(large).equals(fileOf(many))).toBe(true)
  expect(Buffer.from(small).equals(fileOf(few))).toBe(true)
})
it('lets others run while a row group is encoded', async () => {
  const encoder = startThread().newEncoder('ticks', 0)
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  onTestFinished(() => clearInterval(timer))
  const records = recordsOf(0, 20_000)
  const added = Promise.all([encoder.add(packRecords(records)), encoder.finish()])
  turns = 0
  await added
  expect(turns).toBeGreaterThan(3)
})
it('fails with the reason if the thread does, and from then on', async () => {
  const encoder = startThread().newEncoder('ticks', 0)
  // The library refuses an integer that its type cannot hold.
  const wrong = { ...tick(0), timestamp: 1e16 }
  await encoder.add(packRecords([wrong]))
  const failed = { message: 'the thread that encodes segments failed', cause: expect.any(RangeError) }
  await expect(encoder.finish()).rejects.toMatchObject(failed)
  await expect(encoder.add(packRecords([tick(1)]))).rejects.toMatchObject(failed)
})
it('fails what is waiting when it is closed', async () => {
  const thread = startThread()
  const encoder = thread.newEncoder('ticks', 0)
  await encoder.add(packRecords(recordsOf(0, 10_000)))
  await Promise.all([
    thread.close(),
    expect(encoder.finish()).rejects.toThrow('the thread that encodes segments has ended'),
  ])
})
