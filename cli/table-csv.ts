import { pipeline } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { asFailure } from '../projections/clickhouse.ts'
import { UNKNOWN_TABLE } from '../projections/table.ts'
import type { View } from '../projections/view.ts'
import { UsageError } from './command.ts'

const quoted = (column: string): string => `\`${column}\``

/** Prints a view's table as CSV with a header, sorted by columns of its own and then by its journal. */
export async function printCsv(
  client: ClickHouseClient,
  { name, columns }: Pick<View, 'name' | 'columns'>,
  orderBy: readonly string[],
): Promise<number> {
  const order = [...orderBy.map(quoted), '_partition', '_offset', '_index'].join(', ')
  const query = `SELECT ${columns.map(quoted).join(', ')} FROM {table:Identifier} FINAL WHERE NOT _marker ORDER BY ${order} FORMAT CSVWithNames`
  try {
    const { stream } = await client.exec({ query, query_params: { table: name } })
    await pipeline(stream, process.stdout, { end: false })
    return 0
  } catch (error) {
    // The reader of the output, such as `head`, has closed the pipe: that ends the command and is no error.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0
    const failure = asFailure(error)
    if (failure.code === UNKNOWN_TABLE)
      throw new UsageError(`there is no table ${name} yet: run the command without --csv first`, { cause: error })
    throw failure
  }
}
