import type { Indicator } from '../contracts/indicators.ts'
import type { Series } from '../contracts/records.ts'
import { rootsOf } from './derive/derivations.ts'
import { latest } from './instant.ts'
import { frequencyOf } from './period.ts'
import { type ExpectedDay, expectedOn, unknownDay } from './release-calendar.ts'

/**
 * By when figures come out at the latest, for series of which too few first prints are dated: a journal that was filled from
 * copies knows no lag of its own. The days are the timeliness that the Special Data Dissemination Standard of the IMF
 * prescribes (Guide for Subscribers and Users, table 2.1), and no event follows from them.
 */

/** Days from the end of a month or quarter, by what the standard calls its categories. */
const [ONE_MONTH, EIGHT_WEEKS, ONE_QUARTER] = [31, 56, 92]
const timeliness: Readonly<Partial<Record<Indicator, number>>> = {
  cpi: ONE_MONTH,
  inflation: ONE_MONTH,
  unemployment: ONE_QUARTER,
  'labour-force-participation': ONE_QUARTER,
  gdp: ONE_QUARTER,
  'gdp-volume': ONE_QUARTER,
  'gdp-growth': ONE_QUARTER,
  trade: EIGHT_WEEKS,
  'trade-exports': EIGHT_WEEKS,
  'trade-imports': EIGHT_WEEKS,
}

/**
 * Countries that subscribe to the standard, or to its enlarged form (SDDS Plus), among those of the interface specification's
 * figures and of the sample.
 */
const subscribers: ReadonlySet<string> = new Set(['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'MYS', 'NLD', 'SGP', 'USA'])

/**
 * The last day on which the standard lets a series' period come out: of what is derived, that of its last input. All members
 * are null for another country, and for years, of which the standard says nothing.
 */
export function standardDay(series: Pick<Series, 'country' | 'indicator' | 'derivation'>, period: string): ExpectedDay {
  if (!subscribers.has(series.country)) return unknownDay
  const days = rootsOf(series, period).map((root) =>
    frequencyOf(root.period) === 'A' ? null : expectedOn(root.period, timeliness[root.indicator]),
  )
  const known = days.filter((day) => day !== null)
  if (known.length < days.length || known.length === 0) return unknownDay
  return { expected_on: latest(...known), expected_at: null, expected_on_basis: 'standard' }
}
