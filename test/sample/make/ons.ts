import { onsMapping } from '../../../ingest/map/publishers/ons.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import type { Recorded } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

/** Time series of the Office for National Statistics: CSV of a series, and of the whole release PN2. */
const documents = [
  {
    dataset: 'MGSX',
    path: 'rafi-1110+The-UK-Economy-Through-Data-Trends-Relationships-Crises/data/raw/unemployment_rate_seasonally_adjusted_percentage.csv',
    url: 'https://www.ons.gov.uk/employmentandlabourmarket/peoplenotinwork/unemployment/timeseries/mgsx/lms',
  },
  {
    // The release also has GDP at current prices, YBHA, of which FRED has newer quarters.
    dataset: 'ABMI',
    path: 'rebeccajjones+G7-Trade-Comparison/data/raw/pn2.csv',
    url: 'https://www.ons.gov.uk/economy/grossdomesticproductgdp/timeseries/abmi/pn2',
  },
]

export function onsFiles(recorded: Recorded): SampleFile[] {
  const ons = mappedSource(onsMapping)
  return documents
    .filter(({ path }) => recorded.has(path))
    .flatMap(({ dataset, path, url }) => {
      const origin = { ...originOf(ons, url), ...takenFrom(recorded, path) }
      return filesByIndicator(origin, figuresThrough(ons, { bytes: recorded.bytes(path), dataset }))
    })
}
