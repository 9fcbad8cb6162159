import type { ClickHouseClient } from '@clickhouse/client'
import { systemTime, type Time } from '../../../base/time.ts'
import type { CandleInterval } from '../../../contracts/candles.ts'
import { evenInterval, intervalNumber, intervalStart } from '../../../domain/candle-interval.ts'
import type { CrossMoments, CrossRoute } from '../../../domain/cross-price.ts'
import type { LastPrice } from '../../../domain/dated-prices.ts'
import { read } from '../read.ts'
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
  readonly number: number
  readonly source: string
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly ticks: number
}

type CrossedCandle = CrossMoments & {
  readonly number: number
  readonly ticks: number
  readonly sources: readonly string[]
}

const cost = { seconds: 8, megabytes: 1_000, rows: 110_000 }

/** Years that a DateTime64 can hold; a range beyond them is cut. */
const [FIRST, LAST] = [Date.UTC(1900), Date.UTC(2299)]

const EXTENTS = `
SELECT symbol, toUnixTimestamp64Milli(min(minute)) AS oldest, toUnixTimestamp64Milli(max(last_at)) AS newest,
  arraySort(groupUniqArray(toString(source))) AS sources
FROM candles
WHERE symbol IN {symbols:Array(String)} AND minute < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
GROUP BY symbol`

/** SQL for the number of the interval of a minute, as `intervalNumber` computes it. */
function numberOf(interval: CandleInterval): string {
  const same = evenInterval(interval)
  if (!same) return 'toInt64(toYear(minute)) * 12 + toMonth(minute) - 1'
  const since = `(toUnixTimestamp64Milli(minute) - ${same.origin})`
  return `intDiv(${since} - positiveModulo(${since}, ${same.width}), ${same.width})`
}

/** SQL for the rank of a source, the best one first. */
const RANK = 'indexOf({sources:Array(String)}, source)'

const minutesOf = (interval: CandleInterval, symbol: string) => `
  SELECT *, ${numberOf(interval)} AS number
  FROM candles FINAL
  WHERE symbol = {${symbol}:String} AND source IN {sources:Array(String)}
    AND minute >= fromUnixTimestamp64Milli({first:Int64}, 'UTC') AND minute < fromUnixTimestamp64Milli({end:Int64}, 'UTC')`

/** For each interval the candle of the best source that has prices in it. */
const quotedQuery = (interval: CandleInterval) => `
SELECT number, source,
  argMin(open, (first_at, first_offset)) AS open, argMax(high, ${decimalOrder('high')}) AS high,
  argMin(low, ${decimalOrder('low')}) AS low, argMax(close, (last_at, last_offset)) AS close, sum(ticks) AS ticks
FROM (${minutesOf(interval, 'symbol')})
GROUP BY number, source
ORDER BY number, ${RANK}
LIMIT 1 BY number
LIMIT {limit:UInt32}`

/** For each interval the minutes of the best source that has prices in it. */
const bestMinutesOf = (interval: CandleInterval, symbol: string) => `
  (SELECT * FROM (${minutesOf(interval, symbol)})
   WHERE (number, ${RANK}) IN (SELECT number, min(${RANK}) FROM (${minutesOf(interval, symbol)}) GROUP BY number))`

/** How far binary floating point narrows down the choice of an extreme: far more than its error. Decimals then decide. */
const BAND = '1e-9'

/**
 * For each interval what the minutes in which all legs have prices make of a route. With one leg, its highest and lowest
 * prices count, too; of several legs, no one knows what each was when another was highest.
 */
function crossedQuery(interval: CandleInterval, { over, under }: CrossRoute): string {
  const legs = [...over, ...under].map((_, n) => `leg_${n}`)
  const [first, ...others] = legs.map((leg) => `${bestMinutesOf(interval, leg)} AS ${leg}`)
  const joined = `${first} ${others.map((leg) => `ANY INNER JOIN ${leg} USING (minute)`).join(' ')}`
  const moments = legs.length > 1 ? ['open', 'close'] : ['open', 'close', 'high', 'low']
  const prices = (moment: string) => `[${legs.map((leg) => `${leg}.${moment}`).join(', ')}]`
  const near = (moment: string) =>
    legs.map((leg, n) => `${n < over.length ? '*' : '/'} toFloat64(${leg}.${moment})`).join(' ')
  const cells = moments.flatMap((moment) => [`${prices(moment)} AS ${moment}s`, `1 ${near(moment)} AS near_${moment}`])
  const minutes = `
    SELECT leg_0.number AS number, minute, ${cells.join(', ')},
      ${legs.map((leg) => `${leg}.ticks`).join(' + ')} AS prices,
      [${legs.map((leg) => `toString(${leg}.source)`).join(', ')}] AS used
    FROM ${joined}`
  const all = moments.map((moment) => `near_${moment}`).join(', ')
  const isExtreme = (moment: string) =>
    `near_${moment} >= highest * (1 - ${BAND}) OR near_${moment} <= lowest * (1 + ${BAND})`
  const extremes = moments.map((moment) => `groupUniqArrayIf(${moment}s, ${isExtreme(moment)})`)
  return `
SELECT number, argMin(opens, minute) AS open, argMax(closes, minute) AS close,
  arrayDistinct(arrayConcat(${extremes.join(', ')})) AS extremes,
  sum(prices) AS ticks, arraySort(groupUniqArrayArray(used)) AS sources
FROM (${minutes}) AS minutes
INNER JOIN (
  SELECT number, max(arrayMax([${all}])) AS highest, min(arrayMin([${all}])) AS lowest FROM (${minutes}) GROUP BY number
) AS extremes USING (number)
GROUP BY number
ORDER BY number
LIMIT {limit:UInt32}`
}

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
  const instantsOf = (interval: CandleInterval, from: number, to: number) => ({
    first: intervalStart(interval, from),
    end: Math.min(intervalStart(interval, to), until),
  })

  /** Returns the ends of what is known of each symbol that has candles. */
  async function extents(symbols: readonly string[]): Promise<ReadonlyMap<string, CandleExtent>> {
    const found = await read<CandleExtent & { symbol: string }>(client, EXTENTS, { symbols, until }, cost)
    return new Map(found.map(({ symbol, ...extent }) => [symbol, extent]))
  }

  /** Returns the candles of a symbol that its sources quote. */
  const quoted = (symbol: string, range: CandleRange): Promise<CandleSlice<QuotedCandle>> =>
    inGrowingSteps(time, range, LONGEST_FIRST_STEP.quoted, ({ interval, sources, limit, from, to }) =>
      read(client, quotedQuery(interval), { symbol, sources, limit, ...instantsOf(interval, from, to) }, cost),
    )

  /** Returns what is needed to compute the candles of a route. */
  const crossed = (route: CrossRoute, range: CandleRange): Promise<CandleSlice<CrossedCandle>> => {
    const legs = [...route.over, ...route.under]
    const symbols = Object.fromEntries(legs.map((symbol, n) => [`leg_${n}`, symbol]))
    return inGrowingSteps(time, range, LONGEST_FIRST_STEP.crossed, ({ interval, sources, limit, from, to }) => {
      const params = { ...symbols, sources, limit, ...instantsOf(interval, from, to) }
      return read(client, crossedQuery(interval, route), params, cost)
    })
  }

  /** Returns the last price of each symbol and source, by the source's time. */
  const lastPrices = (): Promise<LastPrice[]> => read(client, LAST_PRICES, { until }, cost)

  return { extents, quoted, crossed, lastPrices }
}

const MINUTE_MS = 60_000
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
