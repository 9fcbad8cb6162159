/** Lifetime of cursors that read one snapshot: those of histories, candles and ticks. */

const HOUR_MS = 3_600_000
/** Shortest lifetime of such a cursor. The rounding of `issueTime` adds at most an hour. */
const SNAPSHOT_CURSOR_LIFETIME_MS = 24 * HOUR_MS

/** How far the clocks of two nodes may differ. */
const CLOCK_TOLERANCE_MS = HOUR_MS

/** Judges a cursor of a snapshot by its `issuedAt`; times are UTC milliseconds. `forged`: no node can have issued it yet. */
export function snapshotCursorAge(issuedAt: number, now: number): 'honoured' | 'expired' | 'forged' {
  if (issuedAt > issueTime(now) + CLOCK_TOLERANCE_MS) return 'forged'
  return now - issuedAt > SNAPSHOT_CURSOR_LIFETIME_MS ? 'expired' : 'honoured'
}

/**
 * The end of the hour of `now`, UTC milliseconds. Rounding makes the same first page carry the same cursor, and so the
 * same ETag, for up to an hour.
 */
export const issueTime = (now: number): number => Math.ceil(now / HOUR_MS) * HOUR_MS
