import type { ClickHouseClient } from '@clickhouse/client'
import type { Cell } from '../../../projections/clickhouse.ts'
import { insertEncoded } from '../../../projections/insert-encoded.ts'

/** Inserts rows as one block, as the projector does with rows that it has encoded. */
export const insertBlock = (
  client: ClickHouseClient,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  token: string,
): Promise<void> =>
  insertEncoded(client, table, columns, [Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))], token)
