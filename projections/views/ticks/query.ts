import type { ClickHouseClient } from '@clickhouse/client'
import { read } from '../read.ts'

/** A price as a source gave it. `price` is a canonical decimal; times are ISO 8601 UTC. */
export type TickRow = {
  readonly source: string
  readonly price: string
  readonly observedAt: string
  readonly appendedAt: string
  readonly url: string
}

/** Most ticks that one read gives. */
export const MAX_TICKS = 10_000

const cost = { seconds: 5, megabytes: 500, rows: MAX_TICKS }

// What two projectors wrote is there twice until it is merged.
const OF_SYMBOL = `
SELECT source, price, observed_at AS observedAt, appended_at AS appendedAt, url
FROM ticks
WHERE symbol = {symbol:String} AND NOT _marker
  AND observed_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND observed_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
ORDER BY observed_at, _partition, _offset, _index
LIMIT 1 BY observed_at, _partition, _offset, _index
LIMIT {limit:UInt32}`

export type TickQueries = ReturnType<typeof tickQueries>

/** Reads of the raw ticks. Where ClickHouse is away or too busy, each throws the problem `unavailable`. */
export const tickQueries = (client: ClickHouseClient) => ({
  /**
   * A symbol's ticks whose own time is in [from, to), UTC milliseconds; oldest first, in order of arrival within a
   * millisecond. `limit` is at most MAX_TICKS.
   */
  ticksOf: (symbol: string, from: number, to: number, limit: number): Promise<TickRow[]> =>
    read(client, OF_SYMBOL, { symbol, from, to, limit: Math.min(limit, MAX_TICKS) }, cost),
})
