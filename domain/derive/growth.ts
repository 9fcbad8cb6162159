import type { Release, Series } from '../../contracts/records.ts'
import type { Candidate } from '../decide-release.ts'
import { add, percentChange } from '../decimal.ts'
import { periodsOfYear, positionInYear, shiftPeriod, yearBefore, yearOf } from '../period.ts'
import { isWithdrawn } from '../prints.ts'
import { seriesOf } from '../series.ts'
import { type Derivation, derived } from './derivation.ts'

/**
 * Constant-price GDP → growth, in percent with one decimal. It compares with the same quarter a year before and with
 * the quarter before. The latter is the simple change, never annualised, even if the levels are. The year to date
 * compares Q1 to Qn with the same quarters a year before, and is left out if one of them is unknown.
 */
export const growthFromVolume: Derivation = {
  name: 'growth_from_volume',
  reads: ({ indicator, frequency }) => indicator === 'gdp-volume' && frequency === 'Q',
  needs: (_, quarter) => comparedQuarters(quarter).map((period) => ({ indicator: 'gdp-volume', period })),
  derive(current, changed) {
    const levels = current.get(changed.series.id)
    if (!levels) return []
    const series = growthSeries(changed.series)
    return quartersThatRead(changed.period).flatMap((quarter) =>
      growthOf(series, quarter, (period) => levels.get(period)),
    )
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

function growthOf(series: Series, quarter: string, at: (period: string) => Release | undefined): Candidate[] {
  const [now, before, lastYear] = comparedQuarters(quarter).map(at)
  if (!now || !before || !lastYear) return []
  const toDate = periodsOfYear('Q', yearOf(quarter)).slice(0, positionInYear(quarter))
  const [these, those] = [toDate.map(at), toDate.map((period) => at(yearBefore(period)))]
  const isToDateKnown = areKnown(these) && areKnown(those)
  const inputs = [now, before, lastYear, ...(isToDateKnown ? [...these, ...those] : [])]
  return derived(series, quarter, inputs, () => {
    const year_over_year = percentChange(levelOf(now), levelOf(lastYear))
    const quarter_over_quarter = percentChange(levelOf(now), levelOf(before))
    if (year_over_year === undefined || quarter_over_quarter === undefined) return undefined
    const year_to_date = isToDateKnown
      ? percentChange(add(...these.map(levelOf)), add(...those.map(levelOf)))
      : undefined
    return { year_over_year, quarter_over_quarter, ...(year_to_date === undefined ? {} : { year_to_date }) }
  })
}

const levelOf = ({ figures }: Release): string => figures.value ?? ''

const areKnown = (releases: readonly (Release | undefined)[]): releases is readonly Release[] =>
  releases.every((release) => release !== undefined && !isWithdrawn(release))
