import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { ProblemError } from '../../contracts/problems.ts'
import { asFailure } from '../clickhouse.ts'

/** What a read may cost at most; past it ClickHouse ends it with an error. */
export type Cost = { readonly seconds: number; readonly megabytes: number; readonly rows: number }

export type Params = Readonly<Record<string, string | number | readonly string[]>>

/** 64-bit integers come as JSON numbers: offsets and sequences stay below 2^53. Instants come as ISO 8601 UTC. */
const settingsFor = ({ seconds, megabytes, rows }: Cost): ClickHouseSettings => ({
  readonly: '2',
  max_execution_time: seconds,
  max_memory_usage: String(megabytes * 1_000_000),
  max_result_rows: String(rows),
  result_overflow_mode: 'throw',
  output_format_json_quote_64bit_integers: 0,
  date_time_output_format: 'iso',
})

/** The rows of one short read. `query` is ours and constant; whatever comes from outside is in `params`. */
export async function read<R>(client: ClickHouseClient, query: string, params: Params, cost: Cost): Promise<R[]> {
  try {
    return await (await ask(client, query, params, cost)).json<R>()
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
    const result = await ask(client, query, params, cost)
    for await (const rows of result.stream<R>()) for (const row of rows) yield row.json()
  } catch (error) {
    throw problemOf(error)
  }
}

const ask = (client: ClickHouseClient, query: string, params: Params, cost: Cost) =>
  client.query({ query, query_params: params, format: 'JSONEachRow', clickhouse_settings: settingsFor(cost) })

/** A read changes nothing, so an unknown outcome is as good as none. What ClickHouse refuses is a fault of ours. */
function problemOf(error: unknown): Error {
  const failure = asFailure(error)
  if (failure.kind === 'rejected') return failure
  return new ProblemError('unavailable', 'The read models cannot be reached.', { cause: failure })
}
