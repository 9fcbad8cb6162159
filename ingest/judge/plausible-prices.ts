import { isServedSymbol } from '../../contracts/instruments.ts'
import { BELIEVED_AHEAD_MS } from '../../domain/decide-quote.ts'
import { judge } from '../../domain/plausibility/checks.ts'
import { seriesView, type Value, type Verdict } from '../../domain/plausibility/view.ts'
import type { Item, Price } from '../source.ts'

/** Prices of one symbol that are held for review for one reason. */
export type HeldPrices = Pick<Verdict, 'reason' | 'detail'> & { readonly prices: readonly Price[] }

/** A price of a document as it is judged. */
export type JudgedPrice = Value & { readonly price: Price }

/** Prices of one symbol that are judged (`stated`), and those on record that they are compared with. */
export type PricesToCompare = { readonly stated: readonly JudgedPrice[]; readonly record: readonly Value[] }

/**
 * Judges the prices of a document, or of a part of it, symbol by symbol. `pricesToCompare` gets them in order of time.
 * Prices that will be rejected, and those of symbols that are not served, say nothing about others. `at` is UTC milliseconds.
 */
export function heldPricesOf(
  items: Iterable<Item>,
  at: number,
  pricesToCompare: (symbol: string, prices: readonly JudgedPrice[]) => PricesToCompare,
): HeldPrices[] {
  const bySymbol = new Map<string, Price[]>()
  for (const item of items) {
    if (item.kind !== 'price') continue
    const prices = bySymbol.get(item.symbol)
    if (prices) prices.push(item)
    else bySymbol.set(item.symbol, [item])
  }
  return [...bySymbol].flatMap(([symbol, prices]) => {
    if (!isServedSymbol(symbol)) return []
    const { stated, record } = pricesToCompare(symbol, inOrder(possible(prices, at)))
    return judge(seriesView('price', stated, record)).map(({ reason, detail, periods }) => {
      const held = new Set(periods === 'all' ? [] : periods)
      const prices = stated.flatMap(({ at, price }) => (periods === 'all' || held.has(at) ? [price] : []))
      return { reason, detail, prices }
    })
  })
}

function possible(prices: readonly Price[], at: number): JudgedPrice[] {
  const latest = new Date(at + BELIEVED_AHEAD_MS).toISOString()
  const possible: JudgedPrice[] = []
  for (const price of prices) {
    const value = Number(price.printed) * (price.multiplier === undefined ? 1 : Number(price.multiplier))
    if (value > 0 && price.observedAt <= latest) possible.push({ at: price.observedAt, value, price })
  }
  return possible
}

/** Sorts by time unless that is the order already, as it is in every document that is read. */
const inOrder = (prices: readonly JudgedPrice[]): readonly JudgedPrice[] =>
  prices.every(({ at }, i) => i === 0 || (prices[i - 1]?.at ?? '') <= at)
    ? prices
    : prices.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
