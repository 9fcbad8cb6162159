import { mappedSource } from '../../ingest/mapping/mapped-source.ts'
import { singStatMapping } from '../../ingest/mapping/publishers/singstat.ts'
import type { Recorded } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

const PATH = 'GreenOrange05+Singapore-Economic-Resilience-Index/Data/Raw/gdp_chained_2015_by_industry_quarterly_sa.csv'

/** Singapore's GDP in chained (2015) dollars, as Table Builder saves it. */
export function singstatFiles(recorded: Recorded): SampleFile[] {
  if (!recorded.has(PATH)) return []
  const singstat = mappedSource(singStatMapping)
  const origin = { ...originOf(singstat, 'https://tablebuilder.singstat.gov.sg/'), ...takenFrom(recorded, PATH) }
  const document = { bytes: recorded.bytes(PATH), dataset: 'GDP-chained-2015-dollars-quarterly-SA' }
  return filesByIndicator(origin, figuresThrough(singstat, document))
}
