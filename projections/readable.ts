import type { ClickHouseClient } from '@clickhouse/client'
import { failureKind } from './clickhouse.ts'
import { rowsOf } from './table.ts'

/**
 * Returns those of `tables` that ClickHouse refuses to read: dropped, renamed, damaged, without a grant. One query while
 * all can be read, one more for each table once one can't. Throws ClickHouseFailure where ClickHouse is away.
 */
export async function unreadableTables(client: ClickHouseClient, tables: readonly string[]): Promise<string[]> {
  if (await canRead(client, tables)) return []
  const readable = await Promise.all(tables.map((table) => canRead(client, [table])))
  return tables.filter((_, at) => !readable[at])
}

/** Whether a row of each table can be read, if it has any. */
async function canRead(client: ClickHouseClient, tables: readonly string[]): Promise<boolean> {
  const query = tables.map((_, at) => `(SELECT 1 FROM {table_${at}:Identifier} LIMIT 1)`).join(' UNION ALL ')
  try {
    await rowsOf(client, query, Object.fromEntries(tables.map((table, at) => [`table_${at}`, table])))
    return true
  } catch (error) {
    if (failureKind(error) === 'rejected') return false
    throw error
  }
}
