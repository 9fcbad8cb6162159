import { median } from '../median.ts'
import { isLevel, rounded, type SeriesView, type Verdict } from './view.ts'

/** Fewest revised values that show a power of ten, the least share of them that is near it, and how near. */
const FEWEST = 3
const LEAST_SHARE = 0.9
const TOLERANCE = 0.1
/** Percentage points by which rates and shares also change, at the median: 0.1 may well be revised to 1.0, at one decimal. */
const LEAST_POINTS = 1

/**
 * Power of ten beside the record: the values that a document revises are 10, 100, 1000 … times those on record, or a tenth …
 * No revision in the recorded files comes near: the largest of a whole history is 1.2 times (GDP of the United States, all
 * vintages). At least 3 values change, and as many as are repeated; of their ratios at least 3, and nine tenths, are within
 * 10 % of the power. Rates and shares must also move by more than a percentage point, at the median.
 *
 * Example: exports in thousands of dollars, where the record has dollars.
 */
export function powerOfTenToRecord({ kind, revised, unchanged }: SeriesView): Verdict | undefined {
  if (revised.length < FEWEST || revised.length < unchanged) return undefined
  const ratios = revised.flatMap(({ from, to }) => (from !== 0 && to !== 0 ? [to / from] : []))
  const ratio = median(ratios)
  const power = 10 ** Math.round(Math.log10(ratio))
  const near = ratios.filter((other) => Math.abs(other / power - 1) < TOLERANCE)
  if (power === 1 || near.length < FEWEST || near.length < LEAST_SHARE * ratios.length) return undefined
  if (!isLevel(kind) && median(revised.map(({ from, to }) => Math.abs(to - from))) <= LEAST_POINTS) return undefined
  return {
    reason: 'held_scale',
    detail: `${ratios.length} values are about ${rounded(ratio)} times those on record, as in another unit or with another multiplier.`,
    periods: 'all',
  }
}
