import { isServedSymbol, priceSources } from '../contracts/instruments.ts'
import type { Quote, Tick } from '../contracts/records.ts'

/** Everything the quote decider knows of one symbol: the newest price of each source. Kept, as JSON, in the quote itself. */
export type QuoteState = {
  readonly prices: Readonly<Record<string, { readonly price: string; readonly observed_at: string }>>
  readonly current: { readonly source: string; readonly stale: boolean } | null
}
export const emptyQuoteState: QuoteState = { prices: {}, current: null }

export type QuoteDecision = {
  readonly state: QuoteState
  readonly price: string
  readonly source: string
  readonly observed_at: string
  readonly stale: boolean
  /** When the quote grows stale if nothing newer arrives, UTC milliseconds; undefined if it is stale already. */
  readonly staleAt: number | undefined
}

const rank = (source: string): number => {
  const index = priceSources.findIndex((entry) => entry.source === source)
  return index < 0 ? priceSources.length : index
}
const staleAfter = (source: string): number =>
  priceSources.find((entry) => entry.source === source)?.staleAfterMs ?? 86_400_000

/**
 * Takes one price or fired timer in and says what the symbol's quote is now, or undefined if it is as it was. Decided from
 * the record alone: `tick.recorded_at` is the time against which staleness is judged, so that a replay decides the same.
 * The best source with a current price is chosen; if none is current, the newest price of all, marked stale.
 */
export function decideQuote(state: QuoteState, tick: Tick): QuoteDecision | undefined {
  if (!isServedSymbol(tick.symbol)) return undefined
  const prices = tick.kind === 'price' ? withPrice(state.prices, tick) : state.prices
  const now = Date.parse(tick.recorded_at)
  const offers = Object.entries(prices)
    .map(([source, { price, observed_at }]) => ({
      source,
      price,
      observed_at,
      staleAt: staleAtOf({ source, observed_at }),
    }))
    .sort((a, b) => rank(a.source) - rank(b.source) || (a.source < b.source ? -1 : 1))
  const fresh = offers.find((offer) => offer.staleAt > now)
  const chosen = fresh ?? offers.sort((a, b) => (a.observed_at < b.observed_at ? 1 : -1))[0]
  if (!chosen) return undefined
  const stale = !fresh
  const before = state.current && state.prices[state.current.source]
  const same =
    before?.price === chosen.price &&
    before.observed_at === chosen.observed_at &&
    state.current?.source === chosen.source &&
    state.current.stale === stale
  if (same && prices === state.prices) return undefined
  const { source, price, observed_at, staleAt } = chosen
  return {
    state: { prices, current: { source, stale } },
    price,
    source,
    observed_at,
    stale,
    staleAt: stale ? undefined : staleAt,
  }
}

/** The same object where the tick is older than, or says the same as, what its source gave before. */
function withPrice(prices: QuoteState['prices'], { source, price, observed_at }: Tick): QuoteState['prices'] {
  const known = prices[source]
  if (known && (known.observed_at > observed_at || (known.observed_at === observed_at && known.price === price)))
    return prices
  return { ...prices, [source]: { price, observed_at } }
}

/** When a quote that is current now grows stale, UTC milliseconds. */
export const staleAtOf = ({ source, observed_at }: Pick<Quote, 'source' | 'observed_at'>): number =>
  Date.parse(observed_at) + staleAfter(source)

/** The quote record of a decision. */
export const toQuote = (
  symbol: string,
  { state, price, source, observed_at, stale }: QuoteDecision,
  at: { partition: number; offset: number },
): Quote => ({
  symbol,
  price,
  source,
  observed_at,
  stale,
  tick_partition: at.partition,
  tick_offset: at.offset,
  state: JSON.stringify(state),
})
