/**
 * Time limit for a part that may be down, ms. It is shorter than the time limits of the callers of `/health` and `/metrics`.
 */
const PART_TIMEOUT_MS = 2_000

/** Calls `ask` and rejects if there is no answer in time. */
export async function inTime<T>(ask: () => T | Promise<T>, timeoutMs = PART_TIMEOUT_MS): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([(async () => ask())(), timeout])
  } finally {
    clearTimeout(timer)
  }
}
