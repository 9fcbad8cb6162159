import type { Indicator } from './indicators.ts'
import type { Frequency } from './records.ts'
import type { SeasonalAdjustment } from './scalars.ts'

/**
 * Which series of a country and indicator is served where several are on record. Changing this table is configuration,
 * not a revision: nothing is rewritten, another series is shown.
 */

/** Sources, best first: the country's own office, then harmonised collections, then global ones. Unlisted ones come last. */
export const sourceOrder: readonly string[] = [
  ...['BEA', 'BLS', 'ABS', 'STATCAN', 'DESTATIS', 'INSEE', 'ONS', 'ESRI', 'SBJ', 'DOSM', 'CBS', 'SINGSTAT'],
  ...['FRED', 'OECD', 'EUROSTAT', 'BIS', 'ILO', 'WB', 'UNSD'],
]

/** The adjustment in which an indicator is usually quoted; the other is served where this one isn't on record. */
export const preferredAdjustment: Readonly<Record<Indicator, SeasonalAdjustment>> = {
  cpi: 'not_seasonally_adjusted',
  inflation: 'not_seasonally_adjusted',
  unemployment: 'seasonally_adjusted',
  'labour-force-participation': 'seasonally_adjusted',
  gdp: 'seasonally_adjusted',
  'gdp-growth': 'seasonally_adjusted',
  'gdp-volume': 'seasonally_adjusted',
  trade: 'seasonally_adjusted',
  'trade-exports': 'seasonally_adjusted',
  'trade-imports': 'seasonally_adjusted',
}

/** Which frequency "latest" means where several are served. */
export const frequencyOrder: readonly Frequency[] = ['M', 'Q', 'A']

/** Countries whose headline figure has another frequency, as `COUNTRY/indicator`. */
export const headlineFrequency: Readonly<Record<string, Frequency>> = {}
