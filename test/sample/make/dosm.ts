import { dosmMapping } from '../../../ingest/map/publishers/dosm.ts'
import { periodBeginning } from '../../../ingest/read/frequency.ts'
import { isArray, isObject, parseJson, printed } from '../../../ingest/read/json.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import type { Recorded } from './recorded.ts'
import {
  figuresOf,
  figuresPath,
  type Origin,
  type Print,
  type SampleFile,
  type SeriesDescription,
} from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

const dosm = mappedSource(dosmMapping)

const documents = [
  ['lfs_month', 'mazwaniabu+PMA-Forecasting-Malaysia-Unemployment-rate/data/raw/lfs_month.csv'],
  ['trade_headline', 'ooi-darren+malaysia-ecommerce-market-intelligence/data/raw/trade_headline.csv'],
] as const

/** GDP at current prices, and the volume at prices of 2015. Neither is seasonally adjusted. */
const ringgit = {
  country: 'MYS',
  source: 'DOSM',
  unit: 'MYR',
  multiplier: '1000000',
  seasonal_adjustment: 'not_seasonally_adjusted',
} as const
const product: readonly (readonly [SeriesDescription, path: string])[] = [
  [
    { ...ringgit, indicator: 'gdp', dataset: 'gdp_qtr_nominal' },
    'lordirfan99+rakyathub/src/data/gdp-quarterly-nominal.json',
  ],
  [
    { ...ringgit, indicator: 'gdp-volume', dataset: 'gdp_qtr_real' },
    'lordirfan99+rakyathub/src/data/gdp-quarterly-real.json',
  ],
]

/** Department of Statistics Malaysia: data sets of OpenDOSM. */
export const dosmFiles = (recorded: Recorded): SampleFile[] => [
  ...documents.flatMap(([dataset, path]) =>
    filesByIndicator(originAt(recorded, path, dataset), figuresThrough(dosm, { bytes: recorded.bytes(path), dataset })),
  ),
  ...product
    .filter(([, path]) => recorded.has(path))
    .map(([description, path]) => ({
      path: figuresPath(description),
      origin: originAt(recorded, path, description.dataset),
      figures: figuresOf(description, levelsIn(recorded.text(path))),
    })),
]

/**
 * An answer of the API that was not asked for `meta` is a list of rows alone. It does not name its dataset, so that the
 * service's reader refuses it; here the dataset is known. The list has the levels (`abs`) and their growth.
 */
function levelsIn(text: string): Print[] {
  const rows = parseJson(text)
  if (!isArray(rows)) throw new Error('The answer is no list.')
  return rows.filter(isObject).flatMap((row) => {
    if (printed(row.series) !== 'abs') return []
    const [date, value] = [row.date, row.value].map(printed)
    const period = date === undefined ? undefined : periodBeginning('Q', date)
    if (period === undefined || value === undefined) throw new Error(`Not a quarter's level: ${JSON.stringify(row)}`)
    return { period, printed: value }
  })
}

const originAt = (recorded: Recorded, path: string, dataset: string): Origin => ({
  ...originOf(dosm, `https://open.dosm.gov.my/data-catalogue/${dataset}`),
  ...takenFrom(recorded, path),
})
