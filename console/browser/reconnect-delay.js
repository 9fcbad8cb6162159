/** Errors of a stream after which it is worth connecting again; the others are the client's to correct. */
const passing = ['unavailable', 'slow_consumer', 'subscribe_required', 'stream_limit', 'quota_unavailable', 'revoked']

/**
 * Returns how long to wait before connecting again, in milliseconds; undefined if it is not worth it. The time is longer after
 * each attempt, and random, so that pages do not come back all at once.
 *
 * @param {string} code of the error that ended the stream
 * @param {number} attempt attempts since the last one that succeeded
 * @param {number} random from 0 to 1
 */
export function reconnectDelay(code, attempt, random) {
  if (!passing.includes(code)) return undefined
  const least = code === 'quota_unavailable' ? 60_000 : Math.min(30_000, 1000 * 2 ** attempt)
  return least * (1 + random)
}
