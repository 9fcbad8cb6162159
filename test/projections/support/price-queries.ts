import type { ClickHouseClient } from '@clickhouse/client'
import { read } from '../../../projections/views/read.ts'

const cost = { seconds: 5, megabytes: 500, rows: 10_080 }
const within = (column: string) =>
  `${column} >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND ${column} < fromUnixTimestamp64Milli({to:Int64}, 'UTC')`

/** A price as a source gave it. `price` is a canonical decimal; times are ISO 8601 UTC. */
export type TickRow = {
  readonly source: string
  readonly price: string
  readonly observedAt: string
  readonly appendedAt: string
  readonly url: string
}

/** A symbol's ticks whose own time is in [from, to), UTC ms; oldest first, in order of arrival within a millisecond. */
export const ticksOf = (
  client: ClickHouseClient,
  symbol: string,
  from = -1e13,
  to = 1e13,
  limit = 10_000,
): Promise<TickRow[]> =>
  read(
    client,
    // What two projectors wrote is there twice until it is merged.
    `SELECT source, price, observed_at AS observedAt, appended_at AS appendedAt, url
     FROM ticks WHERE symbol = {symbol:String} AND NOT _marker AND ${within('observed_at')}
     ORDER BY observed_at, _partition, _offset, _index
     LIMIT 1 BY observed_at, _partition, _offset, _index LIMIT {limit:UInt32}`,
    { symbol, from, to, limit },
    cost,
  )

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

/** Candles of a symbol, of every source, whose minute begins in [from, to), UTC ms; oldest first. */
export const candlesOf = (client: ClickHouseClient, symbol: string, from = -1e13, to = 1e13): Promise<Candle[]> =>
  read(
    client,
    `SELECT source, minute, open, high, low, close, ticks, first_at AS firstAt, last_at AS lastAt
     FROM candles FINAL WHERE symbol = {symbol:String} AND ${within('minute')} ORDER BY minute, source`,
    { symbol, from, to },
    cost,
  )
