import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Archive } from '../../../archive/archive.ts'
import type { ChainEntry } from '../../../archive/chain-entry.ts'
import { DirectoryStore } from '../../../archive/directory.ts'
import { publishTables, sweepSnapshots } from '../../../archive/iceberg/publish.ts'
import { TableSnapshots } from '../../../archive/iceberg/table-snapshots.ts'
import { OpenSegment } from '../../../archive/open-segment.ts'
import { GRACE_MS, UnnamedFiles } from '../../../archive/upkeep.ts'
import { temporaryDirectory } from '../../support/journal.ts'
import { tick } from '../support/records.ts'

it('the files of a snapshot stay for an hour once there is a newer one, however old they are', async () => {
  const directory = await temporaryDirectory()
  const archive = await Archive.openFor(new DirectoryStore(directory), { id: 'J', generations: [] }, 0)
  const snapshots = new TableSnapshots(archive)
  const folder = join(directory, 'iceberg/ticks')
  const grow = async (last?: ChainEntry) => {
    const segment = OpenSegment.after(archive, 'ticks', 0, last, 0)
    await segment.add([tick(segment.from)], segment.from + 1)
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
  const unnamed = new UnnamedFiles()
  await sweepSnapshots(snapshots, unnamed, 0)
  await sweepSnapshots(snapshots, unnamed, GRACE_MS)
  expect(await readdir(folder)).toEqual(after)
  await sweepSnapshots(snapshots, unnamed, GRACE_MS + 1)
  const replaced = before.filter((name) => name !== 'newest.metadata.json')
  expect(replaced).toHaveLength(2)
  expect(await readdir(folder)).toEqual(after.filter((name) => !replaced.includes(name)))
})
