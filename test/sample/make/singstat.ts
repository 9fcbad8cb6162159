import { singStatMapping } from '../../../ingest/map/publishers/singstat.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { csvRows } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, figuresPath, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

/** Singapore's GDP in chained (2015) dollars as Table Builder saves it, and at current prices as its API answers. */
const documents = [
  {
    dataset: 'GDP-chained-2015-dollars-quarterly-SA',
    path: 'GreenOrange05+Singapore-Economic-Resilience-Index/Data/Raw/gdp_chained_2015_by_industry_quarterly_sa.csv',
    url: 'https://tablebuilder.singstat.gov.sg/',
  },
  {
    dataset: 'M015651',
    path: 'ryanwng12+sg-foreign-labor-analysis/data/raw/labor/gdp_by_industry_quarterly.json',
    url: 'https://tablebuilder.singstat.gov.sg/table/TS/M015651',
  },
]

/** Residents of 15 and over in the middle of the year. The copy has the table with a row a series and year. */
const participation: SeriesDescription = {
  indicator: 'labour-force-participation',
  country: 'SGP',
  source: 'SINGSTAT',
  dataset: 'M182201',
  unit: 'percent',
  seasonal_adjustment: 'not_seasonally_adjusted',
}
const PARTICIPATION =
  'abey-joseph+ICT305_Project_Dashboard/data/raw/member_1/SingStat_Labour_Force_Participation_Rate.csv'

const singstat = mappedSource(singStatMapping)

export const singstatFiles = (recorded: Recorded): SampleFile[] => [
  ...documents
    .filter(({ path }) => recorded.has(path))
    .flatMap(({ dataset, path, url }) => {
      const origin = { ...originOf(singstat, url), ...takenFrom(recorded, path) }
      return filesByIndicator(origin, figuresThrough(singstat, { bytes: recorded.bytes(path), dataset }))
    }),
  ...(recorded.has(PARTICIPATION) ? [participationFile(recorded)] : []),
]

function participationFile(recorded: Recorded): SampleFile {
  const years = csvRows(recorded.text(PARTICIPATION), ['period', 'series', 'value'])
    .filter((row) => row.cell('series') === 'Total Resident Participation Rate')
    .map((row) => ({ period: row.cell('period'), printed: row.cell('value') }))
  const origin = {
    ...originOf(singstat, 'https://tablebuilder.singstat.gov.sg/table/TS/M182201'),
    ...takenFrom(recorded, PARTICIPATION),
  }
  return { path: figuresPath(participation), origin, figures: figuresOf(participation, years) }
}
