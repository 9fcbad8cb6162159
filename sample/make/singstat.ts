import type { Recorded } from './recorded.ts'
import { figuresOf, figuresPath, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { dateBehind, rowOfPeriods } from './wide-table.ts'

/** Gross domestic product in chained (2015) dollars, quarterly, seasonally adjusted, $ millions. */
const volume: SeriesDescription = {
  indicator: 'gdp-volume',
  country: 'SGP',
  source: 'SINGSTAT',
  dataset: 'GDP-chained-2015-dollars-quarterly-SA',
  unit: 'SGD',
  multiplier: '1000000',
  seasonal_adjustment: 'seasonally_adjusted',
}
const PATH = 'GreenOrange05+Singapore-Economic-Resilience-Index/Data/Raw/gdp_chained_2015_by_industry_quarterly_sa.csv'

/** A table of the Singapore Department of Statistics, as its Table Builder saves it. */
export function singstatFiles(recorded: Recorded): SampleFile[] {
  if (!recorded.has(PATH)) return []
  const text = recorded.text(PATH)
  const on = dateBehind(text, 'Data last updated')
  const prints = rowOfPeriods(text, 'GDP In Chained (2015) Dollars').map(
    (print) => ({ ...print, released: { on, basis: 'dataset' } }) as const,
  )
  const origin = {
    publisher: 'Singapore Department of Statistics',
    licence: 'SingStat Terms of Use',
    url: 'https://tablebuilder.singstat.gov.sg/',
    ...takenFrom(recorded, PATH),
  }
  return [{ path: figuresPath(volume), origin, figures: figuresOf(volume, prints) }]
}
