import { ProblemError } from '../contracts/problems.ts'
import { cursorFaults } from '../domain/cursor.ts'
import type { Place } from '../domain/lineage.ts'
import { snapshotCursorAge } from '../domain/snapshot-lifetime.ts'
import { partitionOf } from '../journal/layout.ts'
import type { ApiDeps } from './deps.ts'

/** Cursors of lists that are paged from one snapshot, and the problems of such cursors. */

type SnapshotCursor = { readonly journal: string; readonly issuedAt: number }

/** The place in the journal up to which a history is read, and up to which ticks are. */
export const placeOfHistory = (snapshot: number): Place => ({ partition: 'releases/0', offset: snapshot + 1 })
export const placeOfTicks = ({ symbol, snapshot }: { readonly symbol: string; readonly snapshot: number }): Place => ({
  partition: `ticks/${partitionOf('ticks', symbol)}`,
  offset: snapshot + 1,
})

/**
 * Returns a decoded cursor that is of this journal and not too old; throws its problem otherwise. `list` is the name of the list
 * in a message. `place`: up to where the cursor's snapshot reads; a cursor without one names no place in the journal.
 */
export function requireHonoured<C extends SnapshotCursor>(
  cursor: C | undefined,
  list: string,
  { lineage, clock }: Pick<ApiDeps, 'lineage' | 'clock'>,
  place?: Place,
): C {
  if (!cursor) throw notIssued()
  const fault = lineage.faultOf(cursor.journal, ...(place ? [place] : []))
  if (fault === 'foreign') throw new ProblemError('cursor_foreign', cursorFaults.cursor_foreign)
  if (fault) {
    const detail = `The first page of this ${list} was read in another history of this journal: the two have been apart since one was restored from a backup.`
    throw new ProblemError('cursor_superseded', detail)
  }
  const age = snapshotCursorAge(cursor.issuedAt, clock().getTime())
  if (age === 'forged') throw notIssued()
  if (age === 'expired') {
    throw new ProblemError('cursor_expired', `The first page of this ${list} was read more than 24 hours ago.`)
  }
  return cursor
}

export const notIssued = () => new ProblemError('cursor_invalid', 'The text is not a cursor of this operation.')

export const behindSnapshot = () =>
  new ProblemError('unavailable', 'The read model of this node has not reached the snapshot of this answer yet.')

/** The problem of a cursor that is sent with other filters than its own, which the detail names. An empty filter was not sent. */
export function cursorMismatch(own: Readonly<Record<string, string>>): ProblemError {
  const sent = Object.entries(own).filter(([, value]) => value !== '')
  const last = sent.pop()?.join(' ')
  const detail =
    last === undefined
      ? 'The cursor was made without filters: send it alone.'
      : sent.length === 0
        ? `The cursor was made for ${last}: send it with exactly this, or alone.`
        : `The cursor was made for ${sent.map((filter) => filter.join(' ')).join(', ')} and ${last}: send it with exactly these, or alone.`
  return new ProblemError('cursor_mismatch', detail)
}
