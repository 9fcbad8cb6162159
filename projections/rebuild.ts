import type { ClickHouseClient } from '@clickhouse/client'
import { partitionsOf, type Topic } from '../contracts/topics.ts'
import { Lineage } from '../domain/lineage.ts'
import type { TypedJournal } from '../journal/typed.ts'
import type { Comparison } from './compare.ts'
import { ProjectionError } from './errors.ts'
import { readEnds, readExtent } from './extent.ts'
import { coverDeleted, fillFromJournal, fillFurther } from './fill.ts'
import { rebuildingAlone, type TableOptions, withTable } from './hand-over.ts'
import { isReplaced, markOf, readMark, rebuiltOf } from './migrate.ts'
import { assertOwnCopy, watchForOthers } from './overtaken.ts'
import { awaitInserts, dropTable, rowsOf, runStatement } from './table.ts'
import { compareWithCopy } from './verify.ts'
import { columnsOf, type View } from './view.ts'

type Rebuilt = {
  /** Comparison with the old table; undefined if there was none, or if another `table.sql` made it. */
  readonly comparison: Comparison | undefined
  /** Number of rows copied from the old table, because the journal has deleted their records; 0 if it was of another topic. */
  readonly takenOver: number
}

/**
 * Makes the view's table anew from the journal and swaps it in. The old table stays as `<view>_replaced`, unless both
 * are equal. Readers always see one of the two tables.
 *
 * A projector may be running. It goes on while the copy is filled, hands the table over for the last records, the comparison and
 * the exchange, and goes on behind them. One of another release, whose table the copy would not be, is waited for.
 *
 * Throws ProjectionError `journal_gap` if rows whose records are deleted can't be copied, because another `table.sql` made the old
 * table and more than columns may have changed (`addsColumns`), and what `withTable` throws.
 */
export async function rebuild<T extends Topic>(view: View<T>, options: TableOptions): Promise<Rebuilt> {
  const { journal, client } = options
  return rebuildingAlone(view.name, options, async (signal) => {
    const fresh = rebuiltOf(view.name)
    await finishReplacement(client, view.name, fresh)
    const mark = await readMark(client, view.name)
    const wanted = await markOf(view, journal)
    // A user's projection may have been of another topic, whose offsets say nothing of this one's.
    const isOfTopic = (mark?.topic ?? wanted.topic) === wanted.topic
    const isOfJournal = mark !== undefined && isOfTopic && (await areOurs(mark.journal, view.topic, journal))
    const isOurs = isOfJournal && mark.schema === wanted.schema
    const asks = isOurs && mark.program === wanted.program
    const fill = (signal: AbortSignal) => fillFromJournal(view, fresh, { ...options, signal })
    const filled = asks ? await fill(signal) : undefined
    // What came meanwhile, because the projector stands still for what comes after this.
    if (filled) await fillFurther(view, fresh, filled, { ...options, signal })
    return withTable(view.name, { ...options, signal, asks }, async (owned) => {
      await awaitInserts(client, view.name, owned, options.time)
      // The copy gets all that is before these ends.
      const ends = await readEnds(journal, view.topic)
      const assertNotOvertaken = mark && (await watchForOthers(client, view.name, ends))
      const { starts, progress, uuid } = filled ?? (await fill(owned))
      await fillFurther(view, fresh, { starts, progress }, { ...options, signal: owned })
      const columns = isOurs ? columnsOf(view) : isOfJournal && view.addsColumns && (await sharedColumns(client, view))
      const takenOver = mark && isOfTopic ? await copyOldRows(client, view, fresh, starts, columns || undefined) : 0
      if (mark) await coverDeleted(view, fresh, starts, { ...options, signal: owned })
      const comparison = isOurs
        ? await compareWithCopy(client, view, fresh, starts, await readExtent(client, view.name, journal, view.topic))
        : undefined
      owned.throwIfAborted()
      await assertNotOvertaken?.()
      await assertOwnCopy(client, fresh, uuid)
      await swapIn(client, view.name, fresh, mark && { isSame: comparison?.differences === 0 })
      return { comparison, takenOver }
    })
  })
}

/** Whether what the journal has deleted of a topic was the same in the history of that name. */
export async function areOurs(name: string, topic: Topic, journal: TypedJournal): Promise<boolean> {
  const starts = partitionsOf(topic).map(async (partition) => {
    const { start } = await journal.bounds(topic, partition)
    return { partition: `${topic}/${partition}`, offset: start }
  })
  return new Lineage(journal).faultOf(name, ...(await Promise.all(starts))) === undefined
}

/** The columns of a view that its table in use has, too. */
async function sharedColumns(client: ClickHouseClient, view: View): Promise<readonly string[]> {
  const known = await rowsOf<{ name: string }>(client, COLUMNS, { table: view.name })
  const names = new Set(known.map(({ name }) => name))
  return columnsOf(view).filter((name) => names.has(name))
}

const COLUMNS = 'SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String}'

/**
 * Copies the rows before the journal's start, and returns their number without that of the markers. Throws ProjectionError
 * `journal_gap` if there are any, and no columns that can be copied.
 */
async function copyOldRows(
  client: ClickHouseClient,
  view: View,
  fresh: string,
  starts: ReadonlyMap<number, number>,
  columns: readonly string[] | undefined,
): Promise<number> {
  let rows = 0
  for (const [partition, start] of starts) {
    const older = 'FROM {table:Identifier} WHERE _partition = {partition:UInt16} AND _offset < {start:UInt64}'
    const params = { table: view.name, fresh, partition: String(partition), start: String(start) }
    const counts = `SELECT countIf(NOT _marker) AS rows, count() AS all ${older}`
    const [found] = await rowsOf<{ rows: string; all: string }>(client, counts, params)
    const count = Number(found?.rows ?? 0)
    if (!columns && count > 0) {
      const detail = `the journal begins at ${start}; ${count} older rows of ${view.name} can't be made again`
      throw new ProjectionError('journal_gap', `${detail}. To go on without them, RENAME the table.`)
    }
    if (!columns || Number(found?.all ?? 0) === 0) continue
    const names = columns.join(', ')
    await runStatement(client, `INSERT INTO {fresh:Identifier} (${names}) SELECT ${names} ${older}`, params, {
      insert_deduplicate: 0,
    })
    rows += count
  }
  return rows
}

/**
 * Finishes an earlier rebuild that was killed after it had exchanged the tables. The old table then still has the name
 * `fresh`, and the next rebuild would drop it as one that was never in use.
 */
export async function finishReplacement(client: ClickHouseClient, table: string, fresh: string): Promise<void> {
  if (await isReplaced(client, fresh, table)) await keepReplaced(client, table, fresh)
}

/** Swaps `fresh` in for `table`, if there is one: `old`. That stays as `<table>_replaced`, unless both are the same. */
export async function swapIn(
  client: ClickHouseClient,
  table: string,
  fresh: string,
  old: { readonly isSame: boolean } | undefined,
): Promise<void> {
  if (!old) return runStatement(client, 'RENAME TABLE {fresh:Identifier} TO {table:Identifier}', { fresh, table })
  await runStatement(client, 'EXCHANGE TABLES {table:Identifier} AND {fresh:Identifier}', { table, fresh })
  await (old.isSame ? dropTable(client, fresh) : keepReplaced(client, table, fresh))
}

async function keepReplaced(client: ClickHouseClient, table: string, fresh: string): Promise<void> {
  const replaced = `${table}_replaced`
  await dropTable(client, replaced)
  await runStatement(client, 'RENAME TABLE {fresh:Identifier} TO {replaced:Identifier}', { fresh, replaced })
}
