/** Longest step between two ticks that counts, in ticks. */
const COUNTED_TICKS = 2

/**
 * A monotonic clock, in ms, that stands still while the event loop is blocked. After a callback that blocked it, timers
 * run before sockets are read: deadlines that go by an ordinary clock would cut clients whose bytes have come meanwhile.
 */
export class EventLoopClock {
  readonly #monotonic: () => number
  readonly #mostMs: number
  /** What the clock says, and what the monotonic clock said, at the last tick. */
  #ticked = 0
  #tickedAt: number

  constructor(tickMs: number, monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
    this.#mostMs = COUNTED_TICKS * tickMs
    this.#tickedAt = monotonic()
  }

  readonly now = (): number => this.#ticked + Math.min(this.#monotonic() - this.#tickedAt, this.#mostMs)

  /** To be called by a timer every `tickMs`. */
  tick(): void {
    const at = this.#monotonic()
    this.#ticked += Math.min(at - this.#tickedAt, this.#mostMs)
    this.#tickedAt = at
  }
}
