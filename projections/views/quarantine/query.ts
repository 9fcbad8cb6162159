import type { ClickHouseClient } from '@clickhouse/client'
import { read } from '../read.ts'

type RejectedCount = {
  readonly source: string
  readonly reason: string
  readonly inputs: number
  /** Time and detail of the newest input. */
  readonly last: string
  readonly detail: string
}

const cost = { seconds: 10, megabytes: 500, rows: 10_000 }

const COUNTS = `
SELECT source, reason, uniqExact(input_id) AS inputs, max(recorded_at) AS last, argMax(detail, _offset) AS detail
FROM quarantine
WHERE NOT _marker AND recorded_at >= {since:DateTime64(3, 'UTC')}
GROUP BY source, reason
ORDER BY inputs DESC, source, reason
LIMIT 1000`

const HELD = `
SELECT DISTINCT location
FROM quarantine
WHERE NOT _marker AND startsWith(reason, 'held_')
  AND input_id NOT IN (SELECT location FROM quarantine WHERE NOT _marker AND reason = 'approved')
ORDER BY location
LIMIT 10000`

export const quarantineQueries = (client: ClickHouseClient) => ({
  /** Counts the inputs that were rejected since an instant (UTC milliseconds), by source and reason. */
  rejectedSince: (since: number): Promise<RejectedCount[]> =>
    read(client, COUNTS, { since: new Date(since).toISOString().replace('T', ' ').slice(0, 23) }, cost),

  /** Returns where the inputs that wait for review are from, in order. */
  heldLocations: async (): Promise<string[]> =>
    (await read<{ readonly location: string }>(client, HELD, {}, cost)).map(({ location }) => location),
})
