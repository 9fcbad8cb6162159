import { setTimeout as sleep } from 'node:timers/promises'
import { pause } from './pause.ts'

type RetryOptions<E> = {
  readonly signal: AbortSignal
  /** Whether an error may be over by itself; any other error is thrown. */
  readonly isPassing: (error: unknown) => error is E
  /** Milliseconds to wait after the failure number `failures`, counted from 0. */
  readonly pauseMs: (failures: number) => number
  readonly onRetry?: ((error: E, pauseMs: number, failures: number) => void) | undefined
}

/** Pauses that double from `firstMs` up to `longestMs`. */
export const doubling =
  (firstMs: number, longestMs: number) =>
  (failures: number): number =>
    Math.min(longestMs, firstMs * 2 ** Math.min(failures, 30))

/**
 * Runs `task` until it succeeds, and returns what it returned. Throws `signal.reason` when it aborts between two attempts,
 * and the task's own error where that doesn't pass.
 */
export async function retry<T, E>(task: () => T | Promise<T>, options: RetryOptions<E>): Promise<T> {
  const { signal, isPassing, pauseMs, onRetry } = options
  for (let failures = 0; ; failures++) {
    try {
      return await task()
    } catch (error) {
      if (!isPassing(error)) throw error
      const waitMs = pauseMs(failures)
      onRetry?.(error, waitMs, failures)
      await sleep(waitMs, undefined, { signal })
    }
  }
}

/**
 * Runs `task` again and again until `signal` aborts, with a pause after a failure that passes. Failures are counted from the
 * last success. Once `signal` has aborted it resolves, whatever the task throws; before, it throws an error that doesn't pass.
 */
export async function repeat<E>(task: () => Promise<void>, options: RetryOptions<E>): Promise<void> {
  const { signal, isPassing, pauseMs, onRetry } = options
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
      await pause(waitMs, signal)
    }
  }
}
