import type { Series } from '../../contracts/records.ts'
import { percentChange } from '../decimal.ts'
import { periodsOfYear, positionInYear, shiftPeriod, yearBefore, yearOf } from '../period.ts'
import { seriesOf } from '../series.ts'
import { type Computed, computed, type Derivation, type InputPrint } from './derivation.ts'

/**
 * Consumer prices → inflation, in percent with one decimal. It compares with the same month a year before, the month
 * before, and December of the year before. A month is complete when all three are known.
 */
export const inflationFromCpi: Derivation = {
  name: 'inflation_from_cpi',
  reads: ({ indicator, frequency }) => indicator === 'cpi' && frequency === 'M',
  needs: (_, month) => comparedMonths(month).map((period) => ({ indicator: 'cpi', period })),
  figuresOf(prints, cpi, period) {
    const index = prints.get(cpi.id)?.periods
    if (!index) return []
    const series = inflationSeries(cpi)
    return monthsThatRead(period).flatMap((month) => {
      const inputs = comparedMonths(month).map((each) => index.get(each))
      return inputs.every((input) => input) ? [{ series, period: month, inputs, compute: inflationOf }] : []
    })
  },
}

/**
 * The inflation series keeps the index's base in its identity, because a rebased index is another series and so has
 * another inflation series.
 */
const inflationSeries = ({ id: _, ...cpi }: Series): Series =>
  seriesOf({ ...cpi, indicator: 'inflation', unit: 'percent', derivation: inflationFromCpi.name })

/** The months whose inflation uses the index of `month`. */
const monthsThatRead = (month: string): string[] => {
  const yearAfter = shiftPeriod(month, 12)
  const later =
    positionInYear(month) === 12 ? periodsOfYear('M', yearOf(yearAfter)) : [shiftPeriod(month, 1), yearAfter]
  return [month, ...later]
}

/** The month itself, the month before, the same month a year before, and December of the year before. */
const comparedMonths = (month: string): string[] => [
  month,
  shiftPeriod(month, -1),
  yearBefore(month),
  `${yearOf(yearBefore(month))}-12`,
]

function inflationOf([now, before, lastYear, december]: readonly (InputPrint | undefined)[]): Computed | undefined {
  if (!now || !before || !lastYear || !december) return undefined
  return computed([now, before, lastYear, december], () => {
    const change = (base: InputPrint) => percentChange(now.figures.value ?? '', base.figures.value ?? '')
    const [year_over_year, month_over_month, year_to_date] = [change(lastYear), change(before), change(december)]
    if (year_over_year === undefined || month_over_month === undefined || year_to_date === undefined) return undefined
    return { year_over_year, month_over_month, year_to_date }
  })
}
