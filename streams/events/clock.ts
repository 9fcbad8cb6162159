/** Time and turns of the event loop, passed in so that a test can control them. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number
  /** Runs `task` once, after at least `ms`. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
  /** Runs `task` in a later turn of the event loop. */
  soon(task: () => void): void
}

/** The real clock. Its timers do not keep the process alive. */
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
  const cancel = clock.after(ms, resolve)
  const abort = () => resolve()
  signal?.addEventListener('abort', abort)
  return promise.finally(() => {
    cancel()
    signal?.removeEventListener('abort', abort)
  })
}
