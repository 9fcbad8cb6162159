import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { Archive } from '../../archive/archive.ts'
import { type ChainEntry, dataName, entryName } from '../../archive/chain-entry.ts'
import { merge, mergeable } from '../../archive/compaction.ts'
import { DirectoryStore } from '../../archive/directory.ts'
import { encodeHere, type NewEncoder, OpenSegment } from '../../archive/open-segment.ts'
import { packRecords } from '../../archive/packed-records.ts'
import { readArchive } from '../../archive/read.ts'
import { expire, GRACE_MS, sweepPartition, UnnamedFiles } from '../../archive/upkeep.ts'
import { verifyArchive } from '../../archive/verify.ts'
import { temporaryDirectory } from '../support/journal.ts'
import { tick } from './support/records.ts'

const NOW = Date.UTC(2026, 5, 1)

async function chainOfTens(count: number) {
  const directory = await temporaryDirectory()
  const archive = await Archive.openFor(new DirectoryStore(directory), { id: 'J', generations: [] }, NOW)
  const entries: ChainEntry[] = []
  for (let i = 0; i < count; i++) {
    const segment = OpenSegment.after(archive, 'ticks', 0, entries.at(-1), 0)
    await segment.add(packRecords(Array.from({ length: 10 }, (_, n) => tick(10 * i + n))), 10 * i + 10)
    entries.push(await segment.seal(archive, NOW))
  }
  const whole = async () => {
    await verifyArchive(archive, (fault) => expect.fail(fault.message))
    const offsets: number[] = []
    const [first] = await archive.chain('ticks', 0)
    for await (const { records } of readArchive(archive, 'ticks', 0, first?.from ?? 0))
      offsets.push(...records.map(({ offset }) => offset))
    return offsets
  }
  const files = async () => (await readdir(join(directory, 'data/ticks'))).sort()
  return { archive, entries, whole, files }
}

const nameOf = ({ file }: ChainEntry) => dataName('ticks', String(file)).split('/').at(-1)

it('a segment whose data file cannot be written has no entry', async () => {
  const { archive } = await chainOfTens(1)
  const { store } = archive
  const put = vi.spyOn(store, 'put').mockRejectedValue(new Error('the writer was killed here'))
  const segment = OpenSegment.after(archive, 'ticks', 1, undefined, 0)
  await segment.add(packRecords([tick(0)]), 1)
  await expect(segment.seal(archive, NOW)).rejects.toThrow('killed')
  expect(put).toHaveBeenCalledOnce()
  put.mockRestore()
  expect(await archive.ranges('ticks', 1)).toEqual([])
})

describe('a merge', () => {
  it('takes neighbours of one size, and leaves large ones', () => {
    const entry = (from: number, count: number, gap = false) =>
      ({ from, to: from + count, count, bytes: count, gap }) as ChainEntry
    const small = Array.from({ length: 8 }, (_, i) => entry(i, 1))
    expect(mergeable(small)).toEqual(small)
    expect(mergeable(small.slice(1))).toBeUndefined()
    expect(mergeable([entry(0, 100), ...small.slice(1)])).toBeUndefined()
    expect(mergeable([entry(0, 100), ...small])).toEqual(small)
    expect(mergeable([...small.slice(0, 4), entry(4, 0, true), ...small.slice(4, 7)])).toBeUndefined()
    const halves = Array.from({ length: 8 }, (_, i) => entry(i * 1e6, 1_000_000))
    expect(mergeable(halves)).toBeUndefined()
  })
  it('keeps every record and digest, and survives a kill after each of its steps', async () => {
    const { archive, entries, whole, files } = await chainOfTens(9)
    const before = await whole()
    const merged = await merge(archive, entries.slice(0, 8), NOW)
    expect(merged).toMatchObject({ from: 0, to: 80, count: 80, before: entries[0]?.before, after: entries[7]?.after })
    // The merged entry and those that it replaces lie side by side, and some or all of them are gone afterwards.
    expect(await whole()).toEqual(before)
    expect((await archive.chain('ticks', 0)).length).toBe(2)
    await sweepPartition(archive, 'ticks', 0, NOW + GRACE_MS)
    expect(await archive.ranges('ticks', 0)).toHaveLength(10)
    await sweepPartition(archive, 'ticks', 0, NOW + GRACE_MS + 1)
    expect(await archive.ranges('ticks', 0)).toHaveLength(2)
    expect(await whole()).toEqual(before)
    expect(await files()).toHaveLength(10)
    const unnamed = new UnnamedFiles()
    await unnamed.sweep(archive, 'ticks', 6, 5)
    await unnamed.sweep(archive, 'ticks', 6, 5 + GRACE_MS)
    expect(await files()).toHaveLength(10)
    await unnamed.sweep(archive, 'ticks', 6, 6 + GRACE_MS)
    expect(await files()).toEqual([merged, entries[8]].map((entry) => nameOf(entry as ChainEntry)).sort())
    expect(await whole()).toEqual(before)
  })
  it('does nothing if another owner has replaced what it would merge', async () => {
    const { archive, entries } = await chainOfTens(8)
    await merge(archive, entries, NOW)
    await sweepPartition(archive, 'ticks', 0, NOW + 2 * GRACE_MS)
    for (const entry of entries) await archive.store.delete(dataName('ticks', String(entry.file)))
    const newEncoder = vi.fn<NewEncoder>(encodeHere)
    expect(await merge(archive, entries, NOW, newEncoder)).toBeUndefined()
    // A thread would keep the records of a segment that is begun and never finished.
    expect(newEncoder).not.toHaveBeenCalled()
  })
})

it('a data file that gets its entry late is not deleted', async () => {
  const { archive, entries, files } = await chainOfTens(2)
  const unnamed = new UnnamedFiles()
  const last = entries[1] as ChainEntry
  const name = entryName('ticks', 0, last)
  const entry = (await archive.store.get(name)) ?? new Uint8Array()
  await archive.store.delete(name)
  await unnamed.sweep(archive, 'ticks', 6, 0)
  await archive.store.put(name, entry)
  await unnamed.sweep(archive, 'ticks', 6, 2 * GRACE_MS)
  await archive.store.delete(name)
  await unnamed.sweep(archive, 'ticks', 6, 4 * GRACE_MS)
  expect(await files()).toHaveLength(2)
})

describe('retention', () => {
  it('deletes the oldest entries, but never the last one', async () => {
    const { archive, entries, whole } = await chainOfTens(4)
    const oldest = Date.parse(String(entries[1]?.max_time))
    await expire(archive, 'ticks', 0, oldest)
    expect((await archive.chain('ticks', 0)).map(({ from }) => from)).toEqual([10, 20, 30])
    await expire(archive, 'ticks', 0, oldest + 1)
    expect((await archive.chain('ticks', 0)).map(({ from }) => from)).toEqual([20, 30])
    await expire(archive, 'ticks', 0, NOW)
    expect(await archive.chain('ticks', 0)).toEqual([entries[3]])
    expect(await whole()).toEqual([30, 31, 32, 33, 34, 35, 36, 37, 38, 39])
  })
})
