import type { ClickHouseClient } from '@clickhouse/client'
import { read } from '../read.ts'

/** Position of a tick among those of its symbol: the time of its source in UTC milliseconds, then its offset and index in the journal. */
export type TickPosition = readonly [observedAt: number, offset: number, index: number]

type TickRange = {
  /** Journal offset of the symbol's partition; later ticks are left out. */
  readonly snapshot: number
  /** First and last time of observation, inclusive, UTC milliseconds. */
  readonly first: number
  readonly last: number
  readonly after: TickPosition
  readonly limit: number
}

type TickRow = {
  readonly source: string
  readonly price: string
  readonly observed_at: string
  readonly recorded_at: string
  readonly position: TickPosition
}

const cost = { seconds: 8, megabytes: 500, rows: 110_000 }

/** Years that a DateTime64 can hold. */
const [FIRST, LAST] = [Date.UTC(1900), Date.UTC(2299)]

const POSITION = 'toUnixTimestamp64Milli(observed_at), _offset, _index'

/** A tick that two projectors wrote is there twice until ClickHouse merges it. */
const TICKS = `
SELECT source, price, observed_at, appended_at AS recorded_at, [${POSITION}] AS position
FROM ticks
WHERE symbol = {symbol:String} AND NOT _marker AND _offset <= {snapshot:UInt64}
  AND observed_at >= fromUnixTimestamp64Milli({first:Int64}, 'UTC')
  AND observed_at <= fromUnixTimestamp64Milli({last:Int64}, 'UTC')
  AND (${POSITION}) > ({at:Int64}, {offset:Int64}, {index:Int64})
ORDER BY observed_at, _partition, _offset, _index
LIMIT 1 BY observed_at, _partition, _offset, _index
LIMIT {limit:UInt32}`

const NEWEST = `
SELECT _offset AS offset, appended_at AS recordedAt
FROM ticks
WHERE symbol = {symbol:String} AND NOT _marker AND observed_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')
ORDER BY _offset DESC
LIMIT 1`

export type TickQueries = ReturnType<typeof tickQueries>

/**
 * Queries of the ticks. Each throws the problem `unavailable` if ClickHouse is unavailable or too busy.
 *
 * @param until no tick that was observed after this instant is read; UTC milliseconds
 */
export const tickQueries = (client: ClickHouseClient, until = LAST) => ({
  /** Returns the newest tick of a symbol; undefined if it has none. */
  async newest(symbol: string): Promise<{ offset: number; recordedAt: string } | undefined> {
    const [newest] = await read<{ offset: number; recordedAt: string }>(client, NEWEST, { symbol, until }, cost)
    return newest
  },

  /** Returns the ticks of a symbol by the source's time, and within a millisecond in order of arrival. */
  page(symbol: string, { snapshot, first, last, after: [at, offset, index], limit }: TickRange): Promise<TickRow[]> {
    const within = (time: number) => Math.min(Math.max(time, FIRST), LAST)
    const range = { first: within(Math.max(first, at)), last: Math.min(within(last), until) }
    return read(client, TICKS, { symbol, snapshot, ...range, at, offset, index, limit }, cost)
  },
})
