import type { Identity } from './identity.ts'

/**
 * Port for the burst limit: calls a minute of one account, counted by a token bucket. The bucket holds `perMinute` calls,
 * starts full and refills evenly over a minute. A client that makes at most `perMinute` calls in any 60 s is never refused. A
 * client that exceeds its limit waits for one refilled call, not for a whole window. No 60 s see more than twice the limit.
 *
 * The burst limit protects the service. Its counts may be lost at a restart and may be kept per process. `now` is UTC
 * milliseconds. Every adapter passes `test/contracts/burst-contract.ts`.
 */
export interface Burst {
  take(identity: Identity, perMinute: number, now: number): BurstDecision | Promise<BurstDecision>
}

export type BurstDecision = {
  readonly allowed: boolean
  /** Calls that are allowed right now. */
  readonly remaining: number
  /** Whole seconds until the bucket is full again. */
  readonly resetAfter: number
  /** Whole seconds until the next call is allowed; 0 if a call is allowed now. */
  readonly retryAfter: number
}

export type Bucket = {
  /** Calls in the bucket at the instant `at`, with fractions. */
  calls: number
  at: number
}

/** Tolerance for binary fractions: without it, a client at exactly its rate could be refused. */
const ROUNDING = 1e-6

/** Takes one call from a bucket and updates the bucket in place. A clock that was set back refills nothing. */
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
