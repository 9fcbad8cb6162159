import type { Frequency } from '../../contracts/records.ts'
import type { UnitCode } from '../../contracts/transformations.ts'
import { periodsAYear, shiftPeriod } from '../period.ts'
import { changeOf } from './change.ts'
import { type AnsweredHistory, dayOfResult, type HistoryFigure, missing, type Result } from './figure.ts'

/** Number of periods by which a transformation looks back; 0 if it needs no other period. */
export function periodsBack(units: UnitCode, frequency: Frequency): number {
  if (units === 'lin' || units === 'log') return 0
  return units === 'ch1' || units === 'pc1' ? periodsAYear[frequency] : 1
}

/**
 * Makes a function that transforms one figure of a history. It compares with exactly the period before, or that of a year
 * before, of the same figure in the same series, also where another series answers that period. Without it there is no value.
 */
export function transformer(
  { answered, own }: AnsweredHistory,
  units: UnitCode,
  frequency: Frequency,
): (figure: HistoryFigure) => HistoryFigure {
  if (units === 'lin') return (figure) => figure
  const back = periodsBack(units, frequency)
  const known = new Map(own.map((figure) => [ownKey(figure.period, figure), figure]))
  const answers = new Set(answered.filter(({ value }) => value !== null).map((figure) => keyOf(figure.period, figure)))
  return (figure) => {
    const { missing: _, ...now } = figure
    const period = shiftPeriod(figure.period, -back)
    const before = back === 0 ? figure : known.get(ownKey(period, figure))
    const { released_on, released_on_basis } = before ? dayOfResult(figure, before) : figure
    const result = before
      ? resultOf(units, figure, before, frequency)
      : missing(figure.missing ?? (answers.has(keyOf(period, figure)) ? 'other_series' : 'no_predecessor'))
    return { ...now, released_on, released_on_basis, ...result }
  }
}

const keyOf = (period: string, { number }: HistoryFigure): string => `${period} ${number}`
const ownKey = (period: string, { number, place }: HistoryFigure): string => `${period} ${number} ${place}`

function resultOf(
  units: Exclude<UnitCode, 'lin'>,
  now: HistoryFigure,
  before: HistoryFigure,
  frequency: Frequency,
): Result {
  if (now.value === null) return missing(now.missing ?? 'incomplete')
  if (before.value === null) return missing('no_predecessor')
  return changeOf(units, now.value, before.value, periodsAYear[frequency])
}
