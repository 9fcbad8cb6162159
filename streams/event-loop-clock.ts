import type { Time } from '../base/time.ts'

/** A longer step between two ticks counts as this many ticks. */
const MAX_STEP_TICKS = 2

/**
 * A monotonic clock, in ms, that stands still while the event loop is blocked. After a blocking callback, Node runs timers
 * before it reads sockets. Deadlines by an ordinary clock would then cut off clients whose bytes have already arrived.
 */
export class EventLoopClock {
  readonly #time: Pick<Time, 'monotonic'>
  readonly #maxStepMs: number
  /** Time of this clock, and of the monotonic clock, at the last tick. */
  #ticked = 0
  #tickedAt: number

  constructor(tickMs: number, time: Pick<Time, 'monotonic'>) {
    this.#time = time
    this.#maxStepMs = MAX_STEP_TICKS * tickMs
    this.#tickedAt = time.monotonic()
  }

  readonly now = (): number => this.#ticked + Math.min(this.#time.monotonic() - this.#tickedAt, this.#maxStepMs)

  /** Advances the clock. A timer must call it every `tickMs`. */
  tick(): void {
    const at = this.#time.monotonic()
    this.#ticked += Math.min(at - this.#tickedAt, this.#maxStepMs)
    this.#tickedAt = at
  }
}
