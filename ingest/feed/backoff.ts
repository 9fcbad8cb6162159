import { doubling } from '../../base/async/retry.ts'

/** Upper bounds of the first wait and of every wait, in milliseconds. */
export type Backoff = { readonly baseMs: number; readonly capMs: number }

/**
 * Milliseconds to wait before attempt `attempt` (from 0) is retried: exponential backoff with full jitter, so that many
 * clients don't return at once after an outage. `draw` is a random number in [0, 1).
 * Source: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export const backoffMs = (attempt: number, draw: number, { baseMs, capMs }: Backoff): number =>
  Math.floor(draw * doubling(baseMs, capMs)(attempt))
