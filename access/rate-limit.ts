import type { Limits } from '../contracts/plans.ts'
import type { BurstDecision } from './burst.ts'
import type { QuotaState } from './quota.ts'

/**
 * The values of the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers, structured fields):
 * `q` quota, `w` window and `t` time to reset in seconds, `r` remaining. A month is no fixed number of seconds, so its
 * policy has no window. What has not been decided on for this call is left out.
 */
export const rateLimitPolicy = ({ callsPerMinute, callsPerMonth }: Limits): string =>
  `"burst";q=${callsPerMinute};w=60, "month";q=${callsPerMonth}`

export function rateLimit(burst: BurstDecision | undefined, month: QuotaState | undefined, now: number): string {
  const minute = burst ? `"burst";r=${burst.remaining};t=${burst.resetAfter}` : ''
  if (!month) return minute
  return `${minute}${minute && ', '}"month";r=${month.remaining};t=${secondsUntil(month.resetAt, now)}`
}

/** Whole seconds, at least 1: what `Retry-After` takes. */
export const secondsUntil = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1000))
