import { absMapping } from '../../../ingest/map/publishers/abs.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { datedValues } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, figuresPath, type Origin, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator, originOf } from './through-reader.ts'

/** Australian Bureau of Statistics: time series workbooks, and two series as CSV `date,value`. */
const abs = mappedSource(absMapping)

type Workbook = { readonly dataset: string; readonly path: string; readonly topic: string }

const workbooks: readonly Workbook[] = [
  {
    dataset: '5206.0',
    path: 'orotrat+ECON1102/5206001_Key_Aggregates.xlsx',
    topic: 'economy/national-accounts/australian-national-accounts-national-income-expenditure-and-product',
  },
  {
    dataset: '6202.0',
    path: 'tuan891221+MAST90106---Forecasting-Australian-economic-data/project_data/data/raw/unemployment_raw.xlsx',
    topic: 'labour/employment-and-unemployment/labour-force-australia',
  },
]

/**
 * 5368.0 table 1, total goods, balance of payments basis. Debits are printed as negative numbers by the ABS and as
 * positive ones by the recorded copy.
 */
const goods = {
  country: 'AUS',
  source: 'ABS',
  unit: 'AUD',
  multiplier: '1000000',
  seasonal_adjustment: 'seasonally_adjusted',
} as const
const TRADE = 'economy/international-trade/international-trade-goods'
const trade: readonly (readonly [SeriesDescription, path: string])[] = [
  [
    { ...goods, indicator: 'trade-exports', dataset: 'A2718577A' },
    'Allisterh+nowcasting-Australia/nowcasting_v2/data_raw/export.csv',
  ],
  [
    { ...goods, indicator: 'trade-imports', dataset: 'A2718603V' },
    'Allisterh+nowcasting-Australia/nowcasting_v2/data_raw/import.csv',
  ],
]

export const absFiles = (recorded: Recorded): SampleFile[] => [
  ...workbooks
    .filter(({ path }) => recorded.has(path))
    .flatMap(({ dataset, path, topic }) =>
      filesByIndicator(originAt(recorded, path, topic), figuresThrough(abs, { bytes: recorded.bytes(path), dataset })),
    ),
  ...trade
    .filter(([, path]) => recorded.has(path))
    .map(([description, path]) => ({
      path: figuresPath(description),
      origin: originAt(recorded, path, TRADE),
      figures: figuresOf(description, datedValues(recorded.text(path))),
    })),
]

const originAt = (recorded: Recorded, path: string, topic: string): Origin => ({
  ...originOf(abs, `https://www.abs.gov.au/statistics/${topic}`),
  ...takenFrom(recorded, path),
})
