import type { Frequency } from '../../contracts/records.ts'
import type { UnitCode } from '../../contracts/transformations.ts'
import { periodsAYear, shiftPeriod } from '../period.ts'
import { changeOf } from './change.ts'
import { type Figure, latestOf, missing, type Result } from './figure.ts'

/** Number of periods by which a transformation looks back; 0 if it needs no other period. */
export function periodsBack(units: UnitCode, frequency: Frequency): number {
  if (units === 'lin' || units === 'log') return 0
  return units === 'ch1' || units === 'pc1' ? periodsAYear[frequency] : 1
}

/**
 * Makes a function that transforms one figure among others, all of one frequency. It compares with exactly the period before,
 * or that of a year before, of the same figure and series. If that one has no value, the result has none.
 */
export function transformer(
  figures: readonly Figure[],
  units: UnitCode,
  frequency: Frequency,
): (figure: Figure) => Figure {
  if (units === 'lin') return (figure) => figure
  const known = new Map(figures.map((figure) => [keyOf(figure.period, figure), figure]))
  const back = periodsBack(units, frequency)
  return (figure) => {
    const { missing: _, ...now } = figure
    const before = back === 0 ? figure : known.get(keyOf(shiftPeriod(figure.period, -back), figure))
    const { released_on, released_on_basis } = before ? latestOf(figure, before) : figure
    return { ...now, released_on, released_on_basis, ...resultOf(units, figure, before, frequency) }
  }
}

const keyOf = (period: string, { number }: Figure): string => `${period} ${number}`

function resultOf(
  units: Exclude<UnitCode, 'lin'>,
  now: Figure,
  before: Figure | undefined,
  frequency: Frequency,
): Result {
  if (now.value === null) return missing(now.missing ?? 'incomplete')
  if (!before || before.value === null) return missing('no_predecessor')
  if (before.place !== now.place) return missing('other_series')
  return changeOf(units, now.value, before.value, periodsAYear[frequency])
}
