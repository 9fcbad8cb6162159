import { frequencyOf, shiftPeriod, yearBefore } from '../../../domain/period.ts'
import type { SampleSeries } from './sample-series.ts'

/** Two series of the same figure, compared in the periods that both have. */
type Comparison = { readonly compared: number; readonly equal: number; readonly largest: string }

type Values = ReadonlyMap<string, number>

/**
 * Compares the current figures of two series. Rates are compared in points, amounts in percent, indices by their change
 * from the year before, because their bases differ. Months are compared with quarters by their mean. Undefined if they
 * have no period in common.
 */
export function compareSources(served: SampleSeries, second: SampleSeries): Comparison | undefined {
  const own = prepared(served, second)
  const other = changesOf(second)
  const isAmount = !['percent', 'index'].includes(served.series.unit)
  const differences = [...own].flatMap(([period, value]) => {
    const beside = other.get(period)
    if (beside === undefined) return []
    const difference = isAmount ? (Math.abs(value - beside) / Math.abs(beside)) * 100 : Math.abs(value - beside)
    return [{ period, difference: Number(difference.toFixed(2)) }]
  })
  const [first] = differences
  if (!first) return undefined
  const largest = differences.reduce((a, b) => (b.difference > a.difference ? b : a))
  return {
    compared: differences.length,
    equal: differences.filter(({ difference }) => difference === 0).length,
    largest: `${largest.difference.toFixed(2)} ${isAmount ? '%' : 'points'} (${largest.period})`,
  }
}

const prepared = (served: SampleSeries, second: SampleSeries): Values => {
  const values = changesOf(served)
  return served.series.frequency === second.series.frequency ? values : quartersOf(values)
}

/** An index as its yearly change in percent, other figures as they are. */
function changesOf({ series, current }: SampleSeries): Values {
  const values = new Map([...current].map(([period, value]) => [period, Number(value)]))
  if (series.unit !== 'index') return values
  return new Map(
    [...values].flatMap(([period, value]) => {
      const before = values.get(yearBefore(period))
      return before === undefined ? [] : [[period, (value / before - 1) * 100] as const]
    }),
  )
}

/** The mean of the months of each quarter that has all three. */
function quartersOf(months: Values): Values {
  return new Map(
    [...months.keys()].flatMap((month) => {
      const number = Number(month.slice(5))
      if (frequencyOf(month) !== 'M' || number % 3 !== 1) return []
      const values = [0, 1, 2].map((by) => months.get(shiftPeriod(month, by)))
      const sum = values.reduce<number>((total, value) => total + (value ?? Number.NaN), 0)
      return Number.isNaN(sum) ? [] : [[`${month.slice(0, 4)}-Q${(number + 2) / 3}`, sum / 3] as const]
    }),
  )
}
