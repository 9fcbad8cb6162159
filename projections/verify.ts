import type { ClickHouseClient } from '@clickhouse/client'
import type { Topic } from '../contracts/topics.ts'
import { type Comparison, compareTables } from './compare.ts'
import { type Extent, readExtent } from './extent.ts'
import { fillFromJournal } from './fill.ts'
import { comparingAlone, type TableOptions } from './hand-over.ts'
import { ensureTable } from './migrate.ts'
import type { View } from './view.ts'

/**
 * Compares a view's table with the journal, row for row, by making the view once more in a second table. A projector
 * may be running; rows that it adds meanwhile are left out, and so are rows whose records the journal deletes meanwhile.
 * Throws ProjectionError `table_mismatch`, and `verify_running` if another process compares the table and goes on doing so.
 */
export async function verify<T extends Topic>(view: View<T>, options: TableOptions): Promise<Comparison> {
  const { client, journal } = options
  await ensureTable(client, view, journal)
  return comparingAlone(view.name, options, async (copy, signal) => {
    const extent = await readExtent(client, view.name, journal, view.topic)
    const { starts } = await fillFromJournal(view, copy, { ...options, signal })
    return await compareWithCopy(client, view, copy, starts, extent)
  })
}

/**
 * Compares the table in use with a copy made from the journal, from the log start to the table's watermark. Rows beyond
 * the journal's end count as differences.
 */
export async function compareWithCopy(
  client: ClickHouseClient,
  view: View,
  copy: string,
  starts: ReadonlyMap<number, number>,
  { watermarks, behind, beyond }: Extent,
): Promise<Comparison> {
  const ranges = Array.from(watermarks, ([partition, through]) => ({
    partition,
    from: starts.get(partition) ?? 0,
    through,
  }))
  const compared = await compareTables(client, view, { ours: view.name, theirs: copy }, ranges)
  const strays = beyond.reduce((sum, { rows }) => sum + rows, 0)
  return { ...compared, differences: compared.differences + strays, behind, beyond }
}
