import type { Indicator } from '../contracts/indicators.ts'
import type { Frequency, Series } from '../contracts/records.ts'
import { addDays } from './day.ts'
import { rootsOf } from './derive/derivations.ts'
import { latest } from './instant.ts'
import { frequencyOf } from './period.ts'
import { type ExpectedDay, expectedOn, unknownDay } from './release-calendar.ts'

/**
 * When figures usually come out, for series of which too few first prints are dated: a journal that was filled from copies
 * knows no lag of its own. The days are written down by hand from what the offices usually do, so that they are less than
 * an estimate from dated prints: they give a day to a release that is to come, and no event follows from them.
 */

type Lags = Readonly<Record<string, Readonly<Partial<Record<Frequency, number>>>>>

/** Days from the end of a period to the first publication of its figure by the office of the country. */
const typicalLags: Readonly<Partial<Record<Indicator, Lags>>> = {
  cpi: {
    AUS: { M: 27 },
    CAN: { M: 19 },
    DEU: { M: 11 },
    FRA: { M: 14 },
    GBR: { M: 19 },
    JPN: { M: 21 },
    MYS: { M: 22 },
    NLD: { M: 10 },
    SGP: { M: 23 },
    USA: { M: 12 },
  },
  unemployment: {
    AUS: { M: 16 },
    CAN: { M: 8 },
    DEU: { M: 31 },
    FRA: { M: 31 },
    // A month is the middle one of the three that the survey is about.
    GBR: { M: 77, Q: 45, A: 45 },
    JPN: { M: 30 },
    MYS: { M: 39 },
    NLD: { M: 16 },
    SGP: { Q: 30 },
    USA: { M: 5 },
  },
  'labour-force-participation': {
    AUS: { M: 16 },
    CAN: { M: 8 },
    // The World Bank's yearly ones of national surveys.
    DEU: { A: 270 },
    FRA: { A: 270 },
    GBR: { A: 270 },
    JPN: { A: 270 },
    MYS: { M: 39 },
    NLD: { M: 16 },
    SGP: { A: 30 },
    USA: { M: 5 },
  },
  gdp: {
    AUS: { Q: 65 },
    CAN: { Q: 59 },
    DEU: { Q: 30 },
    FRA: { Q: 30 },
    GBR: { Q: 43 },
    JPN: { Q: 46 },
    MYS: { Q: 45 },
    NLD: { Q: 30 },
    SGP: { Q: 41 },
    USA: { Q: 30 },
  },
  'gdp-volume': {
    AUS: { Q: 65 },
    CAN: { Q: 59 },
    DEU: { Q: 30 },
    FRA: { Q: 30 },
    GBR: { Q: 43 },
    JPN: { Q: 46 },
    MYS: { Q: 45 },
    NLD: { Q: 30 },
    // The advance estimate.
    SGP: { Q: 14 },
    USA: { Q: 30 },
  },
  'trade-exports': {
    AUS: { M: 35 },
    CAN: { M: 35 },
    DEU: { M: 39 },
    // UNCTAD's yearly ones.
    FRA: { A: 110 },
    GBR: { M: 43 },
    JPN: { M: 19 },
    MYS: { M: 19 },
    NLD: { M: 47 },
    SGP: { M: 17 },
    USA: { M: 35 },
  },
}

/** Names under which a figure comes out with another one. */
const comesWith: Readonly<Partial<Record<Indicator, Indicator>>> = {
  inflation: 'cpi',
  'gdp-growth': 'gdp-volume',
  trade: 'trade-exports',
  'trade-imports': 'trade-exports',
}

/** The Friday before a Saturday, and the Monday after a Sunday. Holidays are not known here. */
function nearestWorkingDay(day: string): string {
  const weekday = new Date(day).getUTCDay()
  return weekday === 6 ? addDays(day, -1) : weekday === 0 ? addDays(day, 1) : day
}

/** The typical day of a series' period: of what is derived, that of its last input. All members are null if one is unknown. */
export function typicalDay(series: Pick<Series, 'country' | 'indicator' | 'derivation'>, period: string): ExpectedDay {
  const days = rootsOf(series, period).map((root) => {
    const lags = typicalLags[comesWith[root.indicator] ?? root.indicator]?.[series.country]
    return expectedOn(root.period, lags?.[frequencyOf(root.period) ?? 'A'])
  })
  if (days.includes(null)) return unknownDay
  const last = latest(...days.filter((day) => day !== null))
  return { expected_on: nearestWorkingDay(last), expected_at: null, expected_on_basis: 'typical' }
}
