import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type EmbeddedJournalOptions, openEmbeddedJournal } from '../../../journal/embedded/journal.ts'
import type { Journal, PartitionAddress } from '../../../journal/journal.ts'
import { record } from '../../contracts/support/journal-world.ts'

export const newDir = () => mkdtemp(join(tmpdir(), 'almanac-journal-'))
export const remove = (dir: string) => rm(dir, { recursive: true, force: true })

/** A journal of its own, with topics, for each test of the describe that calls this. It is gone after the test. */
export function embeddedWorld() {
  const shared: PartitionAddress = { topic: 'shared', partition: 0 }
  const topics = ['shared', 'appended', 'left', 'right', 'input', 'compacted', 'aged']
  const opened: Journal[] = []
  let dir: string
  let journal: Journal

  const open = async (options: Partial<EmbeddedJournalOptions> = {}) => {
    const journal = await openEmbeddedJournal({ dir, ...options })
    opened.push(journal)
    return journal
  }

  beforeEach(async () => {
    dir = await newDir()
    journal = await open()
    for (const topic of topics) {
      const cleanup = topic === 'compacted' ? 'compact' : 'delete'
      await journal.ensureTopics({ [topic]: { partitions: 1, cleanup, retentionMs: topic === 'aged' ? 10_000 : null } })
    }
  })

  afterEach(async () => {
    for (const journal of opened.splice(0)) await journal.close()
    await remove(dir)
  })

  const append = (text: string, address = shared) => journal.append({ ...address, records: [record(text)] })

  return {
    shared,
    topics,
    open,
    append,
    get dir() {
      return dir
    },
    get journal() {
      return journal
    },
  }
}
