import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { ProblemError } from '../../contracts/problems.ts'
import { asFailure, type QueryParams, readRows } from '../clickhouse.ts'

/** Limits of a read. Beyond them ClickHouse ends it with an error. */
export type Cost = { readonly seconds: number; readonly megabytes: number; readonly rows: number }

/**
 * Settings of a read. 64-bit integers come as JSON numbers, because offsets and sequences stay below 2^53. Instants come as
 * ISO 8601 UTC. The text of a query may have some 100,000 estimated days, where a server takes 256 KiB if not told. A user's
 * profile may have `readonly = 2`, but not `readonly = 1`, which allows no settings at all.
 */
const settingsFor = ({ seconds, megabytes, rows }: Cost): ClickHouseSettings => ({
  readonly: '2',
  max_execution_time: seconds,
  max_memory_usage: String(megabytes * 1_000_000),
  max_result_rows: String(rows),
  max_query_size: '16777216',
  output_format_json_quote_64bit_integers: 0,
  date_time_output_format: 'iso',
})

/** Returns the rows of one short read. `query` must be constant; input from outside goes into `params`. */
export async function read<R>(client: ClickHouseClient, query: string, params: QueryParams, cost: Cost): Promise<R[]> {
  try {
    return await readRows<R>(client, query, params, settingsFor(cost))
  } catch (error) {
    throw problemOf(error)
  }
}

/** ClickHouse's TOO_MANY_ROWS_OR_BYTES: the result is larger than the cost of the read allows. */
const TOO_MANY_ROWS = '396'

/** Converts an error of a read. An unknown outcome counts as `unavailable`, because a read changes nothing. */
function problemOf(error: unknown): Error {
  const failure = asFailure(error)
  if (failure.code === TOO_MANY_ROWS)
    return new ProblemError(
      'invalid_query',
      'The answer is made of more rows than one request may read. Ask for fewer series or a shorter range at once.',
      { cause: failure },
    )
  if (failure.kind === 'rejected') return failure
  return new ProblemError('unavailable', 'The read models cannot be reached.', { cause: failure })
}
