import { cancelTimer, systemTime, type Time } from '../../../base/time.ts'

/** Time and chance of the journal in memory. A simulation passes its own, on which everything then depends. */
export type TimeAndChance = {
  /** Monotonic time, ms. */
  readonly now: () => number
  /** Calls `run` once after `ms`, in a later turn even if that is 0. Returns a function that cancels the call. */
  readonly after: (ms: number, run: () => void) => () => void
  /** Number in [0, 1). */
  readonly random: () => number
}

/** Time and chance of the port. A delay of 0 is a turn of the event loop, which is shorter than the shortest timer. */
export const timeAndChance = (time: Time): TimeAndChance => ({
  now: () => time.monotonic(),
  after(ms, run) {
    if (ms > 0) {
      const timer = time.timer(ms, run).unref()
      return () => cancelTimer(timer)
    }
    let isCancelled = false
    time.soon(() => {
      if (!isCancelled) run()
    })
    return () => {
      isCancelled = true
    }
  },
  random: () => time.random(),
})

export const realTime: TimeAndChance = timeAndChance(systemTime)

/** Resolves after `ms`, or as soon as `signal` aborts. Never rejects, as `pause` in `base/async/pause.ts`. */
export function pauseFor({ after }: TimeAndChance, ms: number, signal: AbortSignal): Promise<void> {
  return untilCalled((resume) => after(ms, resume), signal)
}

/** Resolves once the function that `start` is given is called, or as soon as `signal` aborts. `start` returns what cancels. */
export async function untilCalled(start: (resume: () => void) => () => void, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const resume = () => resolve()
  const cancel = start(resume)
  signal.addEventListener('abort', resume)
  await promise
  signal.removeEventListener('abort', resume)
  cancel()
}
