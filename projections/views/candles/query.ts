import type { ClickHouseClient } from '@clickhouse/client'
import { systemTime, type Time } from '../../../base/time.ts'
import type { CandleInterval } from '../../../contracts/candles.ts'
import { intervalNumber, intervalStart } from '../../../domain/candle-interval.ts'
import type { CrossMoments } from '../../../domain/cross-price.ts'
import type { LastPrice } from '../../../domain/dated-prices.ts'
import { read } from '../read.ts'
import { crossedParams, crossedQuery, type PairRoute } from './crossed.ts'
import { minutesOf, RANK } from './minutes.ts'
import { decimalOrder } from './roll.ts'

/** Times of the oldest minute and of the newest price, UTC milliseconds, and all sources. */
type CandleExtent = { readonly oldest: number; readonly newest: number; readonly sources: readonly string[] }

/** Intervals by number (domain/candle-interval.ts): those from `from` on and before `to`. */
type CandleRange = {
  readonly interval: CandleInterval
  readonly from: number
  readonly to: number
  /** Sources to read, best first. */
  readonly sources: readonly string[]
  readonly limit: number
  /** Time after which no further step is begun, in milliseconds. */
  readonly budgetMs: number
}

/** Candles of a range, oldest first. All that there are before the interval `scannedTo` are among them, or `limit` of them. */
type CandleSlice<Row> = { readonly found: readonly Row[]; readonly scannedTo: number }

type QuotedCandle = {
  readonly symbol: string
  readonly number: number
  readonly source: string
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly ticks: number
}

type CrossedCandle = CrossMoments & {
  readonly route: PairRoute
  readonly number: number
  readonly ticks: number
  readonly sources: readonly string[]
}

const MINUTE_MS = 60_000

const cost = { seconds: 8, megabytes: 1_000, rows: 110_000 }

/** Years that a DateTime64 can hold; a range beyond them is cut. */
const [FIRST, LAST] = [Date.UTC(1900), Date.UTC(2299)]

const EXTENTS = `
SELECT symbol, toUnixTimestamp64Milli(min(minute)) AS oldest, toUnixTimestamp64Milli(max(last_at)) AS newest,
  arraySort(groupUniqArray(toString(source))) AS sources
FROM candles
WHERE symbol IN {symbols:Array(String)}
  AND minute >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND minute < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
GROUP BY symbol`

/** For each symbol and interval the candle of the best source that has prices in it. */
const quotedQuery = (interval: CandleInterval) => `
SELECT symbol, number, source,
  argMin(open, (first_at, first_offset)) AS open, argMax(high, ${decimalOrder('high')}) AS high,
  argMin(low, ${decimalOrder('low')}) AS low, argMax(close, (last_at, last_offset)) AS close, sum(ticks) AS ticks
FROM (${minutesOf(interval, 'symbols')})
GROUP BY symbol, number, source
ORDER BY number, symbol, ${RANK}
LIMIT 1 BY number, symbol
LIMIT {limit:UInt32}`

/** The row of a minute that was written last has its newest price. No FINAL: that would merge years of minutes. */
const LAST_PRICES = `
SELECT symbol, toString(source) AS source, argMax(close, (last_at, last_offset, _offset)) AS price, max(last_at) AS observed_at
FROM candles
WHERE symbol != '' AND minute < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
GROUP BY symbol, source
ORDER BY symbol, source`

export type CandleQueries = ReturnType<typeof candleQueries>

/**
 * Queries of the candles. Each throws the problem `unavailable` if ClickHouse is unavailable or too busy.
 *
 * @param until no minute from this one on is read; UTC milliseconds
 */
export const candleQueries = (client: ClickHouseClient, until = LAST, time: Pick<Time, 'monotonic'> = systemTime) => {
  const paramsOf = ({ interval, sources, limit, from, to }: CandleRange) => ({
    sources,
    limit,
    first: intervalStart(interval, from),
    end: Math.min(intervalStart(interval, to), until),
  })

  /** Returns the ends of what is known of each symbol that has minutes, of those from the minute of `since` on. */
  async function extents(symbols: readonly string[], since = FIRST): Promise<ReadonlyMap<string, CandleExtent>> {
    const first = Math.min(LAST, Math.max(FIRST, since))
    const bounds = { since: Math.floor(first / MINUTE_MS) * MINUTE_MS, until }
    const found = await read<CandleExtent & { symbol: string }>(client, EXTENTS, { symbols, ...bounds }, cost)
    return new Map(found.map(({ symbol, ...extent }) => [symbol, extent]))
  }

  /** Returns the candles of symbols that their sources quote. */
  const quoted = (symbols: readonly string[], range: CandleRange): Promise<CandleSlice<QuotedCandle>> =>
    inGrowingSteps(time, range, LONGEST_FIRST_STEP.quoted / symbols.length, (part) =>
      read(client, quotedQuery(part.interval), { symbols, ...paramsOf(part) }, cost),
    )

  /** Returns what is needed to compute the candles of pairs, each from the first of its routes that has prices in the interval. */
  async function crossed(routes: readonly PairRoute[], range: CandleRange): Promise<CandleSlice<CrossedCandle>> {
    const pairs = new Set(routes.map(({ symbol }) => symbol)).size
    return inGrowingSteps(time, range, LONGEST_FIRST_STEP.crossed / pairs, async (part) => {
      const params = { ...crossedParams(routes), ...paramsOf(part) }
      const query = crossedQuery(part.interval, routes)
      const rows = await read<Omit<CrossedCandle, 'route'> & { readonly route: number }>(client, query, params, cost)
      return rows.flatMap(({ route: n, ...candle }) => {
        const route = routes[n]
        return route ? { ...candle, route } : []
      })
    })
  }

  /** Returns the last price of each symbol and source, by the source's time. */
  const lastPrices = (): Promise<LastPrice[]> => read(client, LAST_PRICES, { until }, cost)

  return { extents, quoted, crossed, lastPrices }
}

/** Length of the first step in minutes: at least, and at most. A computed minute costs more than a quoted one. */
const SHORTEST_STEP = 4_096
const LONGEST_FIRST_STEP = { quoted: 1_000_000, crossed: 150_000 }

const EMPTY_BUDGET_MS = 5_000

/** How much longer the next step is than one that took some milliseconds. */
const growthAfter = (tookMs: number): number => (tookMs < 150 ? 16 : tookMs < 600 ? 2 : 1)

/**
 * Reads a range in steps until there are enough candles. Where every interval has prices one step is often enough, however far
 * the range goes on. Where few have, steps are quick and grow, so that a gap of years costs a few queries.
 */
async function inGrowingSteps<R>(
  time: Pick<Time, 'monotonic'>,
  range: CandleRange,
  longestFirst: number,
  step: (range: CandleRange) => Promise<R[]>,
): Promise<CandleSlice<R>> {
  const { interval, limit, budgetMs } = range
  const begun = time.monotonic()
  const first = Math.max(range.from, intervalNumber(interval, FIRST))
  const to = Math.min(range.to, intervalNumber(interval, LAST))
  const minutes = (intervalStart(interval, first + 1) - intervalStart(interval, first)) / MINUTE_MS
  const wanted = Math.max(limit * minutes, SHORTEST_STEP)
  const found: R[] = []
  let from = first
  let span = Math.max(1, Math.floor(Math.min(wanted, longestFirst) / minutes))
  // A page without candles tells a client nothing, so a search that has found none goes on longer.
  const isInTime = () =>
    time.monotonic() - begun <= (found.length === 0 ? Math.max(EMPTY_BUDGET_MS, budgetMs) : budgetMs)
  while (from < to && found.length < limit && isInTime()) {
    const began = time.monotonic()
    const upTo = Math.min(to, from + span)
    found.push(...(await step({ ...range, from, to: upTo, limit: limit - found.length })))
    from = upTo
    span *= growthAfter(time.monotonic() - began)
  }
  return { found, scannedTo: from < to ? from : range.to }
}
