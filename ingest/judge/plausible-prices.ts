import { isServedSymbol } from '../../contracts/instruments.ts'
import { BELIEVED_AHEAD_MS } from '../../domain/decide-quote.ts'
import { judge } from '../../domain/plausibility/checks.ts'
import { inOrder, layersOf, replaced, seriesView, type Value, type Verdict } from '../../domain/plausibility/view.ts'
import type { Item, Price } from '../source.ts'

/** Prices of one symbol that are held for review for one reason. */
export type HeldPrices = Pick<Verdict, 'reason' | 'detail'> & { readonly prices: readonly Price[] }

export type JudgedPrice = Value & { readonly price: Price }

/** Prices of one symbol that are judged (`stated`), and those on record that they are compared with. */
export type PricesToCompare = { readonly stated: readonly JudgedPrice[]; readonly record: readonly Value[] }

/**
 * Judges the prices of a document, or of a part of it, symbol by symbol. `pricesToCompare` gets them in order of time.
 * Prices that will be rejected, and those of symbols that are not served, say nothing about others. `at` is UTC milliseconds.
 */
export function heldPricesOf(
  items: readonly Item[],
  at: number,
  pricesToCompare: (symbol: string, prices: readonly JudgedPrice[]) => PricesToCompare,
): HeldPrices[] {
  const stated = items.filter((item) => item.kind === 'price')
  return [...Map.groupBy(stated, ({ symbol }) => symbol)].flatMap(([symbol, prices]) => {
    if (!isServedSymbol(symbol)) return []
    const { stated, record } = pricesToCompare(symbol, inOrder(possible(prices, at)))
    let beside = record
    return layersOf(stated, ({ at }) => at).flatMap((layer) => {
      const held = heldOf(layer, beside)
      const isHeld = new Set(held.flatMap(({ prices }) => prices))
      if (layer.length < stated.length) {
        const others = layer.filter(({ price }) => !isHeld.has(price))
        beside = replaced(beside, new Set(others.map(({ at }) => at)), others)
      }
      return held
    })
  })
}

/** Judges prices of one symbol, one for each time, beside those on record. */
const heldOf = (stated: readonly JudgedPrice[], record: readonly Value[]): HeldPrices[] =>
  judge(seriesView('price', stated, record)).map(({ reason, detail, periods }) => {
    const held = new Set(periods === 'all' ? [] : periods)
    const prices = stated.flatMap(({ at, price }) => (periods === 'all' || held.has(at) ? [price] : []))
    return { reason, detail, prices }
  })

function possible(prices: readonly Price[], at: number): JudgedPrice[] {
  const latest = new Date(at + BELIEVED_AHEAD_MS).toISOString()
  const possible: JudgedPrice[] = []
  for (const price of prices) {
    const value = Number(price.printed) * (price.multiplier === undefined ? 1 : Number(price.multiplier))
    if (value > 0 && price.observedAt <= latest) possible.push({ at: price.observedAt, value, price })
  }
  return possible
}
