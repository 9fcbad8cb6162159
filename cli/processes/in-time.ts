/** The longest that a part which may be away is waited for, ms: less than whoever asks about it waits. */
const PATIENCE_MS = 2_000

/** What is asked, or a rejection where it takes too long. */
export async function inTime<T>(ask: () => T | Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs)
  try {
    return await Promise.race([(async () => ask())(), late])
  } finally {
    clearTimeout(timer)
  }
}
