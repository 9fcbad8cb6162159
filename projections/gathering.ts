/** Time after a start in which blocks are gathered briefly, and the gathering time then, ms. */
const START_MS = 30_000
const BRIEF_MS = 2_000

/**
 * Returns for how long rows are gathered into a block. Shortly after a start it is at most two seconds, so that the first
 * candles of a new service come early; they would otherwise wait for a whole interval in the table of ticks.
 * `intervalMs`: the gathering time that is set. `sinceStartMs`: time since the projection got its claim.
 */
export const gatheringMs = (intervalMs: number, sinceStartMs: number): number =>
  sinceStartMs < START_MS ? Math.min(intervalMs, BRIEF_MS) : intervalMs
