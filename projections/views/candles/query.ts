import type { ClickHouseClient } from '@clickhouse/client'
import { read } from '../read.ts'

/** The prices of a source in one minute of its own time. Prices are canonical decimals; times are ISO 8601 UTC. */
export type Candle = {
  readonly source: string
  readonly minute: string
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly ticks: number
  readonly firstAt: string
  readonly lastAt: string
}

/** Most candles that one read gives: a week of minutes. */
export const MAX_CANDLES = 10_080

const cost = { seconds: 5, megabytes: 500, rows: MAX_CANDLES }

const candlesQuery = (ofSource: boolean) => `
SELECT source, minute, open, high, low, close, ticks, first_at AS firstAt, last_at AS lastAt
FROM candles FINAL
WHERE symbol = {symbol:String} ${ofSource ? 'AND source = {source:String}' : ''}
  AND minute >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND minute < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
ORDER BY minute, source
LIMIT {limit:UInt32}`

export type CandleQueries = ReturnType<typeof candleQueries>

/** Reads of the candles. Where ClickHouse is away or too busy, each throws the problem `unavailable`. */
export const candleQueries = (client: ClickHouseClient) => ({
  /**
   * Candles of a symbol, of one source or (undefined) of each, whose minute begins in [from, to), UTC milliseconds; oldest
   * first. A minute without ticks has none. `limit` is at most MAX_CANDLES.
   */
  candles: (symbol: string, source: string | undefined, from: number, to: number, limit: number): Promise<Candle[]> =>
    read(
      client,
      candlesQuery(source !== undefined),
      { symbol, from, to, limit: Math.min(limit, MAX_CANDLES), ...(source !== undefined && { source }) },
      cost,
    ),
})
