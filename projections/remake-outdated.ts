import { rebuildCandles } from './candle-copy.ts'
import type { FillOptions } from './fill.ts'
import { markOf, readMark } from './migrate.ts'
import { rebuild } from './rebuild.ts'
import type { View } from './view.ts'
import { candles } from './views/candles/roll.ts'

/**
 * Makes the tables anew that the `table.sql` of another release made from this journal. `onRemake` is called before each
 * of them. For a store that no other service uses: where nodes of two releases share one, each would undo what the other
 * has made, so there an operator decides (`rebuild`).
 *
 * Throws as `rebuild` and `rebuildCandles`.
 */
export async function remakeOutdated(
  views: readonly View[],
  options: FillOptions,
  onRemake: (table: string) => void,
): Promise<void> {
  const isOutdated = async (view: Parameters<typeof markOf>[0]) => {
    const mark = await readMark(options.client, view.name)
    if (mark?.journal !== options.journal.id) return false
    const outdated = mark.schema !== (await markOf(view, options.journal.id)).schema
    if (outdated) onRemake(view.name)
    return outdated
  }
  for (const view of views) if (await isOutdated(view)) await rebuild(view, options)
  // Candles come last, because they are made from the table of ticks.
  if (await isOutdated(candles)) await rebuildCandles(options)
}
