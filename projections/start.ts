import { program } from '../contracts/program.ts'
import { ProjectionError } from './errors.ts'
import { rebuildAdvice } from './migrate.ts'
import type { View } from './view.ts'

/** Oldest readable offset of a partition and the one after its newest, as `Journal.bounds` says. */
type Bounds = { readonly start: number; readonly end: number }

/**
 * Where to read on behind a table's watermark (-1: it has no row). An empty table begins where the journal does if the
 * journal is meant to forget (its retention, ms, isn't null), else at 0. Throws ProjectionError where that isn't in the journal: to go on would leave a
 * hole that nobody sees.
 */
export function startBehind(
  view: Pick<View, 'name' | 'topic'>,
  partition: number,
  watermark: number,
  { start, end }: Bounds,
  retentionMs: number | null,
): number {
  const from = watermark < 0 && retentionMs !== null ? start : watermark + 1
  const place = `${view.topic}/${partition} holds ${start} to ${end - 1}, and table ${view.name} is at ${watermark}`
  if (from < start) {
    throw new ProjectionError(
      'journal_gap',
      `${place}: what lies between is gone. A rebuild keeps the table’s rows and goes on behind the gap.`,
    )
  }
  if (from > end) {
    throw new ProjectionError(
      'journal_behind',
      `${place}: beyond the journal’s end. If the journal was set back, restore it. If something else wrote into the table (\`${program} verify\` shows the rows), ${rebuildAdvice(view.name)}`,
    )
  }
  return from
}
