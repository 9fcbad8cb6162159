import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** A timer that is running. `cancelTimer` stops it. */
export interface RunningTimer extends Disposable {
  /** Lets the process end while the timer runs. */
  unref(): RunningTimer
}

/**
 * Port for time and chance. What takes both from here runs the same way again in a simulation with the same seed. Keys
 * and tickets are not drawn from here, because they must be secret.
 */
export interface Time {
  /** UTC milliseconds. The wall clock may be set back or forward. */
  now(): number
  /** Milliseconds since some start. This clock is never set. */
  monotonic(): number
  /** Resolves after `ms`. Rejects with the signal's reason as soon as `signal` aborts. */
  after(ms: number, signal?: AbortSignal): Promise<void>
  /** Runs `task` once, after at least `ms`. */
  timer(ms: number, task: () => void): RunningTimer
  /** Runs `task` every `ms` until the timer is cancelled. */
  every(ms: number, task: () => void): RunningTimer
  /** Runs `task` in a later turn of the event loop. */
  soon(task: () => void): void
  uuid(): string
  /** A number in [0, 1). */
  random(): number
}

/** The machine's clocks, Node's timers and its random numbers. */
export const systemTime: Time = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async after(ms, signal) {
    try {
      await sleep(ms, undefined, { signal })
    } catch (error) {
      // Node rejects with an error of its own, whose cause is the signal's reason.
      throw signal?.aborted ? signal.reason : error
    }
  },
  timer: (ms, task) => setTimeout(task, ms),
  every: (ms, task) => setInterval(task, ms),
  soon: (task) => void setImmediate(task),
  uuid: () => randomUUID(),
  random: () => Math.random(),
}

/** Stops a timer. Does nothing if it has fired, was cancelled before or was never started. */
export const cancelTimer = (timer: RunningTimer | undefined): void => timer?.[Symbol.dispose]()

/** Resolves in a later turn of the event loop. */
export const nextTurn = (time: Time): Promise<void> => new Promise((resolve) => time.soon(resolve))
