import { oecdMapping } from '../../../ingest/map/publishers/oecd.ts'
import type { Figure } from '../../../ingest/source.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { type Recorded, tableOf } from './recorded.ts'
import type { SampleFile } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, originOf } from './through-reader.ts'

/** The countries of the sample that the OECD has: all but Malaysia and Singapore. */
const areas = ['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'NLD', 'USA']
/** Countries whose monthly rates are read here. Those of the others come from sources with newer ones. */
const monthlyHere = ['CAN', 'NLD']

/** Countries whose growth is read here. That of the others is derived from volumes of offices with newer ones. */
const growthHere = ['JPN', 'USA']

const UNEMPLOYMENT = 'AnkitApurv+hackathon23_somnolence/data/raw/third_party/oecd/Unemployment_Rate_OECD.csv'
const PRODUCT = 'rejaneol+iron_ore_price_forecasting/data/quarterly-gdp-oecd.csv'

/** Two files of the OECD's former data portal: harmonised unemployment (HUR) and quarterly GDP (QGDP). */
export function oecdFiles(recorded: Recorded): SampleFile[] {
  const read = (path: string, dataset: string): Figure[] => {
    const table = recorded.text(path)
    return areas.flatMap((area) => {
      const bytes = tableOf(table, (row) => row.startsWith(`"${area}",`))
      return figuresThrough(mappedSource(oecdMapping), { bytes, dataset })
    })
  }
  const unemployment = read(UNEMPLOYMENT, 'HUR')
  const product = read(PRODUCT, 'QGDP')
  const origin = (page: string, path: string) => ({
    ...originOf(mappedSource(oecdMapping), `https://www.oecd.org/en/data/indicators/${page}.html`),
    ...takenFrom(recorded, path),
  })
  return [
    {
      path: 'figures/unemployment-oecd.csv',
      origin: origin('unemployment-rate', UNEMPLOYMENT),
      figures: unemployment.filter(({ series }) => series.frequency !== 'M' || monthlyHere.includes(series.country)),
    },
    {
      path: 'figures/gdp-growth-oecd.csv',
      origin: origin('quarterly-gdp-growth', PRODUCT),
      figures: product.filter(({ series }) => series.indicator === 'gdp-growth' && growthHere.includes(series.country)),
    },
  ]
}
