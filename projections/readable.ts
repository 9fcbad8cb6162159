import type { ClickHouseClient } from '@clickhouse/client'
import { failureKind } from './clickhouse.ts'
import { rowsOf } from './table.ts'

/**
 * Returns the `tables` that ClickHouse refuses to read: dropped, renamed, damaged, or without a grant. Runs one query
 * if all can be read, and one more per table if not. Throws ClickHouseFailure if ClickHouse is unavailable.
 */
export async function unreadableTables(client: ClickHouseClient, tables: readonly string[]): Promise<string[]> {
  if (await canRead(client, tables)) return []
  const readable = await Promise.all(tables.map((table) => canRead(client, [table])))
  return tables.filter((_, at) => !readable[at])
}

/** Tells whether all tables can be read, by reading at most one row of each. */
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
