import type { Time } from '../../base/time.ts'

/** A participant of the scheduler. */
export type Worker = {
  /** Does a bounded piece of work. Returns its size, in frames. */
  turn(): number
  /** Whether the worker has caught up. Live workers run before replaying ones, because their work is short and urgent. */
  readonly isLive: boolean
}

/**
 * Round-robin scheduler. A worker with work left queues again at the back. Each round sends at most `framesAtOnce` frames,
 * then the event loop gets its turn. Live workers run before replaying ones, but each round runs at least one replaying worker.
 */
export class Turns {
  readonly #time: Time
  readonly #framesAtOnce: number
  readonly #failed: (error: unknown) => void
  #live: Worker[] = []
  #replaying: Worker[] = []
  #isDue = false
  #liveFrames = 0

  constructor(time: Time, framesAtOnce: number, failed: (error: unknown) => void) {
    this.#time = time
    this.#framesAtOnce = framesAtOnce
    this.#failed = failed
  }

  /** Work done by live workers so far, in frames. Each turn counts as one frame more. */
  get liveFrames(): number {
    return this.#liveFrames
  }

  add(worker: Worker): void {
    const queue = worker.isLive ? this.#live : this.#replaying
    queue.push(worker)
    if (this.#isDue) return
    this.#isDue = true
    this.#time.soon(this.#run)
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
    if (this.#isDue) this.#time.soon(this.#run)
  }

  /** Runs workers until `frames` are used up. Returns how many are left. */
  #take(queue: Worker[], frames: number): number {
    let left = frames
    let taken = 0
    try {
      // `taken` is below the length.
      while (taken < queue.length && left > 0) left -= 1 + (queue[taken++] as Worker).turn()
    } finally {
      queue.splice(0, taken)
    }
    return left
  }
}

type RestOptions = {
  readonly time: Time
  readonly leastMs: number
  readonly mostMs: number
  /** Number of frames sent so far. */
  readonly frames: () => number
  /** Ends a rest at once. */
  readonly signal: AbortSignal
}

/** A rest grows by 1 ms for this many frames. Sending them takes only a fraction of a millisecond. */
const FRAMES_A_MS = 64

/**
 * The pause between two reads of new events. Events that arrive meanwhile go out together. The more frames were sent since
 * the last pause, the longer the next one, because frames of one client cost less when several go out at once. With few
 * clients delays stay short; with many, sending does not take all the CPU time.
 */
export class Rest {
  readonly #time: Time
  readonly #leastMs: number
  readonly #mostMs: number
  readonly #frames: () => number
  readonly #signal: AbortSignal
  #before = 0
  #over = () => {}

  constructor({ time, leastMs, mostMs, frames, signal }: RestOptions) {
    this.#time = time
    this.#leastMs = leastMs
    this.#mostMs = mostMs
    this.#frames = frames
    this.#signal = signal
    // One listener for all pauses, because adding one for each would cost more than the rest of this class.
    signal.addEventListener('abort', () => this.#over(), { once: true })
  }

  take(): Promise<void> {
    if (this.#signal.aborted) return Promise.resolve()
    const frames = this.#frames()
    const ms = Math.max(this.#leastMs, Math.min((frames - this.#before) / FRAMES_A_MS, this.#mostMs))
    this.#before = frames
    return new Promise((resolve) => {
      this.#over = resolve
      this.#time.timer(ms, resolve).unref()
    })
  }
}
