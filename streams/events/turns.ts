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
  #liveFrames = 0

  constructor(clock: Clock, framesAtOnce: number, failed: (error: unknown) => void) {
    this.#clock = clock
    this.#framesAtOnce = framesAtOnce
    this.#failed = failed
  }

  /** What those who are live have done so far, in frames; a turn alone counts as one. */
  get liveFrames(): number {
    return this.#liveFrames
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
      this.#liveFrames += this.#framesAtOnce - left
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

export type BellOptions = {
  readonly clock: Clock
  /** Milliseconds between two wakes when the first was little work, and at most. */
  readonly everyMs: number
  readonly atMostMs: number
  /** How much has been done so far, in frames. */
  readonly frames: () => number
  readonly wake: () => void
}

/** A millisecond of pause for so many frames, of which about five times as many are sent in a millisecond. */
const FRAMES_A_MS = 64

/**
 * Calls `wake` soon after something has arrived, but not for a while after the last time: what came meanwhile goes out
 * together. The more that sent, the longer the while, since a client's frames cost less the more of them go out at once:
 * few clients are told sooner, and many don't take all the time there is.
 */
export class Bell {
  readonly #options: BellOptions
  #rungAt = Number.NEGATIVE_INFINITY
  #framesBefore = 0
  #isDue = false

  constructor(options: BellOptions) {
    this.#options = options
  }

  ring(): void {
    if (this.#isDue) return
    this.#isDue = true
    const { clock } = this.#options
    const wait = this.#rungAt + this.#restMs() - clock.now()
    if (wait > 0) clock.after(wait, this.#strike)
    else clock.soon(this.#strike)
  }

  #restMs(): number {
    const { everyMs, atMostMs, frames } = this.#options
    return Math.min(atMostMs, Math.max(everyMs, (frames() - this.#framesBefore) / FRAMES_A_MS))
  }

  readonly #strike = (): void => {
    const { clock, frames, wake } = this.#options
    this.#isDue = false
    this.#rungAt = clock.now()
    this.#framesBefore = frames()
    wake()
  }
}
