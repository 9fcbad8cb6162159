import type { Frequency } from './records.ts'

/**
 * The order in which series are served, if a country and indicator has several. A change of this table changes
 * configuration only: no figure is revised or rewritten, but another series is shown.
 */

/**
 * Sources, best first: the country's own statistical office, then harmonised collections, then global ones. Sources
 * that are not listed come last.
 */
export const sourceOrder: readonly string[] = [
  'BEA',
  'BLS',
  'CENSUS',
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
  'STATSNZ',
  'FRED',
  'OECD',
  'EUROSTAT',
  'BIS',
  'IMF',
  'ILO',
  'UNCTAD',
  'WB',
  'UNSD',
]

/** Frequencies in the order in which a request for the latest period chooses them. */
export const frequencyOrder: readonly Frequency[] = ['M', 'Q', 'A']

/** What the periods of a frequency are called in messages and descriptions. */
export const periodNames: Readonly<Record<Frequency, string>> = { M: 'months', Q: 'quarters', A: 'years' }
