import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { program } from '../contracts/program.ts'
import { ProjectionError } from './errors.ts'
import { rowsOf, runStatement } from './table.ts'
import type { View } from './view.ts'

/**
 * What a table says of itself in its comment. `schema` is derived from the SQL that made it, so nobody has to think of
 * raising a number; `journal` is the id of the journal whose offsets its watermark means.
 */
type TableMark = { readonly schema: string; readonly journal: string }

/** What making a table takes. */
type TableOf = Pick<View, 'name' | 'table'>

/** Creates the client's database if need be. `client` must be in another one, such as `default`. */
export const createDatabase = (client: ClickHouseClient, database: string): Promise<void> =>
  runStatement(client, 'CREATE DATABASE IF NOT EXISTS {database:Identifier}', { database })

export async function ensureTable(client: ClickHouseClient, view: TableOf, journal: string): Promise<void> {
  await createTable(client, view, view.name, journal)
  const made = await readMark(client, view.name)
  const wanted = await markOf(view, journal)
  if (made?.schema !== wanted.schema) {
    const detail = `table ${view.name} was made by another table.sql: ${rebuildAdvice(view.name)}`
    throw new ProjectionError('table_mismatch', detail)
  }
  mustMeanOffsetsOf(journal, view.name, made)
}

/** How to have a table made anew, as the end of a sentence. */
export const rebuildAdvice = (table: string): string =>
  `end what runs its projector (of the embedded store: start it with ALMANAC_ROLES=store), then \`${program} rebuild ${table}\` makes it anew beside the old one and puts it in its place`

/** Makes the view's table under the name `table`, if there is none of that name. */
export async function createTable(
  client: ClickHouseClient,
  view: TableOf,
  table: string,
  journal: string,
): Promise<void> {
  const mark = JSON.stringify(await markOf(view, journal))
  await runStatement(client, `${await sqlOf(view)}\nCOMMENT '${mark.replaceAll("'", "''")}'`, { table })
}

/** The mark of a table; undefined if there is no table, or none of ours. */
export async function readMark(client: ClickHouseClient, table: string): Promise<TableMark | undefined> {
  return (await readMarks(client, [table])).get(table)
}

async function readMarks(client: ClickHouseClient, tables: readonly string[]): Promise<Map<string, TableMark>> {
  const query = `
    SELECT name, comment FROM system.tables
    WHERE database = currentDatabase() AND name IN {tables:Array(String)} AND startsWith(comment, '{')`
  const rows = await rowsOf<{ name: string; comment: string }>(client, query, { tables })
  return new Map(rows.map(({ name, comment }) => [name, JSON.parse(comment) as TableMark]))
}

/**
 * For who only reads: throws ProjectionError `table_mismatch` where a table is of another journal, ClickHouseFailure where
 * that can't be seen. A table that isn't there yet is as it should be.
 */
export async function mustBeOfJournal(
  client: ClickHouseClient,
  tables: readonly string[],
  journal: string,
): Promise<void> {
  for (const [name, mark] of await readMarks(client, tables)) mustMeanOffsetsOf(journal, name, mark)
}

function mustMeanOffsetsOf(journal: string, table: string, mark: TableMark): void {
  if (mark.journal === journal) return
  const detail = `table ${table} was filled from journal ${mark.journal}; this is ${journal}: name another database in ALMANAC_CLICKHOUSE_URL, or ${rebuildAdvice(table)}`
  throw new ProjectionError('table_mismatch', detail)
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
