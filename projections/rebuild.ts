import type { ClickHouseClient } from '@clickhouse/client'
import { partitionsOf, type Topic } from '../contracts/topics.ts'
import { Lineage } from '../domain/lineage.ts'
import type { TypedJournal } from '../journal/typed.ts'
import type { Comparison } from './compare.ts'
import { ProjectionError } from './errors.ts'
import { readExtent } from './extent.ts'
import { type FillOptions, fillFromJournal } from './fill.ts'
import { isReplaced, markOf, readMark } from './migrate.ts'
import { awaitInserts, dropTable, rowsOf, runStatement } from './table.ts'
import { compareWithCopy } from './verify.ts'
import { columnsOf, type View } from './view.ts'

type Rebuilt = {
  /** Comparison with the old table; undefined if there was none, or if another `table.sql` made it. */
  readonly comparison: Comparison | undefined
  /** Number of rows copied from the old table, because the journal has deleted their records. */
  readonly takenOver: number
}

/**
 * Makes the view's table anew from the journal and swaps it in. The old table stays as `<view>_replaced`, unless both
 * are equal. Readers always see one of the two tables.
 *
 * No projector of this view may run meanwhile, so this waits for its claim until `signal` aborts. Throws
 * ProjectionError `journal_gap` if rows whose records are deleted can't be copied because another `table.sql` made the old table.
 */
export async function rebuild<T extends Topic>(view: View<T>, options: FillOptions): Promise<Rebuilt> {
  const { journal, client } = options
  const claim = await journal.claim(`projection/${view.name}`, options.signal)
  const signal = AbortSignal.any([options.signal, claim.lost])
  try {
    await awaitInserts(client, view.name, signal, options.time)
    const fresh = `${view.name}_rebuilt`
    await finishReplacement(client, view.name, fresh)
    const starts = await fillFromJournal(view, fresh, { ...options, signal })
    const mark = await readMark(client, view.name)
    const wanted = await markOf(view, journal)
    const alike = mark?.schema === wanted.schema && (await areOurs(mark.journal, view.topic, journal))
    const takenOver = mark ? await copyOldRows(client, view, fresh, starts, alike) : 0
    const comparison = alike
      ? await compareWithCopy(client, view, fresh, starts, await readExtent(client, view.name, journal, view.topic))
      : undefined
    signal.throwIfAborted()
    if (mark) await replace(client, view.name, fresh, comparison?.differences === 0)
    else
      await runStatement(client, 'RENAME TABLE {fresh:Identifier} TO {table:Identifier}', { fresh, table: view.name })
    return { comparison, takenOver }
  } finally {
    // The tables are in place by now. A claim that can't be released passes on when its owner's heartbeats stop.
    await claim.release().catch(() => undefined)
  }
}

/** Whether what the journal has deleted of a topic was the same in the history of that name. */
export async function areOurs(name: string, topic: Topic, journal: TypedJournal): Promise<boolean> {
  const starts = partitionsOf(topic).map(async (partition) => {
    const { start } = await journal.bounds(topic, partition)
    return { partition: `${topic}/${partition}`, offset: start }
  })
  return new Lineage(journal).faultOf(name, ...(await Promise.all(starts))) === undefined
}

/** Copies the rows before the journal's start and returns their number. */
async function copyOldRows(
  client: ClickHouseClient,
  view: View,
  fresh: string,
  starts: ReadonlyMap<number, number>,
  alike: boolean,
): Promise<number> {
  let rows = 0
  for (const [partition, start] of starts) {
    const older = 'FROM {table:Identifier} WHERE _partition = {partition:UInt16} AND _offset < {start:UInt64}'
    const params = { table: view.name, fresh, partition: String(partition), start: String(start) }
    const [found] = await rowsOf<{ rows: string }>(client, `SELECT count() AS rows ${older} AND NOT _marker`, params)
    const count = Number(found?.rows ?? 0)
    if (count === 0) continue
    if (!alike) {
      const detail = `the journal begins at ${start}; ${count} older rows of ${view.name} can't be made again`
      throw new ProjectionError('journal_gap', `${detail}. To go on without them, RENAME the table.`)
    }
    const columns = columnsOf(view).join(', ')
    await runStatement(client, `INSERT INTO {fresh:Identifier} (${columns}) SELECT ${columns} ${older}`, params)
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

/** Swaps `fresh` in for `table`. The old table stays as `<table>_replaced`, unless both are the same. */
export async function replace(client: ClickHouseClient, table: string, fresh: string, same: boolean): Promise<void> {
  await runStatement(client, 'EXCHANGE TABLES {table:Identifier} AND {fresh:Identifier}', { table, fresh })
  await (same ? dropTable(client, fresh) : keepReplaced(client, table, fresh))
}

async function keepReplaced(client: ClickHouseClient, table: string, fresh: string): Promise<void> {
  const replaced = `${table}_replaced`
  await dropTable(client, replaced)
  await runStatement(client, 'RENAME TABLE {fresh:Identifier} TO {replaced:Identifier}', { fresh, replaced })
}
