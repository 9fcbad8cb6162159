import { cancelTimer, type RunningTimer, type Time } from '../../base/time.ts'

/** How long a caller waits for another process's write, or for the disk, before it gets `unavailable`. */
export const STORE_TIMEOUT_MS = 2_000
const SLICES = 4

/**
 * Calls `onTimeout` after `STORE_TIMEOUT_MS`; the returned function cancels it. The time passes in slices, and each
 * slice begins only after this process has seen the end of the one before. So a standstill of this process counts as
 * one slice at most: while the process stands still, it cannot see that the store has answered.
 */
export function startStoreTimeout(time: Time, onTimeout: () => void): () => void {
  let left = SLICES
  let timer: RunningTimer | undefined
  const nextSlice = () => {
    if (left-- > 0) timer = time.timer(STORE_TIMEOUT_MS / SLICES, nextSlice)
    else onTimeout()
  }
  nextSlice()
  return () => cancelTimer(timer)
}
