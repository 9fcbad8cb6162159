import type { Clock } from './clock.ts'

/** Somebody who has work to do, a bounded piece at a turn. Answers how much was done, in frames. */
export type Worker = {
  turn(): number
  /** Whether it has little to do and is waited for: its turn comes before those of who has much. */
  readonly isLive: boolean
}

/**
 * Turns go round: who has more to do queues again at the end. The event loop gets its turn after so many frames, and who
 * is live then goes before who replays, of whom at least one has a turn each time.
 */
export class Turns {
  readonly #clock: Clock
  readonly #framesAtOnce: number
  readonly #failed: (error: unknown) => void
  #live: Worker[] = []
  #replaying: Worker[] = []
  #isDue = false

  constructor(clock: Clock, framesAtOnce: number, failed: (error: unknown) => void) {
    this.#clock = clock
    this.#framesAtOnce = framesAtOnce
    this.#failed = failed
  }

  add(worker: Worker): void {
    const queue = worker.isLive ? this.#live : this.#replaying
    queue.push(worker)
    if (this.#isDue) return
    this.#isDue = true
    this.#clock.soon(this.#run)
  }

  readonly #run = (): void => {
    try {
      const left = this.#take(this.#live, this.#framesAtOnce)
      this.#take(this.#replaying, Math.max(left, 1))
    } catch (error) {
      this.#failed(error)
    }
    this.#isDue = this.#live.length + this.#replaying.length > 0
    if (this.#isDue) this.#clock.soon(this.#run)
  }

  /** Gives turns until so many frames are used up; answers how many are left. */
  #take(queue: Worker[], frames: number): number {
    let left = frames
    let taken = 0
    try {
      while (taken < queue.length && left > 0) left -= 1 + (queue[taken++] as Worker).turn()
    } finally {
      queue.splice(0, taken)
    }
    return left
  }
}

/** Calls `wake` soon after something has arrived, and at most once in `everyMs`: what came meanwhile goes out together. */
export class Bell {
  readonly #clock: Clock
  readonly #everyMs: number
  readonly #wake: () => void
  #rungAt = Number.NEGATIVE_INFINITY
  #isDue = false

  constructor(clock: Clock, everyMs: number, wake: () => void) {
    this.#clock = clock
    this.#everyMs = everyMs
    this.#wake = wake
  }

  ring(): void {
    if (this.#isDue) return
    this.#isDue = true
    const wait = this.#rungAt + this.#everyMs - this.#clock.now()
    if (wait > 0) this.#clock.after(wait, this.#strike)
    else this.#clock.soon(this.#strike)
  }

  readonly #strike = (): void => {
    this.#isDue = false
    this.#rungAt = this.#clock.now()
    this.#wake()
  }
}
