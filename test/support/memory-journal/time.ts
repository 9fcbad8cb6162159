import { clearImmediate, clearTimeout, setImmediate, setTimeout } from 'node:timers'

/** Time and chance of the journal in memory. A simulation passes its own, on which everything then depends. */
export type TimeAndChance = {
  /** Monotonic time, ms. */
  readonly now: () => number
  /** Calls `run` once after `ms`, in a later turn even if that is 0. Returns a function that cancels the call. */
  readonly after: (ms: number, run: () => void) => () => void
  /** Number in [0, 1). */
  readonly random: () => number
}

/** The clock of the process. Imported by name, so that it goes on while a test fakes the global one. */
export const realTime: TimeAndChance = {
  now: () => performance.now(),
  after(ms, run) {
    if (ms <= 0) {
      const turn = setImmediate(run)
      return () => clearImmediate(turn)
    }
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
  random: Math.random,
}

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
