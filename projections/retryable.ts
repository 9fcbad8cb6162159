import { isPassing as isJournalPassing, isOutOfRange } from '../journal/journal.ts'
import { isAway } from './clickhouse.ts'
import { TableMoved } from './write-block.ts'

/**
 * Tells whether a projection's failure may be transient. After a lost claim the process is a standby again. If records
 * were deleted before they were read, the next start decides what that means for the table.
 */
export function mayRetryProjection(error: unknown): error is Error {
  return error instanceof TableMoved || isAway(error) || isJournalPassing(error) || isOutOfRange(error)
}
