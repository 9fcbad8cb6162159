import type { Release, Series } from '../../contracts/records.ts'
import { add } from '../decimal.ts'
import { periodsOfYear, yearOf } from '../period.ts'
import { seriesOf } from '../series.ts'
import { type Derivation, derived } from './derivation.ts'

/** Merchandise exports or imports of twelve months → the total of the year, once all twelve months are known. */
export const yearFromMonths: Derivation = {
  name: 'year_from_months',
  reads: ({ indicator, frequency }) =>
    frequency === 'M' && (indicator === 'trade-exports' || indicator === 'trade-imports'),
  needs: (indicator, year) => periodsOfYear('M', year).map((period) => ({ indicator, period })),
  derive(current, changed) {
    const year = yearOf(changed.period)
    const index = current.get(changed.series.id)
    const months = periodsOfYear('M', year).map((month) => index?.get(month))
    if (!months.every((month): month is Release => month !== undefined)) return []
    return derived(yearSeries(changed.series), year, months, () => ({
      value: add(...months.map((month) => month.figures.value ?? '')),
    }))
  },
}

const yearSeries = ({ id: _, ...months }: Series): Series =>
  seriesOf({ ...months, frequency: 'A', derivation: yearFromMonths.name })
