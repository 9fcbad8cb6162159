import { ProblemError } from '../contracts/problems.ts'
import { snapshotCursorAge } from '../domain/snapshot-lifetime.ts'
import type { ApiDeps } from './deps.ts'

/** Cursors of lists that are paged from one snapshot, and the problems of such cursors. */

type SnapshotCursor = { readonly journal: string; readonly issuedAt: number }

/**
 * Returns a decoded cursor that is of this journal and not too old; throws its problem otherwise. `list` is the name of the
 * list in a message.
 */
export function requireHonoured<C extends SnapshotCursor>(
  cursor: C | undefined,
  list: string,
  { journalId, clock }: Pick<ApiDeps, 'journalId' | 'clock'>,
): C {
  if (!cursor) throw notIssued()
  if (cursor.journal !== journalId) throw new ProblemError('cursor_foreign', 'The cursor belongs to another journal.')
  const age = snapshotCursorAge(cursor.issuedAt, clock().getTime())
  if (age === 'forged') throw notIssued()
  if (age === 'expired') {
    throw new ProblemError('cursor_expired', `The first page of this ${list} was read more than 24 hours ago.`)
  }
  return cursor
}

export const notIssued = () => new ProblemError('cursor_invalid', 'The text is not a cursor of this operation.')

export const behindSnapshot = () =>
  new ProblemError('unavailable', 'This node has not reached the snapshot of this page yet.')

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
