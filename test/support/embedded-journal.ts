import { join } from 'node:path'
import { openEmbeddedJournal } from '../../journal/embedded/journal.ts'
import type { Journal } from '../../journal/journal.ts'
import { localRegistry } from '../../journal/registry.ts'
import { TypedJournal } from '../../journal/typed.ts'
import { onTestFinished } from './concurrent.ts'
import { temporaryDirectory } from './journal.ts'

/**
 * An embedded journal of the test's own, for tests in which files or other processes matter; the others use `openTestJournal`.
 * `wrap` may put faults in front of it.
 */
export async function openEmbeddedTestJournal(
  wrap: (journal: Journal) => Journal = (journal) => journal,
  dir?: string,
) {
  const directory = dir ?? (await temporaryDirectory())
  const journal = await TypedJournal.open(
    wrap(await openEmbeddedJournal({ dir: join(directory, 'journal') })),
    localRegistry(),
  )
  onTestFinished(() => journal.close())
  return { journal, directory }
}
