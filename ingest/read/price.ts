import { canonicalDecimal, DecimalError, signOf } from '../../domain/decimal.ts'
import type { Item, Price, Reject } from '../source.ts'
import { rejectOf } from './items.ts'
import { latestOf } from './validity.ts'

/**
 * Returns the price if it is a decimal greater than zero; else a `Reject` (`not_a_decimal`, `decimal_too_long`,
 * `not_positive`). `text` is the original row.
 */
export function priceOrReject(price: Omit<Price, 'kind'>, text: string): Price | Reject {
  const reject = (reason: string) =>
    rejectOf(reason, `${price.symbol} is ${JSON.stringify(price.printed.slice(0, 80))}.`, price.location, text)
  try {
    const { printed, multiplier } = price
    const value = canonicalDecimal(printed, multiplier === undefined ? {} : { multiplier })
    if (signOf(value) <= 0) return reject('not_positive')
    return { kind: 'price', ...price }
  } catch (error) {
    if (error instanceof DecimalError) return reject(error.code)
    throw error
  }
}

/** Dates prices that state no edition by the newest of them: an edition is not older than what it states. */
export function datedByNewest(items: readonly Item[]): readonly Item[] {
  const days = items.flatMap((item) => (item.kind === 'price' ? [item.observedAt.slice(0, 10)] : []))
  const released = { on: latestOf(days), basis: 'dataset' } as const
  return items.map((item) => (item.kind === 'price' ? { ...item, released: item.released ?? released } : item))
}

/** Sorts rejects first, then prices by time. */
export function oldestFirst(items: readonly Item[]): readonly Item[] {
  const time = (item: Item): string => (item.kind === 'price' ? item.observedAt : '')
  return items.toSorted((a, b) => (time(a) < time(b) ? -1 : time(a) > time(b) ? 1 : 0))
}
