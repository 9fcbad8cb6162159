import { firstOf, type SeriesView, type Verdict } from './view.ts'

/**
 * Fewest impossible figures, and their least share of those that a document states of an indicator. None of the 97,133 figures
 * of the recorded files is impossible.
 */
const FEWEST = 3
const LEAST_SHARE = 0.05
/**
 * Range of a price: a hundred times beyond the strongest currency in the weakest (a Kuwaiti dinar is some 85,000 dong), and
 * the reverse. Recorded commodities cost 0.03 to 52,000 dollars.
 */
const PRICES = { from: 1e-7, to: 1e7 }
/** Writes all digits, because 1e-7 is not read at a glance. */
const { format } = new Intl.NumberFormat('en', { maximumSignificantDigits: 15 })

/**
 * Impossible range: a document of which a good part is impossible states something else, so all of it is held. Single
 * impossible figures are rejected, not held. A price out of range is held alone, unless the record has such prices.
 *
 * Example: industrial production in the place of participation. 131 of its 1,291 figures are above 100.
 */
export function impossibleRange({ kind, stated, record, document }: SeriesView): Verdict | undefined {
  if (kind !== 'price') {
    const { count, impossible } = document
    if (impossible < FEWEST || impossible < LEAST_SHARE * count) return undefined
    const detail = `${impossible} of the ${count} figures that the document states cannot be.`
    return { reason: 'held_range', detail, periods: 'all' }
  }
  const isOutside = ({ value }: { readonly value: number }) => value < PRICES.from || value > PRICES.to
  const outside = stated.filter(isOutside)
  if (outside.length === 0 || record.some(isOutside)) return undefined
  return {
    reason: 'held_range',
    detail: `${firstOf(
      outside.map(({ at, value }) => `${at} is ${format(value)}`),
      '; ',
    )}. Prices lie between ${format(PRICES.from)} and ${format(PRICES.to)}.`,
    periods: outside.map(({ at }) => at),
  }
}
