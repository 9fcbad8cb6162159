import type { ClickHouseClient } from '@clickhouse/client'
import { systemTime, type Time } from '../base/time.ts'
import type { Topic } from '../contracts/topics.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { insertEncoded } from './insert-encoded.ts'
import { ensureTable } from './migrate.ts'
import { ensureSqlViews } from './sql-views/ensure.ts'
import { awaitInsertOf, awaitInserts, readWatermark, readWatermarks } from './table.ts'
import type { View } from './view.ts'

/** The tables of read models, as far as a projector needs them to fill one. All methods throw ClickHouseFailure. */
export interface ReadModel {
  /** Creates the table of a view if there is none, with what SQL clients read. Throws what `ensureTable` throws. */
  prepare<T extends Topic>(view: View<T>, journal: TypedJournal): Promise<void>
  /** Inserts a block, as `insertEncoded` does: success proves that the rows are there only if the token is new. */
  insert(table: string, columns: readonly string[], body: readonly Uint8Array[], token: string): Promise<void>
  /** Returns the greatest offset of each partition. A partition without rows is absent. */
  watermarks(table: string): Promise<Map<number, number>>
  /** Returns the greatest offset of a partition from `after` on; -1 if there is none. */
  watermark(table: string, partition: number, after: number): Promise<number>
  /** Waits until no insert into the table is running. */
  awaitInserts(table: string, signal: AbortSignal): Promise<void>
  /** Waits until no insert with this token is running. */
  awaitInsertOf(token: string, signal: AbortSignal): Promise<void>
}

export const clickHouseReadModel = (client: ClickHouseClient, time: Time = systemTime): ReadModel => ({
  async prepare(view, journal) {
    await ensureTable(client, view, journal)
    await ensureSqlViews(client, view.name)
  },
  insert: (table, columns, body, token) => insertEncoded(client, table, columns, body, token),
  watermarks: (table) => readWatermarks(client, table),
  watermark: (table, partition, after) => readWatermark(client, table, partition, after),
  awaitInserts: (table, signal) => awaitInserts(client, table, signal, time),
  awaitInsertOf: (token, signal) => awaitInsertOf(client, token, signal, time),
})
