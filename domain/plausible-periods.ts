import { frequencyOf, shiftPeriod } from './period.ts'
import type { RevisionFault } from './plausible-revisions.ts'
import type { OnRecord, Point } from './plausible-steps.ts'

/** Fewest figures that show a shift, and their least share of those that change the record. */
const FEWEST = 8
const LEAST_SHARE = 0.95
/** Numbers that differ by less are one decimal, computed in two ways. */
const ROUNDING = 1e-9

/**
 * Says whether the figures of one publication are those on record of the period before, or after. Such a document dates its
 * periods otherwise, for example by the month of release. Figures that repeat the record tell nothing.
 */
export function faultOfPeriods(points: readonly Point[], recorded: OnRecord): RevisionFault | undefined {
  const changed = points.filter(({ period, value }) => {
    const before = recorded(period)
    return before !== undefined && !areEqualNumbers(before, value) && frequencyOf(period)
  })
  if (changed.length < FEWEST) return undefined
  for (const [shift, name] of [
    [-1, 'before'],
    [1, 'after'],
  ] as const) {
    const shifted = changed.filter(({ period, value }) => {
      const neighbour = recorded(shiftPeriod(period, shift))
      return neighbour !== undefined && areEqualNumbers(neighbour, value)
    })
    // The figure at the end of the record has no neighbour.
    if (shifted.length >= LEAST_SHARE * (changed.length - 1) && shifted.length >= FEWEST - 1)
      return {
        reason: 'held_series',
        detail: `${shifted.length} of ${changed.length} figures that differ are those on record of the period ${name} theirs.`,
      }
  }
  return undefined
}

/** Whether two numbers are one decimal. */
export const areEqualNumbers = (a: number, b: number): boolean => Math.abs(a - b) <= ROUNDING * Math.abs(b)
