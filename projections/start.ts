import { program } from '../contracts/program.ts'
import { ProjectionError } from './errors.ts'
import { rebuildAdvice } from './migrate.ts'
import type { View } from './view.ts'

/** Log start and end of a partition, see `Journal.bounds`. */
type Bounds = { readonly start: number; readonly end: number }

/**
 * Returns the offset after a table's watermark (-1: no row) to read on from. An empty table begins at the log start if
 * the topic has retention (`retentionMs` isn't null), else at 0. Throws ProjectionError if that offset isn't in the
 * journal, because going on would leave a gap that no reader sees.
 */
export function startBehind(
  view: Pick<View, 'name' | 'topic'>,
  partition: number,
  watermark: number,
  { start, end }: Bounds,
  retentionMs: number | null,
): number {
  const from = watermark < 0 && retentionMs !== null ? start : watermark + 1
  const positions = `${view.topic}/${partition} holds ${start} to ${end - 1}, and table ${view.name} is at ${watermark}`
  if (from < start) {
    throw new ProjectionError(
      'journal_gap',
      `${positions}: what lies between is gone. A rebuild keeps the table’s rows and goes on behind the gap.`,
    )
  }
  if (from > end) {
    throw new ProjectionError(
      'journal_behind',
      `${positions}: beyond the journal’s end. If the journal was set back, restore it. If something else wrote into the table (\`${program} verify\` shows the rows), ${rebuildAdvice(view.name)}`,
    )
  }
  return from
}
