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

type RestOptions = {
  readonly clock: Clock
  readonly leastMs: number
  readonly mostMs: number
  /** How much has been sent so far. */
  readonly frames: () => number
  /** Ends a rest at once. */
  readonly signal: AbortSignal
}

/** A millisecond of rest for so many frames, of which several times as many are sent in a millisecond. */
const FRAMES_A_MS = 64

/**
 * The rest between two reads of what arrives: what came meanwhile goes out together. The more was sent lately, the longer
 * the rest, since a client's frames cost less the more of them go out at once: few clients are told sooner, and many don't
 * take all the time there is.
 */
export class Rest {
  readonly #clock: Clock
  readonly #leastMs: number
  readonly #mostMs: number
  readonly #frames: () => number
  readonly #signal: AbortSignal
  #before = 0
  #over = () => {}

  constructor({ clock, leastMs, mostMs, frames, signal }: RestOptions) {
    this.#clock = clock
    this.#leastMs = leastMs
    this.#mostMs = mostMs
    this.#frames = frames
    this.#signal = signal
    // Once for all: a listener a rest would cost more than all else here.
    signal.addEventListener('abort', () => this.#over())
  }

  take(): Promise<void> {
    if (this.#signal.aborted) return Promise.resolve()
    const frames = this.#frames()
    const ms = Math.max(this.#leastMs, Math.min((frames - this.#before) / FRAMES_A_MS, this.#mostMs))
    this.#before = frames
    return new Promise((resolve) => {
      this.#over = resolve
      this.#clock.after(ms, resolve)
    })
  }
}
