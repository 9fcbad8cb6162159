import { type Candle, candlesOperation } from '../../contracts/candles.ts'
import { priceSources, SIMULATOR, simulatedSource } from '../../contracts/instruments.ts'
import { firstIntervalFrom, intervalNumber, intervalStart } from '../../domain/candle-interval.ts'
import { type CrossRoute, crossCandle } from '../../domain/cross-price.ts'
import { type CandleCursor, decodeCandleCursor, encodeCandleCursor } from '../../domain/price-cursor.ts'
import { issueTime } from '../../domain/snapshot-lifetime.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import { linked, nextLink } from '../csv.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler } from '../execute.ts'
import { servedPair } from '../price-pair.ts'
import { instantText, type PriceInput, type PricePage, pricePage, tooMany } from '../price-range.ts'
import { behindSnapshot } from '../snapshot-cursor.ts'

const OPERATION = candlesOperation.id

/** Time in which the steps of a page, or of a whole CSV answer, are begun. The answer has 10 s. */
const [PAGE_BUDGET_MS, WHOLE_BUDGET_MS] = [2_000, 5_000]

type Deps = Pick<ApiDeps, 'candles' | 'prices' | 'lineage' | 'clock'>
type Page = PricePage<CandleCursor>

/** An interval with a price, as it is read; its body is made when it is rendered. */
type Found = {
  readonly number: number
  readonly sources: readonly string[]
  readonly body: () => Omit<Candle, 'start' | 'sources'>
}

/** Pages through the candles of a pair. No page has intervals that began after the newest price of the first page. */
export const candleHandlers = (deps: Deps, render: Render): Handlers => ({
  [OPERATION]: handler<PriceInput, Page>({
    needsSlot: true,
    ask: (input) => pricePage(input, decodeCandleCursor, deps),
    answer: (page) => answerPage(deps, render, page),
  }),
})

async function answerPage(deps: Deps, render: Render, page: Page): Promise<Answer> {
  const { prices, lineage, clock } = deps
  const { symbol, cursor, limit, csv } = page
  const { base, quote } = servedPair(symbol)
  const all = prices.routes(base, quote)
  // A quoted pair has candles of its own, and no others.
  const routes = all.some(isDirect) ? all.filter(isDirect) : all
  const derived = !routes.some(isDirect)
  const extent = await extentOf(deps, routes)
  const newest = cursor?.newest ?? extent?.newest
  if (cursor && (extent?.newest ?? Number.NEGATIVE_INFINITY) < cursor.newest) throw behindSnapshot()

  const { interval, first, last } = cursor ?? page
  const rest = { symbol, interval, derived, as_of: newest === undefined ? null : instantText(newest) }
  const cacheControl = cursor ? caching.snapshot : caching.price
  // Reads one more than is shown, to learn whether there is a next page.
  const { from, to } = numbers(page, extent?.oldest ?? 0, newest)
  const budgetMs = page.isWhole ? WHOLE_BUDGET_MS : PAGE_BUDGET_MS
  const sources = order(prices, extent?.sources ?? [])
  const { found, scannedTo } = await read(deps, routes, { interval, from, to, limit: limit + 1, sources, budgetMs })
  const shown = found.slice(0, limit)
  // A page that took too long ends early: everything before `scannedTo` was looked at.
  const after = found.length > limit ? shown.at(-1)?.number : scannedTo < to ? scannedTo - 1 : undefined
  const isCut = after !== undefined
  if (isCut && page.isWhole) throw tooMany('candles', intervalStart(interval, after), ', ask for a longer interval')
  const next_cursor = isCut
    ? encodeCandleCursor({
        journal: lineage.journal,
        symbol,
        interval,
        first,
        last,
        newest: newest ?? 0,
        after,
        issuedAt: cursor?.issuedAt ?? issueTime(clock().getTime()),
      })
    : null
  const headers = shown.some(({ sources }) => sources.includes(SIMULATOR)) ? simulatedSource : {}
  const body = ({ number, sources, body: prices }: Found): Candle => ({
    start: instantText(intervalStart(interval, number)),
    ...prices(),
    sources: [...sources],
  })
  if (!csv) return render.list(OPERATION, shown, body, { ...rest, next_cursor }, cacheControl, headers)
  const path = candlesOperation.path.replace('{symbol}', symbol)
  const links = linked(nextLink(path, limit, next_cursor, csv))
  return render.csv(csv, OPERATION, shown, body, cacheControl, { ...headers, ...links })
}

/** Times of the oldest price that a route may have and of the newest of all legs, and their sources; undefined if there is none. */
async function extentOf({ candles }: Deps, routes: readonly CrossRoute[]) {
  if (routes.length === 0) return undefined
  const known = await candles.extents([...new Set(routes.flatMap(legsOf))])
  const begins = routes.flatMap((route) => {
    const legs = legsOf(route).map((symbol) => known.get(symbol)?.oldest)
    return legs.every((oldest) => oldest !== undefined) ? [Math.max(...legs)] : []
  })
  if (begins.length === 0) return undefined
  const ends = [...known.values()]
  const newest = Math.max(...ends.map((end) => end.newest))
  return { oldest: Math.min(...begins), newest, sources: [...new Set(ends.flatMap((end) => end.sources))].sort() }
}

/** The numbers of the intervals that a page may have: from the first that is asked for to that of the newest price. */
function numbers(page: Page, oldest: number, newest: number | undefined) {
  const { interval, first, last } = page.cursor ?? page
  if (newest === undefined) return { from: 0, to: 0 }
  const begin = intervalNumber(interval, oldest)
  const from = first === null ? begin : Math.max(begin, firstIntervalFrom(interval, first))
  const end = intervalNumber(interval, last === null ? newest : Math.min(last, newest))
  return { from: page.cursor ? Math.max(from, page.cursor.after + 1) : from, to: end + 1 }
}

const isDirect = ({ over, under }: CrossRoute): boolean => over.length === 1 && under.length === 0
const legsOf = ({ over, under }: CrossRoute): readonly string[] => [...over, ...under]

/** Sources, best first. Simulated prices rank first only while the service shows them: they must not outlive the demo. */
function order({ isDemonstration }: Deps['prices'], known: readonly string[]): readonly string[] {
  const ranked = priceSources.map(({ source }) => source).filter((source) => known.includes(source))
  const all = [...ranked, ...known.filter((source) => !ranked.includes(source))]
  return isDemonstration ? all : [...all.filter((source) => source !== SIMULATOR), SIMULATOR]
}

type Range = Parameters<Deps['candles']['quoted']>[1]
type Slice = { readonly found: readonly Found[]; readonly scannedTo: number }

/** Reads the candles of a quoted pair; else those of its routes, and of each interval those of the first route with prices. */
async function read({ candles }: Deps, routes: readonly CrossRoute[], range: Range): Promise<Slice> {
  if (range.sources.length === 0 || range.from >= range.to) return { found: [], scannedTo: range.to }
  const quoted = routes.find(isDirect)?.over[0]
  if (quoted !== undefined) {
    const { found, scannedTo } = await candles.quoted(quoted, range)
    return {
      found: found.map(({ number, source, ...body }) => ({ number, sources: [source], body: () => body })),
      scannedTo,
    }
  }
  const byNumber = new Map<number, Found>()
  let scannedTo = range.to
  const budgetMs = range.budgetMs / routes.length
  for (const route of routes) {
    const slice = await candles.crossed(route, { ...range, budgetMs })
    for (const { number, sources, ticks, ...moments } of slice.found) {
      if (byNumber.has(number)) continue
      byNumber.set(number, { number, sources, body: () => ({ ...crossCandle(route, moments), ticks }) })
    }
    // A route that has as many candles as are wanted was not read beyond the last of them.
    const last = slice.found.length < range.limit ? undefined : slice.found.at(-1)
    scannedTo = Math.min(scannedTo, last ? last.number + 1 : slice.scannedTo)
  }
  const found = [...byNumber.values()].filter(({ number }) => number < scannedTo).sort((a, b) => a.number - b.number)
  return { found: found.slice(0, range.limit), scannedTo }
}
