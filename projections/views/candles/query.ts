import type { ClickHouseClient } from '@clickhouse/client'
import type { CandleInterval } from '../../../contracts/candles.ts'
import { evenInterval, intervalNumber, intervalStart } from '../../../domain/candle-interval.ts'
import type { CrossMoments, CrossRoute } from '../../../domain/cross-price.ts'
import { read } from '../read.ts'
import { decimalOrder } from './roll.ts'

/** Times of the oldest minute and of the newest price, UTC milliseconds. */
type CandleExtent = { readonly oldest: number; readonly newest: number }

/** Intervals by number (domain/candle-interval.ts): those from `from` on and before `to`. */
type CandleRange = {
  readonly interval: CandleInterval
  readonly from: number
  readonly to: number
  /** Sources, best first. Others come after them, by name. */
  readonly sources: readonly string[]
  readonly limit: number
}

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
SELECT symbol, toUnixTimestamp64Milli(min(minute)) AS oldest, toUnixTimestamp64Milli(max(last_at)) AS newest
FROM candles
WHERE symbol IN {symbols:Array(String)}
GROUP BY symbol`

/** SQL for the number of the interval of a minute, as `intervalNumber` computes it. */
function numberOf(interval: CandleInterval): string {
  const same = evenInterval(interval)
  if (!same) return 'toInt64(toYear(minute)) * 12 + toMonth(minute) - 1'
  const since = `(toUnixTimestamp64Milli(minute) - ${same.origin})`
  return `intDiv(${since} - positiveModulo(${since}, ${same.width}), ${same.width})`
}

/** SQL for the place of a source, best first. */
const RANK = `
  if(has({sources:Array(String)}, source), indexOf({sources:Array(String)}, source), length({sources:Array(String)}) + 1)`

const minutesOf = (interval: CandleInterval, symbols: string) => `
  SELECT *, ${numberOf(interval)} AS number, (${RANK}, toString(source)) AS rank
  FROM candles FINAL
  WHERE ${symbols}
    AND minute >= fromUnixTimestamp64Milli({first:Int64}, 'UTC') AND minute < fromUnixTimestamp64Milli({end:Int64}, 'UTC')`

/** For each interval the candle of the best source that has prices in it. */
const quotedQuery = (interval: CandleInterval) => `
SELECT number, source,
  argMin(open, (first_at, first_offset)) AS open, argMax(high, ${decimalOrder('high')}) AS high,
  argMin(low, ${decimalOrder('low')}) AS low, argMax(close, (last_at, last_offset)) AS close, sum(ticks) AS ticks
FROM (${minutesOf(interval, 'symbol = {symbol:String}')})
GROUP BY number, source, rank
ORDER BY number, rank
LIMIT 1 BY number
LIMIT {limit:UInt32}`

/** SQL for the price of a route in binary floating point, from an array of the prices of its legs. */
const near = (legs: string) =>
  `arrayProduct(arrayMap((price, i) -> if(i <= {over:UInt8}, toFloat64(price), 1 / toFloat64(price)), ${legs}, arrayEnumerate(${legs})))`

/**
 * Most moments of an interval that may be its highest or lowest. Binary floating point only narrows the choice down to those
 * within a billionth of the extreme, far more than its error; decimals decide between them.
 */
const CANDIDATES = 16
const nearest = (sign: '' | '-') =>
  `groupArraySortedArray(${CANDIDATES})(arrayMap(legs -> (${sign}${near('legs')}, legs), moments))`
const within = (extremes: string) =>
  `arrayMap(each -> each.2, arrayFilter(each -> abs(each.1 - ${extremes}[1].1) <= abs(${extremes}[1].1) * 1e-9, ${extremes}))`

/**
 * For each interval what the minutes in which all legs have prices make of a route. Each leg shows its best source of the
 * interval. With one leg, its highest and lowest prices are moments, too; of several legs, no one knows what each was then.
 */
const crossedQuery = (interval: CandleInterval) => `
WITH minutes AS (${minutesOf(interval, 'symbol IN {symbols:Array(String)}')})
SELECT number, open, close, arrayDistinct(arrayConcat(${within('lowest')}, ${within('highest')})) AS extremes, ticks, sources
FROM (
  SELECT number, argMin(opens, minute) AS open, argMax(closes, minute) AS close,
    ${nearest('')} AS lowest, ${nearest('-')} AS highest, sum(prices) AS ticks, arraySort(groupUniqArrayArray(used)) AS sources
  FROM (
    SELECT number, minute,
      arraySort(leg -> leg.1, groupArray((indexOf({symbols:Array(String)}, symbol), open, high, low, close))) AS legs,
      arrayMap(leg -> leg.2, legs) AS opens, arrayMap(leg -> leg.5, legs) AS closes,
      arrayDistinct(if(length(legs) > 1, [opens, closes],
        [opens, closes, arrayMap(leg -> leg.3, legs), arrayMap(leg -> leg.4, legs)])) AS moments,
      sum(ticks) AS prices, groupUniqArray(toString(source)) AS used
    FROM minutes
    WHERE (symbol, number, rank) IN (SELECT symbol, number, min(rank) FROM minutes GROUP BY symbol, number)
    GROUP BY number, minute
    HAVING length(legs) = length({symbols:Array(String)})
  )
  GROUP BY number
  ORDER BY number
  LIMIT {limit:UInt32}
)
ORDER BY number`

export type CandleQueries = ReturnType<typeof candleQueries>

/** Queries of the candles. Each throws the problem `unavailable` if ClickHouse is unavailable or too busy. */
export const candleQueries = (client: ClickHouseClient) => {
  /** Returns the ends of what is known of each symbol that has candles. */
  async function extents(symbols: readonly string[]): Promise<ReadonlyMap<string, CandleExtent>> {
    const found = await read<CandleExtent & { symbol: string }>(client, EXTENTS, { symbols }, cost)
    return new Map(found.map(({ symbol, oldest, newest }) => [symbol, { oldest, newest }]))
  }

  /** Returns the candles of a symbol that its sources quote, oldest first. */
  const quoted = (symbol: string, range: CandleRange): Promise<QuotedCandle[]> =>
    inGrowingSteps(range, ({ interval, sources, limit, ...span }) =>
      read(client, quotedQuery(interval), { symbol, sources, limit, ...instantsOf(interval, span) }, cost),
    )

  /** Returns what is needed to compute the candles of a route, oldest first. */
  const crossed = ({ over, under }: CrossRoute, range: CandleRange): Promise<CrossedCandle[]> =>
    inGrowingSteps(range, ({ interval, sources, limit, ...span }) => {
      const route = { symbols: [...over, ...under], over: over.length }
      return read(client, crossedQuery(interval), { ...route, sources, limit, ...instantsOf(interval, span) }, cost)
    })

  return { extents, quoted, crossed }
}

const instantsOf = (interval: CandleInterval, { from, to }: { readonly from: number; readonly to: number }) => ({
  first: intervalStart(interval, from),
  end: intervalStart(interval, to),
})

/** Least number of intervals of the first step, and growth from one step to the next: four steps of minutes span 30 years. */
const [FIRST_STEP, GROWTH] = [4_096, 16]

/**
 * Reads a range in steps until there are enough candles. Where every interval has prices one step is enough, however far the
 * range goes on.
 */
async function inGrowingSteps<R>(range: CandleRange, step: (range: CandleRange) => Promise<R[]>): Promise<R[]> {
  const { interval, limit } = range
  let from = Math.max(range.from, intervalNumber(interval, FIRST))
  const to = Math.min(range.to, intervalNumber(interval, LAST))
  const found: R[] = []
  for (let span = Math.max(limit, FIRST_STEP); from < to && found.length < limit; span *= GROWTH) {
    const upTo = Math.min(to, from + span)
    found.push(...(await step({ ...range, from, to: upTo, limit: limit - found.length })))
    from = upTo
  }
  return found
}
