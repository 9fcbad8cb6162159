import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { asFailure, readRows } from './clickhouse.ts'

/** What the projector asks of a table besides inserting. All throw ClickHouseFailure. */

/** Greatest offset of each partition in the table: how far it has got. A partition that isn't there has no rows yet. */
export async function readWatermarks(client: ClickHouseClient, table: string): Promise<Map<number, number>> {
  const query = 'SELECT _partition, max(_offset) AS offset FROM {table:Identifier} GROUP BY _partition'
  const rows = await rowsOf<{ _partition: number; offset: string }>(client, query, { table })
  return new Map(rows.map(({ _partition, offset }) => [_partition, Number(offset)]))
}

export async function readWatermark(client: ClickHouseClient, table: string, partition: number): Promise<number> {
  return (await readWatermarks(client, table)).get(partition) ?? -1
}

const SETTLE_POLL_MS = 25

/**
 * Waits until no INSERT into the table is running. A projector that was killed may have left one behind; were it to land
 * after its successor has read the watermark, the same rows would be written twice, which readers allow for but which
 * nobody needs.
 */
export async function awaitInserts(client: ClickHouseClient, table: string, signal: AbortSignal): Promise<void> {
  const query = `
    SELECT count() AS running FROM system.processes
    WHERE query_kind IN ('Insert', 'AsyncInsertFlush') AND position(query, {table:String}) > 0 AND is_cancelled = 0`
  for (;;) {
    signal.throwIfAborted()
    const [row] = await rowsOf<{ running: string }>(client, query, { table })
    if (Number(row?.running ?? 0) === 0) return
    await sleep(SETTLE_POLL_MS, undefined, { signal })
  }
}

/** Runs a statement of ours that changes tables. */
export async function command(
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

/** Rows of a query of ours; 64-bit integers are text. */
export async function rowsOf<R>(
  client: ClickHouseClient,
  query: string,
  params: Readonly<Record<string, string | number | readonly string[]>>,
): Promise<R[]> {
  try {
    return await readRows<R>(client, query, params)
  } catch (error) {
    throw asFailure(error)
  }
}
