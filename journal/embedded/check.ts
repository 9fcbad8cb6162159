import { assertUsableFiles, DamagedFileError, hasData } from '../../base/lmdb/usable-files.ts'
import { JournalError } from '../journal.ts'
import { openEnvironment } from './environment.ts'
import { assertSoundJournal, assertWithinBounds } from './journal-soundness.ts'

/** Attempts to read the file. The check runs beside writers and may read a meta page that is half written. */
const ATTEMPTS = 3

/**
 * Checks all pages and all records of a journal, which may be in use. Returns the number of records.
 * Throws DamagedFileError and `no_journal`. LMDB itself may crash the process on some damage.
 */
export async function checkJournal(dir: string): Promise<number> {
  assertUsableFiles(dir)
  if (!hasData(dir)) throw new JournalError('no_journal', `there is no journal in ${dir}`)
  const environment = await openEnvironment({ dir })
  try {
    // While this read transaction is open, LMDB reuses no page of its snapshot or of a newer one.
    const transaction = environment.store.root.useReadTransaction()
    try {
      return countSoundRecords(dir, environment)
    } finally {
      transaction.done()
    }
  } finally {
    await environment.close()
  }
}

function countSoundRecords(dir: string, environment: Awaited<ReturnType<typeof openEnvironment>>): number {
  for (let attempt = 1; ; attempt++) {
    try {
      const spans = assertSoundJournal(dir, { deep: true })
      // Other processes may write during the walk. Ends only grow, so an end that is read afterwards covers every
      // record seen. Starts are not compared, because retention may have moved them past records that were seen.
      assertWithinBounds(dir, spans, (log) => ({
        start: 0,
        end: environment.snapshot((store) => store.bounds(log).end),
      }))
      return Array.from(spans.values()).reduce((sum, { count }) => sum + count, 0)
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof DamagedFileError)) throw error
    }
  }
}
