import { mappedSource } from '../../ingest/mapping/mapped-source.ts'
import { singStatMapping } from '../../ingest/mapping/publishers/singstat.ts'
import type { Recorded } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
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

export function singstatFiles(recorded: Recorded): SampleFile[] {
  const singstat = mappedSource(singStatMapping)
  return documents
    .filter(({ path }) => recorded.has(path))
    .flatMap(({ dataset, path, url }) => {
      const origin = { ...originOf(singstat, url), ...takenFrom(recorded, path) }
      return filesByIndicator(origin, figuresThrough(singstat, { bytes: recorded.bytes(path), dataset }))
    })
}
