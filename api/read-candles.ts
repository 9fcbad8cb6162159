import type { Candle, CandleInterval } from '../contracts/candles.ts'
import { priceSources, SIMULATOR } from '../contracts/instruments.ts'
import { intervalStart } from '../domain/candle-interval.ts'
import { type CrossRoute, crossCandle } from '../domain/cross-price.ts'
import type { ApiDeps } from './deps.ts'
import { servedPair } from './price-pair.ts'
import { instantText } from './price-range.ts'

/** The candles of pairs: of those that a source quotes their own, of the others those that are computed from their routes. */

type Deps = Pick<ApiDeps, 'candles' | 'prices'>

/** What is known of a pair. Times are UTC milliseconds; a pair without prices has none. */
type KnownPair = {
  readonly symbol: string
  readonly routes: readonly CrossRoute[]
  /** Whether no source quotes the pair. */
  readonly derived: boolean
  /** Times of the oldest price that a route may have, and of the newest of all legs. */
  readonly oldest?: number
  readonly newest?: number
  readonly sources: readonly string[]
}

/** An interval with a price, as it is read; its body is made when it is rendered. */
export type FoundCandle = {
  readonly symbol: string
  readonly number: number
  readonly sources: readonly string[]
  readonly body: () => Omit<Candle, 'start' | 'sources'>
}

const isDirect = ({ over, under }: CrossRoute): boolean => over.length === 1 && under.length === 0
const legsOf = ({ over, under }: CrossRoute): readonly string[] => [...over, ...under]

/** Reads what is known of pairs, of prices from `since` on. Throws the 404 of a code that is not served. */
export async function knownPairs(
  { candles, prices }: Deps,
  symbols: readonly string[],
  since?: number,
): Promise<KnownPair[]> {
  const pairs = symbols.map((symbol) => {
    const { base, quote } = servedPair(symbol)
    const all = prices.routes(base, quote)
    // A quoted pair has candles of its own, and no others.
    const derived = !all.some(isDirect)
    return { symbol, derived, routes: derived ? all : all.filter(isDirect) }
  })
  const legs = new Set(pairs.flatMap(({ routes }) => routes.flatMap(legsOf)))
  const known = legs.size === 0 ? new Map() : await candles.extents([...legs], since)
  return pairs.map((pair) => ({ ...pair, ...extentOf(pair.routes, known) }))
}

type Extents = Awaited<ReturnType<Deps['candles']['extents']>>

function extentOf(routes: readonly CrossRoute[], known: Extents): Pick<KnownPair, 'oldest' | 'newest' | 'sources'> {
  const begins = routes.flatMap((route) => {
    const legs = legsOf(route).map((symbol) => known.get(symbol)?.oldest)
    return legs.every((oldest) => oldest !== undefined) ? [Math.max(...legs)] : []
  })
  if (begins.length === 0) return { sources: [] }
  const ends = routes.flatMap((route) => legsOf(route).flatMap((symbol) => known.get(symbol) ?? []))
  const newest = Math.max(...ends.map((end) => end.newest))
  return { oldest: Math.min(...begins), newest, sources: ends.flatMap((end) => end.sources) }
}

type Range = Omit<Parameters<Deps['candles']['quoted']>[1], 'sources'>

/** Candles of a range, oldest first. All that there are before the interval `scannedTo` are among them, or `limit` of them. */
type Slice = { readonly found: readonly FoundCandle[]; readonly scannedTo: number }

/** Reads the candles of pairs, with one query for all that are quoted and one for all that are derived. */
export async function readCandles(deps: Deps, pairs: readonly KnownPair[], range: Range): Promise<Slice> {
  const priced = pairs.filter(({ newest }) => newest !== undefined)
  const sources = order(deps.prices, new Set(priced.flatMap((pair) => pair.sources)))
  if (priced.length === 0 || range.from >= range.to) return { found: [], scannedTo: range.to }
  const slices = await Promise.all([
    quoted(
      deps,
      priced.filter(({ derived }) => !derived),
      { ...range, sources },
    ),
    crossed(
      deps,
      priced.filter(({ derived }) => derived),
      { ...range, sources },
    ),
  ])
  return { found: slices.flatMap(({ found }) => found), scannedTo: Math.min(...slices.map((one) => one.scannedTo)) }
}

type RankedRange = Parameters<Deps['candles']['quoted']>[1]

async function quoted({ candles }: Deps, pairs: readonly KnownPair[], range: RankedRange): Promise<Slice> {
  if (pairs.length === 0) return { found: [], scannedTo: range.to }
  const { found, scannedTo } = await candles.quoted(
    pairs.map(({ symbol }) => symbol),
    range,
  )
  const candleOf = ({ symbol, number, source, ...body }: (typeof found)[number]): FoundCandle => {
    return { symbol, number, sources: [source], body: () => body }
  }
  return { found: found.map(candleOf), scannedTo }
}

async function crossed({ candles }: Deps, pairs: readonly KnownPair[], range: RankedRange): Promise<Slice> {
  if (pairs.length === 0) return { found: [], scannedTo: range.to }
  const routes = pairs.flatMap(({ symbol, routes }) => routes.map((route) => ({ ...route, symbol })))
  const { found, scannedTo } = await candles.crossed(routes, range)
  const candleOf = ({ route, number, sources, ticks, ...moments }: (typeof found)[number]): FoundCandle => {
    return { symbol: route.symbol, number, sources, body: () => ({ ...crossCandle(route, moments), ticks }) }
  }
  return { found: found.map(candleOf), scannedTo }
}

/** Sources, best first. Simulated prices rank first only while the service shows them: they must not outlive the demo. */
function order({ isDemonstration }: Deps['prices'], known: ReadonlySet<string>): readonly string[] {
  const ranked = priceSources.map(({ source }) => source).filter((source) => known.has(source))
  const all = [...ranked, ...[...known].filter((source) => !ranked.includes(source)).sort()]
  return isDemonstration ? all : [...all.filter((source) => source !== SIMULATOR), SIMULATOR]
}

export const isSimulated = ({ sources }: FoundCandle): boolean => sources.includes(SIMULATOR)

export const candleOf = (interval: CandleInterval, { number, sources, body }: FoundCandle): Candle => ({
  start: instantText(intervalStart(interval, number)),
  ...body(),
  sources: [...sources],
})
