import type { Frequency } from '../../contracts/records.ts'
import type { AggregationMethod } from '../../contracts/transformations.ts'
import { add, roundedQuotient, wholeParts } from '../decimal.ts'
import { frequencyOf, periodsAYear, positionInYear, yearOf } from '../period.ts'
import { SIGNIFICANT_DIGITS, withinBounds } from './change.ts'
import { type Figure, latestOf, missing, type Result } from './figure.ts'

/** The year or quarter that a shorter period lies in. */
export function periodContaining(period: string, frequency: 'A' | 'Q'): string {
  const year = yearOf(period)
  return frequency === 'A' ? year : `${year}-Q${Math.ceil(positionInYear(period) / 3)}`
}

/**
 * Aggregates figures to a lower frequency, each figure of an indicator by itself. A period of which one part has no figure,
 * or parts of different series, has no value. A period without any figure is left out. The result is in the order of periods and figures.
 */
export function aggregated(figures: readonly Figure[], frequency: 'A' | 'Q', method: AggregationMethod): Figure[] {
  const groups = Map.groupBy(figures, ({ period, number }) => `${periodContaining(period, frequency)} ${number}`)
  return [...groups.values()]
    .flatMap((parts) => aggregateOf(inOrder(parts), frequency, method))
    .sort((a, b) => comparePeriods(a, b) || a.number - b.number)
}

function aggregateOf(parts: readonly Figure[], frequency: 'A' | 'Q', method: AggregationMethod): Figure[] {
  const last = parts.at(-1)
  if (!last) return []
  const { released_on, released_on_basis } = latestOf(last, ...parts)
  const { number, place } = last
  const own = { period: periodContaining(last.period, frequency), number, place, released_on, released_on_basis }
  return [{ ...own, ...resultOf(parts, frequency, method) }]
}

function resultOf(parts: readonly Figure[], frequency: 'A' | 'Q', method: AggregationMethod): Result {
  const values = parts.flatMap(({ value }) => value ?? [])
  if (values.length < partsOf(parts, frequency)) return missing('incomplete')
  if (new Set(parts.map(({ place }) => place)).size > 1) return missing('other_series')
  if (method === 'eop') return { value: values.at(-1) ?? '' }
  const sum = add(...values)
  if (method === 'sum') return withinBounds(sum)
  const { units, places } = wholeParts(sum)
  return withinBounds(roundedQuotient(units, BigInt(values.length) * 10n ** places, SIGNIFICANT_DIGITS))
}

/** Number of parts that a complete period has. */
function partsOf([first]: readonly Figure[], frequency: Frequency): number {
  const own = frequencyOf(first?.period ?? '') ?? frequency
  return periodsAYear[own] / periodsAYear[frequency]
}

const comparePeriods = (a: Figure, b: Figure): number => (a.period < b.period ? -1 : a.period > b.period ? 1 : 0)
const inOrder = (figures: readonly Figure[]): Figure[] => figures.toSorted(comparePeriods)
