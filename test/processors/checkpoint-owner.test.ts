import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Lineage } from '../../domain/lineage.ts'
import { fileCheckpoints } from '../../processors/checkpoint.ts'
import { temporaryDirectorySync } from '../support/journal.ts'

const ANOTHER_USER = 65_534

it.runIf(process.geteuid?.() === 0)(
  'a checkpoint that root writes belongs to the owner of the data directory',
  async () => {
    const data = temporaryDirectorySync()
    chownSync(data, ANOTHER_USER, ANOTHER_USER)
    const directory = join(data, 'checkpoints')
    const checkpoints = fileCheckpoints(directory, new Lineage({ id: 'journal', generations: [] }))
    for (const _ of [1, 2]) await checkpoints.save('accept-USA', 0, { version: 1, offsets: { releases: 7 }, state: {} })
    for (const path of [directory, join(directory, 'accept-USA-0.checkpoint')])
      expect(statSync(path).uid).toBe(ANOTHER_USER)
  },
)
