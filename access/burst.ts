import type { Identity } from './identity.ts'

/**
 * The burst limit port: calls a minute of one account. A token bucket: it holds `perMinute` calls, is full at first, and
 * refills evenly over a minute. So a client that keeps to `perMinute` calls in any 60 s is never refused, one that went
 * over waits for one refilled call instead of a whole window, and no 60 s see more than twice the limit.
 *
 * It protects the service and is no promise about counts: it may be forgotten at a restart, and be kept per process.
 * `now` is UTC milliseconds. Every adapter passes `test/contracts/burst-contract.ts`.
 */
export interface Burst {
  take(who: Identity, perMinute: number, now: number): BurstDecision | Promise<BurstDecision>
}

export type BurstDecision = {
  readonly allowed: boolean
  /** Calls left at once. */
  readonly remaining: number
  /** Whole seconds until the bucket is full again. */
  readonly resetAfter: number
  /** Whole seconds until the next call is allowed; 0 if it is now. */
  readonly retryAfter: number
}

export type Bucket = {
  /** Calls in the bucket as of `at`, with fractions. */
  calls: number
  at: number
}

/** Binary fractions of a call: a client at exactly its rate must not fail for them. */
const ROUNDING = 1e-6

/** Takes one call from a bucket, in place. A clock that was set back refills nothing. */
export function takeFromBucket(bucket: Bucket, perMinute: number, now: number): BurstDecision {
  const refilled = (Math.max(0, now - bucket.at) * perMinute) / 60_000
  const calls = Math.min(perMinute, bucket.calls + refilled)
  const allowed = calls + ROUNDING >= 1
  bucket.calls = allowed ? Math.max(0, calls - 1) : calls
  bucket.at = now
  const left = bucket.calls
  return {
    allowed,
    remaining: Math.floor(left + ROUNDING),
    resetAfter: seconds(perMinute - left, perMinute),
    retryAfter: left + ROUNDING >= 1 ? 0 : seconds(1 - left, perMinute),
  }
}

const seconds = (calls: number, perMinute: number): number => Math.ceil((calls * 60) / perMinute - ROUNDING)
