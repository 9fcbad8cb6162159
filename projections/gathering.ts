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
 * When the next write of a partition is due while its block isn't full. After a pause the writes follow each other at the interval
 * between two of them. While records go on coming, there is one write for each `trickleMs`, because every write makes a part, which
 * costs the disk about as much as a thousand rows. Times are monotonic, ms.
 */
export class WritePace {
  readonly #trickleMs: number
  #last: number
  /** When no write counts any more. Each of them counts for `trickleMs`, one after the other. */
  #spentUntil: number

  /** @param started as if something had been written then */
  constructor(trickleMs: number, started: number) {
    this.#trickleMs = trickleMs
    this.#last = started
    this.#spentUntil = started
  }

  /** The time of the next write. `intervalMs`: shortest time between the starts of two writes. */
  dueAt(intervalMs: number): number {
    return Math.max(this.#last + intervalMs, this.#spentUntil - BURST * this.#trickleMs)
  }

  noteWrite(now: number): void {
    this.#last = now
    this.#spentUntil = Math.max(this.#spentUntil, now) + this.#trickleMs
  }
}
