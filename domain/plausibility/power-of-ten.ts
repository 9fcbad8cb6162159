import { median } from '../median.ts'
import { rounded, type SeriesView, type Verdict } from './view.ts'

/** Fewest revised values that show a power of ten, the least share of them that is near it, and how near. */
const FEWEST = 3
const LEAST_SHARE = 0.9
const TOLERANCE = 0.1

/**
 * Power of ten beside the record: the values that a document revises are 10, 100, 1000 … times those on record, or a tenth …
 * No revision in the recorded files comes near: the largest of a whole history is 1.2 times (GDP of the United States, all
 * vintages).
 *
 * Example: exports in thousands of dollars, where the record has dollars.
 */
export function powerOfTenToRecord({ revised, unchanged }: SeriesView): Verdict | undefined {
  if (revised.length < FEWEST || revised.length < unchanged) return undefined
  const ratios = revised.flatMap(({ from, to }) => (from !== 0 && to !== 0 ? [to / from] : []))
  const ratio = median(ratios)
  const power = 10 ** Math.round(Math.log10(ratio))
  const near = ratios.filter((other) => Math.abs(other / power - 1) < TOLERANCE)
  if (power === 1 || near.length < FEWEST || near.length < LEAST_SHARE * ratios.length) return undefined
  return {
    reason: 'held_scale',
    detail: `${ratios.length} values are about ${rounded(ratio)} times those on record, as in another unit or with another multiplier.`,
    periods: 'all',
  }
}
