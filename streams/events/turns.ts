import type { Clock } from './clock.ts'

/** Somebody who has work to do, a bounded piece at a turn. Answers how much was done, in frames. */
export type Worker = { turn(): number }

/** Turns go round: who has more to do queues again at the end. The event loop gets its turn after so many frames. */
export class Turns {
  readonly #clock: Clock
  readonly #framesAtOnce: number
  readonly #failed: (error: unknown) => void
  #queue: Worker[] = []
  #isDue = false

  constructor(clock: Clock, framesAtOnce: number, failed: (error: unknown) => void) {
    this.#clock = clock
    this.#framesAtOnce = framesAtOnce
    this.#failed = failed
  }

  add(worker: Worker): void {
    this.#queue.push(worker)
    if (this.#isDue) return
    this.#isDue = true
    this.#clock.soon(this.#run)
  }

  readonly #run = (): void => {
    let frames = 0
    let taken = 0
    try {
      while (taken < this.#queue.length && frames < this.#framesAtOnce) {
        frames += 1 + (this.#queue[taken++] as Worker).turn()
      }
    } catch (error) {
      this.#failed(error)
    }
    this.#queue = this.#queue.slice(taken)
    this.#isDue = this.#queue.length > 0
    if (this.#isDue) this.#clock.soon(this.#run)
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
