/** Milliseconds: the longest first wait, and the longest of all. */
export type Backoff = { readonly baseMs: number; readonly capMs: number }

/**
 * How long to wait before attempt `attempt` (from 0) is repeated: exponential with full jitter, so that many clients of a
 * server that was away don't all return at once. `draw` is in [0, 1).
 * Source: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export const backoffMs = (attempt: number, draw: number, { baseMs, capMs }: Backoff): number =>
  Math.floor(draw * Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30)))
