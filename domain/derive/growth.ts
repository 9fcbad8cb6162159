import type { Series } from '../../contracts/records.ts'
import { add, percentChange } from '../decimal.ts'
import { periodsOfYear, positionInYear, shiftPeriod, yearBefore, yearOf } from '../period.ts'
import { isWithdrawn } from '../prints.ts'
import { seriesOf } from '../series.ts'
import { type Computed, computed, type Derivation, type InputPrint } from './derivation.ts'

/**
 * Constant-price GDP → growth, in percent with one decimal. It compares with the same quarter a year before and with
 * the quarter before. The latter is the simple change, never annualised, even if the levels are. The year to date
 * compares Q1 to Qn with the same quarters a year before, and is left out if one of them is unknown.
 */
export const growthFromVolume: Derivation = {
  name: 'growth_from_volume',
  reads: ({ indicator, frequency }) => indicator === 'gdp-volume' && frequency === 'Q',
  needs: (_, quarter) => comparedQuarters(quarter).map((period) => ({ indicator: 'gdp-volume', period })),
  figuresOf(prints, volume, period) {
    const levels = prints.get(volume.id)?.periods
    if (!levels) return []
    const series = growthSeries(volume)
    return quartersThatRead(period).flatMap((quarter) => {
      const inputs = inputQuarters(quarter).map((each) => levels.get(each))
      return inputs[0] && inputs[1] && inputs[2] ? [{ series, period: quarter, inputs, compute: growthOf }] : []
    })
  },
}

const growthSeries = ({ id: _, ...volume }: Series): Series =>
  seriesOf({
    ...volume,
    indicator: 'gdp-growth',
    unit: 'percent',
    annualization: 'not_annualized',
    derivation: growthFromVolume.name,
  })

/**
 * The quarters whose growth uses the level of `quarter`: all from this one to the end of its year, the one after it,
 * and the same quarters of the next year.
 */
const quartersThatRead = (quarter: string): string[] => {
  const from = positionInYear(quarter) - 1
  const rest = (year: string) => periodsOfYear('Q', year).slice(from)
  const yearAfter = yearOf(shiftPeriod(quarter, 4))
  return [...new Set([...rest(yearOf(quarter)), shiftPeriod(quarter, 1), ...rest(yearAfter)])]
}

/** The quarter itself, the quarter before, and the same quarter a year before. */
const comparedQuarters = (quarter: string): string[] => [quarter, shiftPeriod(quarter, -1), yearBefore(quarter)]

/** The compared quarters, those of the year up to this one, and the same ones of the year before. */
const inputQuarters = (quarter: string): string[] => {
  const toDate = periodsOfYear('Q', yearOf(quarter)).slice(0, positionInYear(quarter))
  return [...comparedQuarters(quarter), ...toDate, ...toDate.map(yearBefore)]
}

function growthOf([now, before, lastYear, ...others]: readonly (InputPrint | undefined)[]): Computed | undefined {
  if (!now || !before || !lastYear) return undefined
  const isToDateKnown = areKnown(others)
  return computed([now, before, lastYear, ...(isToDateKnown ? others : [])], () => {
    const year_over_year = percentChange(levelOf(now), levelOf(lastYear))
    const quarter_over_quarter = percentChange(levelOf(now), levelOf(before))
    if (year_over_year === undefined || quarter_over_quarter === undefined) return undefined
    const year_to_date = isToDateKnown ? changeOfSums(others) : undefined
    return { year_over_year, quarter_over_quarter, ...(year_to_date === undefined ? {} : { year_to_date }) }
  })
}

/** The change from the second half to the first half. */
function changeOfSums(levels: readonly InputPrint[]): string | undefined {
  const half = levels.length / 2
  return percentChange(add(...levels.slice(0, half).map(levelOf)), add(...levels.slice(half).map(levelOf)))
}

const levelOf = ({ figures }: InputPrint): string => figures.value ?? ''

const areKnown = (prints: readonly (InputPrint | undefined)[]): prints is readonly InputPrint[] =>
  prints.every((print) => print !== undefined && !isWithdrawn(print))
