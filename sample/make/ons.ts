import { mappedSource } from '../../ingest/mapping/mapped-source.ts'
import { onsMapping } from '../../ingest/mapping/publishers/ons.ts'
import type { Recorded } from './recorded.ts'
import { figuresPath, type SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, originOf } from './through-reader.ts'

/** Time series of the Office for National Statistics: CSV of a series, and of the whole release PN2. */
const documents = [
  {
    series: 'MGSX',
    path: 'rafi-1110+The-UK-Economy-Through-Data-Trends-Relationships-Crises/data/raw/unemployment_rate_seasonally_adjusted_percentage.csv',
    url: 'https://www.ons.gov.uk/employmentandlabourmarket/peoplenotinwork/unemployment/timeseries/mgsx/lms',
  },
  {
    // The release also has GDP at current prices, YBHA, of which FRED has newer quarters.
    series: 'ABMI',
    path: 'rebeccajjones+G7-Trade-Comparison/data/raw/pn2.csv',
    url: 'https://www.ons.gov.uk/economy/grossdomesticproductgdp/timeseries/abmi/pn2',
  },
]

export const onsFiles = (recorded: Recorded): SampleFile[] =>
  documents.flatMap(({ series: dataset, path, url }) => {
    if (!recorded.has(path)) return []
    const ons = mappedSource(onsMapping)
    const figures = figuresThrough(ons, { bytes: recorded.bytes(path), dataset }).filter(
      ({ series }) => series.dataset === dataset,
    )
    const [first] = figures
    if (!first) throw new Error(`${path} has no ${dataset}`)
    return [
      { path: figuresPath(first.series), origin: { ...originOf(ons, url), ...takenFrom(recorded, path) }, figures },
    ]
  })
