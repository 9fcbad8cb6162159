import { assertUsableFiles, DamagedFileError, hasData } from '../../base/lmdb/usable-files.ts'
import { JournalError } from '../journal.ts'
import { openEnvironment } from './environment.ts'
import { mustBeSoundJournal, mustFitBounds } from './journal-soundness.ts'

/** A head that is just being written may be read half. */
const ATTEMPTS = 3

/**
 * Checks all pages and all records of a journal, which may be in use. Returns the number of records.
 * Throws DamagedFileError, `no_journal`; LMDB itself may end the process.
 */
export async function checkJournal(dir: string): Promise<number> {
  assertUsableFiles(dir)
  if (!hasData(dir)) throw new JournalError('no_journal', `there is no journal in ${dir}`)
  const environment = await openEnvironment({ dir })
  try {
    // While this transaction is open, LMDB writes over no page of a state as new as this one or newer.
    const transaction = environment.store.root.useReadTransaction()
    try {
      return look(dir, environment)
    } finally {
      transaction.done()
    }
  } finally {
    await environment.close()
  }
}

function look(dir: string, environment: Awaited<ReturnType<typeof openEnvironment>>): number {
  for (let attempt = 1; ; attempt++) {
    try {
      const spans = mustBeSoundJournal(dir, { deep: true })
      // Ends only grow, so one that is read after the walk holds what was seen, where others write meanwhile. A start may
      // have moved past what was seen: retention.
      mustFitBounds(dir, spans, (log) => ({ start: 0, end: environment.snapshot((store) => store.bounds(log).end) }))
      return Array.from(spans.values()).reduce((sum, { count }) => sum + count, 0)
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof DamagedFileError)) throw error
    }
  }
}
