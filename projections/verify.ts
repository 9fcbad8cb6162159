import type { ClickHouseClient } from '@clickhouse/client'
import type { Topic } from '../contracts/topics.ts'
import { type Comparison, compareTables } from './compare.ts'
import { type Extent, readExtent } from './extent.ts'
import { dropTable, type FillOptions, fillFromJournal } from './fill.ts'
import { ensureTable } from './migrate.ts'
import type { View } from './view.ts'

/**
 * Compares a view's table with the journal, row for row, without touching it: the view is made once more beside it. A
 * projector may be running; what it adds meanwhile isn't looked at, nor what the journal has deleted since.
 */
export async function verify<T extends Topic>(view: View<T>, options: FillOptions): Promise<Comparison> {
  const { client, journal } = options
  await ensureTable(client, view, journal.id)
  const extent = await readExtent(client, view.name, journal, view.topic)
  const copy = `${view.name}_verified`
  try {
    const starts = await fillFromJournal(view, copy, options)
    return await compareWithCopy(client, view, copy, starts, extent)
  } finally {
    await dropTable(client, copy)
  }
}

/**
 * Compares the table in use with one made from the journal, from where the journal began up to where the former is. What
 * it holds beyond the journal's end counts as different.
 */
export async function compareWithCopy(
  client: ClickHouseClient,
  view: View,
  copy: string,
  starts: ReadonlyMap<number, number>,
  { watermarks, beyond }: Extent,
): Promise<Comparison> {
  const ranges = Array.from(watermarks, ([partition, through]) => ({
    partition,
    from: starts.get(partition) ?? 0,
    through,
  }))
  const compared = await compareTables(client, view, { ours: view.name, theirs: copy }, ranges)
  const strays = beyond.reduce((sum, { rows }) => sum + rows, 0)
  return { ...compared, differences: compared.differences + strays, beyond }
}
