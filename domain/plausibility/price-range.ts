import { firstOf, type SeriesView, type Verdict } from './view.ts'

/**
 * A hundred times beyond the strongest currency in the weakest (a Kuwaiti dinar is some 85,000 dong), and the reverse.
 * Recorded commodities cost 0.03 to 52,000 dollars.
 */
const LEAST = 1e-7
const MOST = 1e7
/** Writes all digits, because 1e-7 is not read at a glance. */
const { format } = new Intl.NumberFormat('en', { maximumSignificantDigits: 15 })

/**
 * Range of prices: one that is out of it is held alone, unless the record has such prices.
 *
 * Example: a rate of 1e30.
 */
export function priceRange({ kind, news, record }: SeriesView): Verdict | undefined {
  if (kind !== 'price') return undefined
  const isOutside = ({ value }: { readonly value: number }) => value < LEAST || value > MOST
  const outside = news.filter(isOutside)
  if (outside.length === 0 || record.some(isOutside)) return undefined
  const texts = outside.map(({ at, value }) => `${at} is ${format(value)}`)
  return {
    reason: 'held_range',
    detail: `${firstOf(texts, '; ')}. Prices lie between ${format(LEAST)} and ${format(MOST)}.`,
    periods: outside.map(({ at }) => at),
  }
}
