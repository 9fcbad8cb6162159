import { median } from '../median.ts'
import { rounded, type SeriesView, type Verdict } from './view.ts'

/** Fewest revised values that show another base, the least share of them that has the same ratio, and how nearly. */
const FEWEST = 6
const LEAST_SHARE = 0.9
const TOLERANCE = 0.005
/** Least change of an index by another base. */
const LEAST_CHANGE = 0.01

/**
 * Changed base: the values of an index are a constant factor away from those on record. A new base is a new series, not a
 * revision. Consumer prices of the United States on the base 1967 are 2.996 times those on the base 1982–84, to within 0.1 %.
 *
 * At least 6 values change, and as many as are repeated. Nine tenths of their ratios are within 0.5 % of the median ratio,
 * which is at least 1 % away from 1.
 *
 * Example: the index of 2024 is 129.6 on the base 2015, and 108.8 on the base 2020.
 */
export function changedBase({ kind, revised, unchanged }: SeriesView): Verdict | undefined {
  if (kind !== 'index' || revised.length < FEWEST || revised.length < unchanged) return undefined
  const ratios = revised.map(({ from, to }) => to / from)
  const ratio = median(ratios)
  const same = ratios.filter((other) => Math.abs(other / ratio - 1) < TOLERANCE)
  if (Math.abs(ratio - 1) < LEAST_CHANGE || same.length < LEAST_SHARE * ratios.length) return undefined
  return {
    reason: 'held_base',
    detail: `${ratios.length} values are about ${rounded(ratio)} times those on record, as with another base. A new base is a new series, not a revision.`,
    periods: 'all',
  }
}
