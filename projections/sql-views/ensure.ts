/** Creates the views for SQL clients, and makes them anew if their definition has changed. */
import type { ClickHouseClient } from '@clickhouse/client'
import { ClickHouseFailure } from '../clickhouse.ts'
import { shortHash } from '../migrate.ts'
import { rowsOf, runStatement } from '../table.ts'
import { type SqlView, selectOf, sqlViews } from './views.ts'

/** ClickHouse's code for a missing grant. */
const ACCESS_DENIED = '497'

/**
 * Creates the views of a read model's table, which must exist. The caller owns the table's claim, so that no two
 * processes do it at once. A rebuild exchanges the table below a view, which reads it by its name.
 *
 * A server's user may lack the grant for views, which earlier releases did not need. Then there are no views, and the
 * read models go on. Throws ClickHouseFailure.
 */
export async function ensureSqlViews(client: ClickHouseClient, table: string): Promise<void> {
  const wanted = sqlViews.filter((view) => view.table === table)
  const names = wanted.map(({ name }) => name)
  const query = `
    SELECT name, comment FROM system.tables
    WHERE database = currentDatabase() AND name IN {names:Array(String)}`
  const rows = await rowsOf<{ name: string; comment: string }>(client, query, { names })
  const found = new Map(rows.map(({ name, comment }) => [name, comment]))
  for (const view of wanted) {
    const comment = commentOf(view)
    if (found.get(view.name) === comment) continue
    try {
      await runStatement(client, createStatement(view, comment), { view: view.name })
    } catch (error) {
      if (!(error instanceof ClickHouseFailure && error.code === ACCESS_DENIED)) throw error
    }
  }
}

/**
 * The view reads with the rights of the user who creates it, so its readers need none on the table. The types are
 * repeated to carry each column's description.
 */
function createStatement(view: SqlView, comment: string): string {
  const columns = view.columns.map(([name, type, , description]) => `${name} ${type} COMMENT ${literal(description)}`)
  return `CREATE OR REPLACE VIEW {view:Identifier} (${columns.join(', ')}) SQL SECURITY DEFINER AS ${selectOf(view)} COMMENT ${literal(comment)}`
}

/** Description and version of a view: the version is a hash, so no number has to be raised by hand. */
function commentOf(view: SqlView): string {
  const columns = view.columns.map(([name, type, , description]) => [name, type, description])
  return `${view.description} (${shortHash(JSON.stringify([columns, selectOf(view)]))})`
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
