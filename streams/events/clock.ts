/** Time and turns of the event loop, handed in so that a test can decide what happens when. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number
  /** Runs `task` once, after at least `ms`; the answer calls it off. */
  after(ms: number, task: () => void): () => void
  /** Runs `task` once others have had a turn. */
  soon(task: () => void): void
}

/** Its timers keep no process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms).unref()
    return () => clearTimeout(timer)
  },
  soon: (task) => void setImmediate(task),
}

/** Resolves after `ms`, or at once when `signal` aborts. */
export function pauseBy(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal?.aborted) return Promise.resolve()
  const callOff = clock.after(ms, resolve)
  const abort = () => resolve()
  signal?.addEventListener('abort', abort)
  return promise.finally(() => {
    callOff()
    signal?.removeEventListener('abort', abort)
  })
}
