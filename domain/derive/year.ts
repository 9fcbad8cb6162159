import type { Series } from '../../contracts/records.ts'
import { add } from '../decimal.ts'
import { periodsOfYear, yearOf } from '../period.ts'
import { seriesOf } from '../series.ts'
import { type Computed, computed, type Derivation, type InputPrint } from './derivation.ts'

/** Merchandise exports or imports of twelve months → the total of the year, once all twelve months are known. */
export const yearFromMonths: Derivation = {
  name: 'year_from_months',
  reads: ({ indicator, frequency }) =>
    frequency === 'M' && (indicator === 'trade-exports' || indicator === 'trade-imports'),
  needs: (indicator, year) => periodsOfYear('M', year).map((period) => ({ indicator, period })),
  figuresOf(prints, series, period) {
    const year = yearOf(period)
    const known = prints.get(series.id)?.periods
    const inputs = periodsOfYear('M', year).map((month) => known?.get(month))
    return inputs.every((input) => input) ? [{ series: yearSeries(series), period: year, inputs, compute: sumOf }] : []
  },
}

const areAllThere = (prints: readonly (InputPrint | undefined)[]): prints is readonly InputPrint[] =>
  prints.every((print) => print !== undefined)

const sumOf = (months: readonly (InputPrint | undefined)[]): Computed | undefined =>
  areAllThere(months)
    ? computed(months, () => ({ value: add(...months.map(({ figures }) => figures.value ?? '')) }))
    : undefined

const yearSeries = ({ id: _, ...months }: Series): Series =>
  seriesOf({ ...months, frequency: 'A', derivation: yearFromMonths.name })
