import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { systemTime, type Time } from '../base/time.ts'
import { asFailure, ClickHouseFailure, type QueryParams, readRows } from './clickhouse.ts'

/** Operations on a table besides inserting. All throw ClickHouseFailure. */

/** Returns the watermark of each partition: its greatest offset in the table. A partition without rows is absent. */
export async function readWatermarks(client: ClickHouseClient, table: string): Promise<Map<number, number>> {
  const query = 'SELECT _partition, max(_offset) AS offset FROM {table:Identifier} GROUP BY _partition'
  const rows = await rowsOf<{ _partition: number; offset: string }>(client, query, { table })
  return new Map(rows.map(({ _partition, offset }) => [_partition, Number(offset)]))
}

/** Returns the greatest offset of a partition from `after` on; -1 if there is none. */
export async function readWatermark(
  client: ClickHouseClient,
  table: string,
  partition: number,
  after: number,
): Promise<number> {
  const query = `
    SELECT max(_offset) AS offset, count() AS rows FROM {table:Identifier}
    WHERE _partition = {partition:UInt16} AND _offset >= {after:UInt64}`
  const params = { table, partition, after: Math.max(after, 0) }
  const [row] = await rowsOf<{ offset: string; rows: string }>(client, query, params)
  return row && row.rows !== '0' ? Number(row.offset) : -1
}

/** ClickHouse's code for a missing table. */
export const UNKNOWN_TABLE = '60'

/** Awaits the result of a query; returns `otherwise` if the table does not exist yet. */
export const unlessMissing = <R>(found: Promise<R>, otherwise: R): Promise<R> =>
  found.catch((error) => {
    if (error instanceof ClickHouseFailure && error.code === UNKNOWN_TABLE) return otherwise
    throw error
  })

const SETTLE_POLL_MS = 25

/**
 * Waits until no INSERT into the table is running. A killed projector may have left one. If that landed after its
 * successor has read the watermark, the same rows would be written twice: readers tolerate that, but it wastes space.
 */
export const awaitInserts = (
  client: ClickHouseClient,
  table: string,
  signal: AbortSignal,
  time: Time = systemTime,
): Promise<void> =>
  awaitNone(client, 'position(query, {table:String}) > 0 AND is_cancelled = 0', { table }, signal, time)

/** Waits until no INSERT with this deduplication token is running. */
export const awaitInsertOf = (
  client: ClickHouseClient,
  token: string,
  signal: AbortSignal,
  time: Time,
): Promise<void> =>
  awaitNone(client, `Settings['insert_deduplication_token'] = {token:String}`, { token }, signal, time)

async function awaitNone(
  client: ClickHouseClient,
  condition: string,
  params: Readonly<Record<string, string>>,
  signal: AbortSignal,
  time: Time,
): Promise<void> {
  const query = `
    SELECT count() AS running FROM system.processes
    WHERE query_kind IN ('Insert', 'AsyncInsertFlush') AND ${condition}`
  for (;;) {
    signal.throwIfAborted()
    const [row] = await rowsOf<{ running: string }>(client, query, params)
    if (Number(row?.running ?? 0) === 0) return
    await time.after(SETTLE_POLL_MS, signal)
  }
}

/** Runs a statement that changes tables. `query` must be constant; values go into parameters. */
export async function runStatement(
  client: ClickHouseClient,
  query: string,
  params: Readonly<Record<string, string>>,
  settings: ClickHouseSettings = {},
): Promise<void> {
  try {
    await client.command({ query, query_params: params, clickhouse_settings: settings })
  } catch (error) {
    throw asFailure(error)
  }
}

export const dropTable = (client: ClickHouseClient, table: string): Promise<void> =>
  runStatement(client, 'DROP TABLE IF EXISTS {table:Identifier} SYNC', { table })

/** UUID that the store gave a table; undefined if there is none of that name. */
export async function uuidOf(client: ClickHouseClient, table: string): Promise<string | undefined> {
  const query = 'SELECT uuid FROM system.tables WHERE database = currentDatabase() AND name = {table:String}'
  const [found] = await rowsOf<{ uuid: string }>(client, query, { table })
  return found?.uuid
}

/** Returns the rows of a constant query. 64-bit integers are text. */
export async function rowsOf<R>(
  client: ClickHouseClient,
  query: string,
  params: QueryParams,
  settings: ClickHouseSettings = {},
): Promise<R[]> {
  try {
    return await readRows<R>(client, query, params, settings)
  } catch (error) {
    throw asFailure(error)
  }
}
