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

/** Writes of a partition that need not gather after a pause. A document makes some: its releases, derived ones and their events. */
const BURST = 8

/**
 * When the next write of a partition is due while its block isn't full: a token bucket. After a pause the writes follow each other at
 * the interval between two of them. While records go on coming, there is one write for each `trickleMs`, because every write makes a
 * part, which costs the disk about as much as a thousand rows. No write is due later than `trickleMs` after the last one, or the
 * interval if that is longer. Times are monotonic, ms.
 */
export class WritePace {
  readonly #trickleMs: number
  #last: number
  /** When the bucket is full again: each write takes a token, and one comes back for each `trickleMs`. */
  #fullAt: number

  /** @param started as if something had been written then */
  constructor(trickleMs: number, started: number) {
    this.#trickleMs = trickleMs
    this.#last = started
    this.#fullAt = started
  }

  /** The time of the next write while there is more to read. `intervalMs`: shortest time between the starts of two writes. */
  dueAfterLast(intervalMs: number): number {
    return this.#last + intervalMs
  }

  /** The same at the end of the journal, where it takes a token. */
  dueAt(intervalMs: number): number {
    return Math.max(this.dueAfterLast(intervalMs), this.#fullAt - BURST * this.#trickleMs)
  }

  noteWrite(now: number): void {
    this.#last = now
    // Full blocks are written without a token, and must not empty the bucket further.
    const empty = now + BURST * this.#trickleMs
    this.#fullAt = Math.min(Math.max(this.#fullAt, now), empty) + this.#trickleMs
  }
}
