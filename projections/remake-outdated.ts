import { Lineage } from '../domain/lineage.ts'
import { rebuildCandles } from './candle-copy.ts'
import type { FillOptions } from './fill.ts'
import { historyFaultOf, markOf, readMark } from './migrate.ts'
import { rebuild } from './rebuild.ts'
import type { View } from './view.ts'
import { candles } from './views/candles/roll.ts'

/**
 * Makes the tables anew that the `table.sql` of another release made from this journal, or that have rows of another
 * history of it. `onRemake` is called before each of them, with the reason. For a store that no other service uses:
 * where nodes of two releases share one, each would undo what the other has made, so there an operator decides
 * (`rebuild`).
 *
 * Throws as `rebuild` and `rebuildCandles`.
 */
export async function remakeOutdated(
  views: readonly View[],
  options: FillOptions,
  onRemake: (table: string, because: 'release' | 'restore') => void,
): Promise<void> {
  const { client, journal } = options
  const lineage = new Lineage(journal)
  const isOutdated = async (view: Parameters<typeof markOf>[0]) => {
    const mark = await readMark(client, view.name)
    if (!mark) return false
    const fault = await historyFaultOf(client, view, mark, lineage)
    if (fault === 'foreign') return false
    const isOfRelease = mark.schema === (await markOf(view, journal)).schema
    if (isOfRelease && !fault) return false
    onRemake(view.name, fault ? 'restore' : 'release')
    return true
  }
  for (const view of views) if (await isOutdated(view)) await rebuild(view, options)
  // Candles come last, because they are made from the table of ticks.
  if (await isOutdated(candles)) await rebuildCandles(options)
}
