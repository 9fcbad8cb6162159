import { mappedSource } from '../../ingest/mapping/mapped-source.ts'
import { singStatMapping } from '../../ingest/mapping/publishers/singstat.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, figuresPath, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, originOf } from './through-reader.ts'
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
const VOLUME =
  'GreenOrange05+Singapore-Economic-Resilience-Index/Data/Raw/gdp_chained_2015_by_industry_quarterly_sa.csv'

/** GDP at current prices, quarterly, not adjusted: an answer of Table Builder's API. */
const PRODUCT = 'ryanwng12+sg-foreign-labor-analysis/data/raw/labor/gdp_by_industry_quarterly.json'

/** Tables of the Singapore Department of Statistics, as its Table Builder gives them. */
export const singstatFiles = (recorded: Recorded): SampleFile[] => [...volumeFile(recorded), ...productFile(recorded)]

function productFile(recorded: Recorded): SampleFile[] {
  if (!recorded.has(PRODUCT)) return []
  const singstat = mappedSource(singStatMapping)
  const origin = {
    ...originOf(singstat, 'https://tablebuilder.singstat.gov.sg/table/TS/M015651'),
    ...takenFrom(recorded, PRODUCT),
  }
  const figures = figuresThrough(singstat, { bytes: recorded.bytes(PRODUCT), dataset: 'M015651' })
  return [{ path: 'figures/gdp-SGP-singstat.csv', origin, figures }]
}

function volumeFile(recorded: Recorded): SampleFile[] {
  if (!recorded.has(VOLUME)) return []
  const text = recorded.text(VOLUME)
  const on = dateBehind(text, 'Data last updated')
  const prints = rowOfPeriods(text, 'GDP In Chained (2015) Dollars').map(
    (print) => ({ ...print, released: { on, basis: 'dataset' } }) as const,
  )
  const origin = {
    publisher: 'Singapore Department of Statistics',
    licence: 'SingStat Terms of Use',
    url: 'https://tablebuilder.singstat.gov.sg/',
    ...takenFrom(recorded, VOLUME),
  }
  return [{ path: figuresPath(volume), origin, figures: figuresOf(volume, prints) }]
}
