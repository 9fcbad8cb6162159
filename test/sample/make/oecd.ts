import { oecdMapping } from '../../../ingest/map/publishers/oecd.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { type Recorded, tableOf } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, originOf } from './through-reader.ts'

const oecd = mappedSource(oecdMapping)

/** The countries of the sample that the OECD has: all but Malaysia and Singapore. */
const areas = ['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'NLD', 'USA']
/** Countries whose monthly rates are read here. Those of the others come from sources with newer ones. */
const monthlyHere = ['CAN', 'NLD']

const UNEMPLOYMENT = 'AnkitApurv+hackathon23_somnolence/data/raw/third_party/oecd/Unemployment_Rate_OECD.csv'

/** Harmonised unemployment (HUR), of the OECD's former data portal. */
export function oecdFiles(recorded: Recorded): SampleFile[] {
  const table = recorded.text(UNEMPLOYMENT)
  const figures = areas.flatMap((area) => {
    const bytes = tableOf(table, (row) => row.startsWith(`"${area}",`))
    return figuresThrough(oecd, { bytes, dataset: 'HUR' })
  })
  return [
    {
      path: 'figures/unemployment-oecd.csv',
      origin: {
        ...originOf(oecd, 'https://www.oecd.org/en/data/indicators/unemployment-rate.html'),
        ...takenFrom(recorded, UNEMPLOYMENT),
      },
      figures: figures.filter(({ series }) => series.frequency !== 'M' || monthlyHere.includes(series.country)),
    },
  ]
}
