import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { ProblemError } from '../../contracts/problems.ts'
import { asFailure, readRows, rowOf } from '../clickhouse.ts'

/** What a read may cost at most; past it ClickHouse ends it with an error. */
type Cost = { readonly seconds: number; readonly megabytes: number; readonly rows: number }

type Params = Readonly<Record<string, string | number | readonly string[]>>

/**
 * 64-bit integers come as JSON numbers: offsets and sequences stay below 2^53. Instants come as ISO 8601 UTC.
 * A user whose profile says `readonly = 2` may send all of it; `readonly = 1` takes no setting at all.
 */
const settingsFor = ({ seconds, megabytes, rows }: Cost): ClickHouseSettings => ({
  readonly: '2',
  max_execution_time: seconds,
  max_memory_usage: String(megabytes * 1_000_000),
  max_result_rows: String(rows),
  output_format_json_quote_64bit_integers: 0,
  date_time_output_format: 'iso',
})

/** The rows of one short read. `query` is ours and constant; whatever comes from outside is in `params`. */
export async function read<R>(client: ClickHouseClient, query: string, params: Params, cost: Cost): Promise<R[]> {
  try {
    return await readRows<R>(client, query, params, settingsFor(cost))
  } catch (error) {
    throw problemOf(error)
  }
}

/** The same, row by row as they come, for results that are not to be held whole. */
export async function* stream<R>(
  client: ClickHouseClient,
  query: string,
  params: Params,
  cost: Cost,
): AsyncGenerator<R> {
  try {
    const result = await client.query({
      query,
      query_params: params,
      format: 'JSONEachRow',
      clickhouse_settings: settingsFor(cost),
    })
    for await (const rows of result.stream<R>()) for (const row of rows) yield rowOf(row)
  } catch (error) {
    throw problemOf(error)
  }
}

/** A read changes nothing, so an unknown outcome is as good as none. What ClickHouse refuses is a fault of ours. */
function problemOf(error: unknown): Error {
  const failure = asFailure(error)
  if (failure.kind === 'rejected') return failure
  return new ProblemError('unavailable', 'The read models cannot be reached.', { cause: failure })
}
