import { ProblemError } from '../contracts/problems.ts'

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
