import { candlesOperation } from '../../contracts/candles.ts'
import { simulatedSource } from '../../contracts/instruments.ts'
import { firstIntervalFrom, intervalNumber, intervalStart } from '../../domain/candle-interval.ts'
import { type CandleCursor, decodeCandleCursor, encodeCandleCursor } from '../../domain/price-cursor.ts'
import { issueTime } from '../../domain/snapshot-lifetime.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import { linked, nextLink } from '../csv.ts'
import type { ApiDeps } from '../deps.ts'
import { type Handlers, handler } from '../execute.ts'
import { instantText, type PriceInput, type PricePage, pricePage, tooMany } from '../price-range.ts'
import { candleOf, type FoundCandle, isSimulated, knownPairs, readCandles } from '../read-candles.ts'
import { behindSnapshot } from '../snapshot-cursor.ts'

const OPERATION = candlesOperation.id

/** Time in which the steps of a page, or of a whole CSV answer, are begun. The answer has 10 s. */
const [PAGE_BUDGET_MS, WHOLE_BUDGET_MS] = [2_000, 5_000]

type Deps = Pick<ApiDeps, 'candles' | 'prices' | 'lineage' | 'clock'>
type Page = PricePage<CandleCursor>

/** Pages through the candles of a pair. No page has intervals that began after the newest price of the first page. */
export const candleHandlers = (deps: Deps, render: Render): Handlers => ({
  [OPERATION]: handler<PriceInput, Page>({
    needsSlot: true,
    ask: (input) => pricePage(input, decodeCandleCursor, deps),
    answer: (page) => answerPage(deps, render, page),
  }),
})

async function answerPage(deps: Deps, render: Render, page: Page): Promise<Answer> {
  const { lineage, clock } = deps
  const { symbol, cursor, limit, csv } = page
  const known = await knownPairs(deps, [symbol])
  const [pair] = known
  const newest = cursor?.newest ?? pair?.newest
  if (cursor && (pair?.newest ?? Number.NEGATIVE_INFINITY) < cursor.newest) throw behindSnapshot()

  const { interval, first, last } = cursor ?? page
  const as_of = newest === undefined ? null : instantText(newest)
  const rest = { symbol, interval, derived: pair?.derived ?? false, as_of }
  const cacheControl = cursor ? caching.snapshot : caching.price
  // Reads one more than is shown, to learn whether there is a next page.
  const { from, to } = numbers(page, pair?.oldest ?? 0, newest)
  const budgetMs = page.isWhole ? WHOLE_BUDGET_MS : PAGE_BUDGET_MS
  const { found, scannedTo } = await readCandles(deps, known, { interval, from, to, limit: limit + 1, budgetMs })
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
  const headers = shown.some(isSimulated) ? simulatedSource : {}
  const body = (found: FoundCandle) => candleOf(interval, found)
  if (!csv) return render.list(OPERATION, shown, body, { ...rest, next_cursor }, cacheControl, headers)
  const path = candlesOperation.path.replace('{symbol}', symbol)
  const links = linked(nextLink(path, limit, next_cursor, csv))
  return render.csv(csv, OPERATION, shown, body, cacheControl, { ...headers, ...links })
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
