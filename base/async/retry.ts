import type { Time } from '../time.ts'
import { pause } from './pause.ts'

type RetryOptions<E> = {
  readonly signal: AbortSignal
  /** Whether a retry may succeed. An error for which it returns false is thrown. */
  readonly isPassing: (error: unknown) => error is E
  /** Pause before the next attempt, in milliseconds. `failures` counts the failures before this one. */
  readonly pauseMs: (failures: number) => number
  readonly onRetry?: ((error: E, pauseMs: number, failures: number) => void) | undefined
  readonly time: Time
}

/** Exponential back-off: pauses that double from `firstMs` up to `longestMs`. */
export const doubling =
  (firstMs: number, longestMs: number) =>
  (failures: number): number =>
    Math.min(longestMs, firstMs * 2 ** Math.min(failures, 30))

/**
 * Runs `task` until it succeeds, and returns its result. If a retry cannot help, it throws the task's error. If the
 * signal aborts before a retry, it throws the signal's reason.
 */
export async function retry<T, E>(task: () => T | Promise<T>, options: RetryOptions<E>): Promise<T> {
  const { signal, isPassing, pauseMs, onRetry, time } = options
  for (let failures = 0; ; failures++) {
    try {
      return await task()
    } catch (error) {
      if (!isPassing(error)) throw error
      const waitMs = pauseMs(failures)
      onRetry?.(error, waitMs, failures)
      await time.after(waitMs, signal)
    }
  }
}

/**
 * Runs `task` again and again until `signal` aborts, and backs off after a failure that a retry may mend. Failures are
 * counted from the last success. After `signal` has aborted it resolves, whatever the task throws. Before that, it
 * throws an error that a retry cannot mend.
 */
export async function repeat<E>(task: () => Promise<void>, options: RetryOptions<E>): Promise<void> {
  const { signal, isPassing, pauseMs, onRetry, time } = options
  let failures = 0
  while (!signal.aborted) {
    try {
      await task()
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (!isPassing(error)) throw error
      const waitMs = pauseMs(failures)
      onRetry?.(error, waitMs, failures++)
      await pause(waitMs, signal, time)
    }
  }
}
