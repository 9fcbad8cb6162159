import type { SeriesView, Verdict } from './view.ts'

/**
 * Fewest impossible figures, and their least share of those of an indicator that are judged together. None of the 97,133 figures
 * of the recorded files is impossible.
 */
const FEWEST = 3
const LEAST_SHARE = 0.05
/** Writes numbers in groups of three digits. */
const { format } = new Intl.NumberFormat('en')

/**
 * Impossible range: if a good part of the figures that a document states of one indicator is impossible, it states something else
 * as that indicator, so all of them are held. Of a large document the figures of one transaction are counted. Single impossible
 * figures are rejected, not held.
 *
 * Example: industrial production in the place of participation. 131 of its 1,291 figures are above 100.
 */
export function impossibleRange({ ofIndicator: { count, impossible } }: SeriesView): Verdict | undefined {
  if (impossible < FEWEST || impossible < LEAST_SHARE * count) return undefined
  const detail = `${format(impossible)} of ${format(count)} figures judged together are impossible for this indicator, so the document probably states something else.`
  return { reason: 'held_range', detail, periods: 'all' }
}
