import { csvRows } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import {
  figuresOf,
  figuresPath,
  monthOfDate,
  type Origin,
  type SampleFile,
  type SeriesDescription,
} from './sample-file.ts'
import { takenFrom } from './taken-from.ts'

/** Department of Statistics Malaysia: data sets of OpenDOSM. */
export const catalogue = (dataset: string): Origin => ({
  publisher: 'Department of Statistics Malaysia',
  licence: 'CC BY 4.0',
  url: `https://open.dosm.gov.my/data-catalogue/${dataset}`,
})
export const malaysia = { country: 'MYS', source: 'DOSM', seasonal_adjustment: 'not_seasonally_adjusted' } as const

const unemployment: SeriesDescription = {
  ...malaysia,
  indicator: 'unemployment',
  dataset: 'lfs_month',
  unit: 'percent',
}
const participation: SeriesDescription = { ...unemployment, indicator: 'labour-force-participation' }

/** Ringgit; the file prints binary noise (`137303572007.00002`) below the sen. */
const exported: SeriesDescription = {
  ...malaysia,
  indicator: 'trade-exports',
  dataset: 'trade_headline',
  unit: 'MYR',
  decimals: 0,
}
const imported: SeriesDescription = { ...exported, indicator: 'trade-imports' }

const LABOUR = 'mazwaniabu+PMA-Forecasting-Malaysia-Unemployment-rate/data/raw/lfs_month.csv'
const TRADE = 'ooi-darren+malaysia-ecommerce-market-intelligence/data/raw/trade_headline.csv'

export function dosmFiles(recorded: Recorded): SampleFile[] {
  const labour = csvRows(recorded.text(LABOUR), ['date', 'u_rate', 'p_rate'])
  // The file stacks levels and growth rates.
  const trade = csvRows(recorded.text(TRADE), ['series', 'date', 'exports', 'imports']).filter(
    (row) => row.cell('series') === 'abs',
  )
  const file = (description: SeriesDescription, path: string, rows: typeof labour, column: string): SampleFile => ({
    path: figuresPath(description),
    origin: { ...catalogue(description.dataset), ...takenFrom(recorded, path) },
    figures: figuresOf(
      description,
      rows.map((row) => ({ period: monthOfDate(row.cell('date')), printed: row.cell(column) })),
    ),
  })
  return [
    file(unemployment, LABOUR, labour, 'u_rate'),
    file(participation, LABOUR, labour, 'p_rate'),
    file(exported, TRADE, trade, 'exports'),
    file(imported, TRADE, trade, 'imports'),
  ]
}
