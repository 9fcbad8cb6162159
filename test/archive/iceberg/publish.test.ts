import { readdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Archive } from '../../../archive/archive.ts'
import type { ChainEntry } from '../../../archive/chain-entry.ts'
import { DirectoryStore } from '../../../archive/directory.ts'
import { metadataOf } from '../../../archive/iceberg/metadata.ts'
import { publishTables, sweepSnapshots } from '../../../archive/iceberg/publish.ts'
import { TableSnapshots } from '../../../archive/iceberg/table-snapshots.ts'
import { OpenSegment } from '../../../archive/open-segment.ts'
import { packRecords } from '../../../archive/packed-records.ts'
import { GRACE_MS, UnnamedFiles } from '../../../archive/upkeep.ts'
import { decodeEventCursor } from '../../../domain/cursor.ts'
import { openTestJournal, temporaryDirectory } from '../../support/journal.ts'
import { eventNumber } from '../../support/journal-records.ts'
import { tick } from '../support/records.ts'

it('the files of a snapshot stay for an hour once there is a newer one, however old they are', async () => {
  const directory = await temporaryDirectory()
  const archive = await Archive.openFor(new DirectoryStore(directory), { id: 'J', generations: [] }, 0)
  const snapshots = new TableSnapshots(archive)
  const folder = join(directory, 'iceberg/ticks')
  const grow = async (last?: ChainEntry) => {
    const segment = OpenSegment.after(archive, 'ticks', 0, last, 0)
    await segment.add(packRecords([tick(segment.from)]), segment.from + 1)
    const entry = await segment.seal(archive, segment.from)
    await publishTables(snapshots)
    return entry
  }
  const entry = await grow()
  const before = await readdir(folder)
  for (const name of before) await utimes(join(folder, name), 1, 1)
  await grow(entry)
  const after = await readdir(folder)
  expect(after).toEqual(expect.arrayContaining(before))
  // A file that is missing is made again, also if nothing is new.
  const [gone = ''] = after.filter((name) => name !== 'newest.metadata.json' && !before.includes(name))
  await rm(join(folder, gone))
  await publishTables(snapshots)
  expect(await readdir(folder)).toEqual(after)
  const unnamed = new UnnamedFiles()
  await sweepSnapshots(snapshots, unnamed, 0)
  await sweepSnapshots(snapshots, unnamed, GRACE_MS)
  expect(await readdir(folder)).toEqual(after)
  await sweepSnapshots(snapshots, unnamed, GRACE_MS + 1)
  const replaced = before.filter((name) => name !== 'newest.metadata.json')
  expect(replaced).toHaveLength(2)
  expect(await readdir(folder)).toEqual(after.filter((name) => !replaced.includes(name)))
})

it('the cursor behind a table names the generation of its newest events', async () => {
  const { journal, directory } = await openTestJournal()
  const drafts = [0, 1, 2, 3].map((n) => ({ value: eventNumber(n), id: `evt_${n}`, at: n }))
  await journal.append('events', 0, drafts)
  const generations = [{ id: 'b', branch: { event: 3, ends: { 'events/0': 2 } } }]
  const archive = await Archive.openFor(new DirectoryStore(join(directory, 'a')), { id: journal.id, generations }, 0)
  const snapshots = new TableSnapshots(archive)
  let last: ChainEntry | undefined
  for (const [to, name] of [
    [2, journal.id],
    [4, `${journal.id}/b`],
  ] as const) {
    const segment = OpenSegment.after(archive, 'events', 0, last, 0)
    const { records } = await journal.readPortable('events', 0, segment.from)
    await segment.add(packRecords(records.slice(0, 2)), to)
    last = await segment.seal(archive, to)
    const { summary } = metadataOf(await snapshots.current('events'), 'root').snapshots[0] ?? expect.fail('no snapshot')
    expect(decodeEventCursor(summary['almanac.cursor'] ?? '')).toMatchObject({ journal: name, sequence: to + 1 })
  }
})
