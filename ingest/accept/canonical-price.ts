import { BELIEVED_AHEAD_MS } from '../../domain/decide-quote.ts'
import { canonicalDecimal, DecimalError, signOf } from '../../domain/decimal.ts'
import type { Price, Reject } from '../source.ts'

/**
 * Returns the canonical price, or the reason to reject it. `at` is the current time in UTC milliseconds. A price that
 * was observed more than `futureMs` after it is rejected.
 */
export function canonicalPrice(
  { printed, multiplier, observedAt }: Omit<Price, 'kind' | 'symbol' | 'location'>,
  at: number,
  futureMs = BELIEVED_AHEAD_MS,
): { canonical: string } | Pick<Reject, 'reason' | 'detail'> {
  const observed = Date.parse(observedAt)
  if (Number.isNaN(observed)) return { reason: 'bad_date', detail: `not an instant: ${JSON.stringify(observedAt)}` }
  if (observed > at + futureMs)
    return { reason: 'price_in_future', detail: `observed at ${observedAt}, which is in the future` }
  try {
    const canonical = canonicalDecimal(printed, multiplier === undefined ? {} : { multiplier })
    return signOf(canonical) > 0
      ? { canonical }
      : { reason: 'not_positive', detail: `the price ${canonical} is not greater than zero` }
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error
    return { reason: error.code, detail: error.message }
  }
}
