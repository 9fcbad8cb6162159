import { PriceBoard } from './price-board.ts'
import { byRank, choosePrice, type Observed, staleAtOf } from './source-price.ts'

/** The last price that a source gave of a symbol by some instant. */
export type LastPrice = Observed & { readonly symbol: string; readonly source: string }

/** The prices of an instant (UTC milliseconds), by the rule of current ones (`choosePrice`). */
export function pricesAt(at: number, last: readonly LastPrice[]): PriceBoard {
  const board = new PriceBoard()
  for (const [symbol, ofSymbol] of Map.groupBy(last, (price) => price.symbol)) {
    const prices = ofSymbol
      .map(({ source, price, observed_at }) => ({
        source,
        price,
        observed_at,
        staleAt: staleAtOf(symbol, source, observed_at),
        suspect: undefined,
        refused: undefined,
      }))
      .sort(byRank)
    const chosen = choosePrice(prices, at)
    if (!chosen) continue
    const { source, price, observed_at, staleAt } = chosen
    board.apply({
      symbol,
      price,
      source,
      observed_at,
      stale: staleAt <= at,
      tick_partition: 0,
      tick_offset: 0,
      state: '',
    })
  }
  return board
}
