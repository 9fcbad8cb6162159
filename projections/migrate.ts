import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { ProjectionError } from './errors.ts'
import { command, rowsOf } from './table.ts'
import type { View } from './view.ts'

/**
 * What a table says of itself in its comment. `schema` is derived from the SQL that made it, so nobody has to think of
 * raising a number; `journal` is the id of the journal whose offsets its watermark means.
 */
export type TableMark = { readonly schema: string; readonly journal: string }

/** What making a table takes. */
export type TableOf = Pick<View, 'name' | 'table'>

/** Creates the tables that are missing. Throws ProjectionError `table_mismatch` where one is of another make. */
export async function migrate(client: ClickHouseClient, views: readonly TableOf[], journal: string): Promise<void> {
  for (const view of views) await ensureTable(client, view, journal)
}

/** Creates the client's database if need be. `client` must be in another one, such as `default`. */
export const createDatabase = (client: ClickHouseClient, database: string): Promise<void> =>
  command(client, 'CREATE DATABASE IF NOT EXISTS {database:Identifier}', { database })

export async function ensureTable(client: ClickHouseClient, view: TableOf, journal: string): Promise<void> {
  await createTable(client, view, view.name, journal)
  const made = await readMark(client, view.name)
  const wanted = await markOf(view, journal)
  if (made?.schema !== wanted.schema) {
    const detail = `table ${view.name} was made by another table.sql: ${advice(view)}`
    throw new ProjectionError('table_mismatch', detail)
  }
  if (made.journal !== wanted.journal) {
    const detail = `table ${view.name} was filled from journal ${made.journal}; this is ${journal}: ${advice(view)}`
    throw new ProjectionError('table_mismatch', detail)
  }
}

const advice = ({ name }: TableOf): string =>
  `end what runs its projector, then \`almanac rebuild ${name}\` makes it anew beside the old one and puts it in its place`

/** Makes the view's table under the name `table`, if there is none of that name. */
export async function createTable(
  client: ClickHouseClient,
  view: TableOf,
  table: string,
  journal: string,
): Promise<void> {
  const mark = JSON.stringify(await markOf(view, journal))
  await command(client, `${await sqlOf(view)}\nCOMMENT '${mark.replaceAll("'", "''")}'`, { table })
}

/** The mark of a table; undefined if there is no table, or none of ours. */
export async function readMark(client: ClickHouseClient, table: string): Promise<TableMark | undefined> {
  const query = 'SELECT comment FROM system.tables WHERE database = currentDatabase() AND name = {table:String}'
  const [row] = await rowsOf<{ comment: string }>(client, query, { table })
  return row?.comment.startsWith('{') ? (JSON.parse(row.comment) as TableMark) : undefined
}

/** What the mark of the view’s table is to be. */
export async function markOf(view: TableOf, journal: string): Promise<TableMark> {
  // Comments and layout make no difference.
  const sql = (await sqlOf(view))
    .replace(/--[^\n]*/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return { schema: createHash('sha256').update(sql).digest('hex').slice(0, 16), journal }
}

const sqlOf = (view: TableOf): Promise<string> => readFile(view.table, 'utf8')
