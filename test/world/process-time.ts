import type { RunningTimer, Time } from '../../base/time.ts'
import { afterTimer, type SimulatedTime } from '../support/simulated-time.ts'

/** Time of one simulated process, which can be stopped and killed, and whose wall clock can be set. */
export class ProcessTime implements Time {
  readonly #time: SimulatedTime
  readonly #running = new Set<RunningTimer>()
  /** Tasks that became due while the process was stopped; undefined while it runs. */
  #held: Set<() => void> | undefined
  #isDead = false
  #wallOffset = 0

  constructor(time: SimulatedTime) {
    this.#time = time
  }

  readonly now = (): number => Math.floor(this.#time.now() + this.#wallOffset)
  readonly monotonic = (): number => this.#time.monotonic()
  readonly uuid = (): string => this.#time.uuid()
  readonly random = (): number => this.#time.random()
  readonly soon = (task: () => void): void => this.#time.soon(this.#whenRunning(task))
  readonly timer = (ms: number, task: () => void): RunningTimer =>
    this.#start(task, (run) => this.#time.timer(ms, run), 'once')
  readonly every = (ms: number, task: () => void): RunningTimer =>
    this.#start(task, (run) => this.#time.every(ms, run), 'repeatedly')

  readonly after: Time['after'] = (ms, signal) => afterTimer(this.timer, ms, signal)

  get isStopped(): boolean {
    return this.#held !== undefined
  }

  /** Sets the wall clock to `ms` before or after the true time. */
  setWallClock(ms: number): void {
    this.#wallOffset = ms
  }

  /** Stops the process as SIGSTOP does: what becomes due waits for `resume`. */
  stop(): void {
    this.#held ??= new Set()
  }

  resume(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const run of held) this.#time.soon(run)
  }

  /** Ends the process as SIGKILL does: no task of it runs any more. */
  kill(): void {
    this.#isDead = true
    this.#held = undefined
    for (const timer of this.#running) timer[Symbol.dispose]()
    this.#running.clear()
  }

  #whenRunning(task: () => void): () => void {
    const run = () => {
      if (this.#isDead) return
      if (this.#held) this.#held.add(run)
      else task()
    }
    return run
  }

  #start(task: () => void, start: (run: () => void) => RunningTimer, how: 'once' | 'repeatedly'): RunningTimer {
    let isCancelled = false
    const run = this.#whenRunning(() => {
      if (isCancelled) return
      if (how === 'once') this.#running.delete(inner)
      task()
    })
    const inner = start(run)
    this.#running.add(inner)
    const timer: RunningTimer = {
      unref: () => timer,
      [Symbol.dispose]: () => {
        isCancelled = true
        this.#running.delete(inner)
        inner[Symbol.dispose]()
      },
    }
    return timer
  }
}
