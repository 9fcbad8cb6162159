import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkJournal } from '../../journal/embedded/check.ts'
import { openEnvironment } from '../../journal/embedded/environment.ts'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import type { Journal, NewRecord, PartitionAddress } from '../../journal/journal.ts'
import { readAll } from '../contracts/support/journal-world.ts'
import { temporaryDirectory } from '../support/journal.ts'

const FIXTURE = join(import.meta.dirname, '../fixtures/journal/format-1.mdb.gz')
const ID = '4b1bc3d8-2528-4b3e-a34b-a0956ec0c4a1'
const kept: PartitionAddress = { topic: 'kept', partition: 0 }
const aged: PartitionAddress = { topic: 'aged', partition: 0 }
const compacted: PartitionAddress = { topic: 'compacted', partition: 0 }

const record = (text: string, key: string | null = null, timestamp = 1_700_000_000_000): NewRecord => ({
  key,
  value: Buffer.from(text),
  timestamp,
  headers: { 'record-id': `TEST-${text}` },
})

/** A copy of the journal that the former release wrote. */
async function formerJournal(): Promise<{ dir: string; journal: Journal }> {
  const dir = join(await temporaryDirectory(), 'journal')
  await mkdir(dir)
  await writeFile(join(dir, 'data.mdb'), gunzipSync(await readFile(FIXTURE)))
  const journal = await openEmbeddedJournal({ dir, create: false })
  onTestFinished(() => journal.close())
  return { dir, journal }
}

/** The format that the journal states. A release that reads format 1 only refuses any other. */
async function formatOf(dir: string): Promise<number | undefined> {
  const environment = await openEnvironment({ dir })
  const format = environment.snapshot((store) => store.journal()?.format)
  await environment.close()
  return format
}

const read = async (journal: Journal, address: PartitionAddress, from = 0) =>
  (await readAll(journal, address, from)).records.map(({ value, ...rest }) => ({
    ...rest,
    value: Buffer.from(value).toString(),
  }))

const expected = (records: readonly (readonly [number, NewRecord])[]) =>
  records.map(([offset, { value, ...rest }]) => ({ offset, ...rest, value: Buffer.from(value).toString() }))

const keptRecords: [number, NewRecord][] = [
  ...Array.from({ length: 12 }, (_, i): [number, NewRecord] => [i, record(`kept ${i}`, `key ${i % 3}`)]),
  [12, record('kept 12')],
  [13, record('kept 13')],
  // Offset 14 is the hole behind a transaction.
  [15, record('kept 15')],
]

describe('a journal of the former release', () => {
  it('is read as it was written', async () => {
    const { dir, journal } = await formerJournal()
    expect(journal.id).toBe(ID)
    expect(await read(journal, kept)).toEqual(expected(keptRecords))
    expect(await read(journal, kept, 9)).toEqual(expected(keptRecords.slice(9)))
    const visited: number[] = []
    await journal.readValues(kept, 0, ({ offsets }) => visited.push(...offsets))
    expect(visited).toEqual(keptRecords.map(([offset]) => offset))
    expect(await read(journal, compacted)).toEqual(
      expected([
        [1, record('compacted 1', 'b')],
        [2, record('compacted 2', 'a')],
      ]),
    )
    expect(await journal.bounds(aged)).toEqual({ start: 3, end: 10 })
    const claim = await journal.claim('processor')
    expect([claim.epoch, await claim.position({ topic: 'kept', partition: 1 })]).toEqual([2, 5])
    expect(await checkJournal(dir)).toBe(keptRecords.length + 2 + 7)
  })

  it('goes on with batches behind its records, and is read across both', async () => {
    const { dir, journal } = await formerJournal()
    const added = Array.from({ length: 100 }, (_, i) => record(`added ${i} ${'x'.repeat(500)}`, `key ${i % 3}`))
    expect(await journal.append({ ...kept, records: added })).toEqual({ firstOffset: 16 })
    const all = [...keptRecords, ...added.map((one, i): [number, NewRecord] => [16 + i, one])]
    for (const offset of [0, 14, 15, 16, 17, 60, 115, 116])
      expect(await read(journal, kept, offset)).toEqual(expected(all.filter(([at]) => at >= offset)))
    const more = [record('compacted 3', 'b'), record('compacted 4', 'c')]
    expect(await journal.append({ ...compacted, records: more })).toEqual({ firstOffset: 4 })
    expect((await read(journal, compacted)).map(({ offset }) => offset)).toEqual([2, 4, 5])
    expect(await checkJournal(dir)).toBe(all.length + 3 + 7)
  })

  it('is trimmed across both', async () => {
    const { dir, journal } = await formerJournal()
    const records = Array.from({ length: 20 }, (_, i) => record(`aged ${10 + i}`, null, 10 + i))
    await journal.append({ ...aged, records })
    for (const start of [7, 10, 15, 29]) {
      await journal.retain(1_000 + start)
      expect(await journal.bounds(aged)).toEqual({ start, end: 30 })
      expect((await read(journal, aged, start)).map(({ timestamp }) => timestamp)).toEqual(
        Array.from({ length: 30 - start }, (_, i) => start + i),
      )
    }
    expect(await checkJournal(dir)).toBe(keptRecords.length + 2 + 1)
  })

  it('is refused by the former release from its first batch on, and not before', async () => {
    const { dir, journal } = await formerJournal()
    await journal.append({ ...kept, records: [record('one')] })
    await journal.append({ ...compacted, records: [record('one', 'd'), record('two', 'e')] })
    expect(await formatOf(dir)).toBe(1)
    await journal.append({ ...kept, records: [record('one'), record('two')] })
    expect(await formatOf(dir)).toBe(2)
    await journal.close()
    expect(await openEmbeddedJournal({ dir, create: false }).then((again) => again.close().then(() => again.id))).toBe(
      ID,
    )
  })
})
