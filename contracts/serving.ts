import type { Frequency } from './records.ts'

/**
 * Which series of a country and indicator is served where several are on record. Changing this table is configuration,
 * not a revision: nothing is rewritten, another series is shown.
 */

/** Sources, best first: the country's own office, then harmonised collections, then global ones. Unlisted ones come last. */
export const sourceOrder: readonly string[] = [
  'BEA',
  'BLS',
  'ABS',
  'STATCAN',
  'DESTATIS',
  'INSEE',
  'ONS',
  'ESRI',
  'SBJ',
  'DOSM',
  'CBS',
  'SINGSTAT',
  'FRED',
  'OECD',
  'EUROSTAT',
  'BIS',
  'ILO',
  'WB',
  'UNSD',
]

/** Which frequency "latest" means where several are served. */
export const frequencyOrder: readonly Frequency[] = ['M', 'Q', 'A']

/** Countries whose headline figure has another frequency, as `COUNTRY/indicator`. */
export const headlineFrequency: Readonly<Record<string, Frequency>> = {}
