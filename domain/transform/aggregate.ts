import type { Frequency } from '../../contracts/records.ts'
import type { AggregationMethod } from '../../contracts/transformations.ts'
import { add, roundedQuotient, wholeParts } from '../decimal.ts'
import { frequencyOf, periodsAYear, positionInYear, yearOf } from '../period.ts'
import { compareText } from '../served-series.ts'
import { SIGNIFICANT_DIGITS, withinBounds } from './change.ts'
import { type AnsweredHistory, dayOfResult, type HistoryFigure, type Result } from './figure.ts'

/** The period of a frequency that another one lies in, which is as long or shorter. */
export function periodContaining(period: string, frequency: Frequency): string {
  if (frequencyOf(period) === frequency) return period
  const year = yearOf(period)
  return frequency === 'A' ? year : `${year}-Q${Math.ceil(positionInYear(period) / 3)}`
}

/**
 * Aggregates a history to a lower frequency, each figure of an indicator by itself and within one series: the best of those
 * that answer a part of the period and have all parts. If there is none, the period has no value. A period without any figure
 * is left out. The result is in the order of periods and figures.
 */
export function aggregated(
  { answered, own }: AnsweredHistory,
  frequency: Frequency,
  method: AggregationMethod,
): AnsweredHistory {
  const target = ({ period }: HistoryFigure) => periodContaining(period, frequency)
  const bySeries = Map.groupBy(own, (figure) => `${target(figure)} ${figure.number} ${figure.place}`)
  const complete = [...bySeries.values()].flatMap(
    (parts) => aggregateOf(inOrder(parts), target, frequency, method) ?? [],
  )
  const known = new Map(complete.map((figure) => [`${figure.period} ${figure.number} ${figure.place}`, figure]))
  const groups = Map.groupBy(answered, (figure) => `${target(figure)} ${figure.number}`)
  const answers = [...groups].flatMap(([key, parts]) => {
    const places = [...new Set(parts.map(({ place }) => place))].sort((a, b) => a - b)
    const best = places.flatMap((place) => known.get(`${key} ${place}`) ?? [])[0]
    return best ?? absent(inOrder(parts), target, frequency)
  })
  return { answered: inOrder(answers), own: complete }
}

type Target = (figure: HistoryFigure) => string

/** The aggregate of one series; undefined if a part is missing. The parts are in order. */
function aggregateOf(
  parts: readonly HistoryFigure[],
  target: Target,
  frequency: Frequency,
  method: AggregationMethod,
): HistoryFigure | undefined {
  const last = parts.at(-1)
  const values = parts.flatMap(({ value }) => value ?? [])
  if (!last || values.length < partsOf(last, frequency)) return undefined
  return { ...dated(parts, last, target), ...resultOf(values, method) }
}

/** An aggregate without a value. Each part may be there, but not in one series. */
function absent(parts: readonly HistoryFigure[], target: Target, frequency: Frequency): HistoryFigure[] {
  const last = parts.at(-1)
  if (!last) return []
  const missing = parts.length < partsOf(last, frequency) ? 'incomplete' : 'other_series'
  return [{ ...dated(parts, last, target), value: null, missing }]
}

function dated(parts: readonly HistoryFigure[], last: HistoryFigure, target: Target) {
  return { period: target(last), number: last.number, place: last.place, ...dayOfResult(last, ...parts) }
}

function resultOf(values: readonly string[], method: AggregationMethod): Result {
  if (method === 'eop') return { value: values.at(-1) ?? '' }
  const sum = add(...values)
  if (method === 'sum') return withinBounds(sum)
  const { units, places } = wholeParts(sum)
  return withinBounds(roundedQuotient(units, BigInt(values.length) * 10n ** places, SIGNIFICANT_DIGITS))
}

/** Number of parts that a complete period has. */
const partsOf = ({ period }: HistoryFigure, frequency: Frequency): number =>
  periodsAYear[frequencyOf(period) ?? frequency] / periodsAYear[frequency]

const inOrder = (figures: readonly HistoryFigure[]): HistoryFigure[] =>
  figures.toSorted((a, b) => compareText(a.period, b.period) || a.number - b.number)
