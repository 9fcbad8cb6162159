import type { Limits } from '../contracts/plans.ts'
import type { BurstDecision } from './burst.ts'
import type { QuotaState } from './quota.ts'

/**
 * Values of the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, structured fields):
 * `q` quota, `w` window and `t` time to reset in seconds, `r` remaining. The monthly policy has no window, because a
 * month is no fixed number of seconds. A limit without a decision on this call is left out.
 */
export const rateLimitPolicy = ({ callsPerMinute, callsPerMonth }: Limits): string =>
  `"burst";q=${callsPerMinute};w=60, "month";q=${callsPerMonth}`

export function rateLimit(burst: BurstDecision | undefined, month: QuotaState | undefined, now: number): string {
  const minute = burst ? `"burst";r=${burst.remaining};t=${burst.resetAfter}` : ''
  if (!month) return minute
  return `${minute}${minute && ', '}"month";r=${month.remaining};t=${secondsUntil(month.resetAt, now)}`
}

/** Whole seconds until `at`, at least 1, as `Retry-After` takes them. */
export const secondsUntil = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1000))
