import { readSheet } from '../../ingest/sources/shared/xlsx.ts'
import { datedValues } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import {
  figuresOf,
  figuresPath,
  monthOfDate,
  type Print,
  quarterOf,
  type SampleFile,
  type SeriesDescription,
} from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { xlsDate } from './xls.ts'

/** Australian Bureau of Statistics: time series workbooks, and two of their series as CSV `date,value`. */
const australia = { country: 'AUS', source: 'ABS', seasonal_adjustment: 'seasonally_adjusted' } as const
const dollars = { unit: 'AUD', multiplier: '1000000' }

type Read = (recorded: Recorded, path: string, series: SeriesDescription) => Print[]
type Document = { readonly path: string; readonly url: string; readonly read: Read }

const topic = (name: string) => `https://www.abs.gov.au/statistics/${name}`

/** 5206.0 Table 1, $ millions a quarter. */
const accounts: Document = {
  path: 'orotrat+ECON1102/5206001_Key_Aggregates.xlsx',
  url: topic('economy/national-accounts/australian-national-accounts-national-income-expenditure-and-product'),
  read: workbookSeries(quarterOf),
}
/** 6202.0 Table 1, persons, per cent. */
const labourForce: Document = {
  path: 'tuan891221+MAST90106---Forecasting-Australian-economic-data/project_data/data/raw/unemployment_raw.xlsx',
  url: topic('labour/employment-and-unemployment/labour-force-australia'),
  read: workbookSeries(monthOfDate),
}
/** 5368.0 Table 1, total goods, $ millions, balance of payments basis. */
const trade = (flow: 'export' | 'import'): Document => ({
  path: `Allisterh+nowcasting-Australia/nowcasting_v2/data_raw/${flow}.csv`,
  url: topic('economy/international-trade/international-trade-goods'),
  read: (recorded, path) => datedValues(recorded.text(path)),
})

/** Debits are printed as negative numbers by the ABS and as positive ones by the recorded copy. */
const series: readonly (readonly [Document, SeriesDescription])[] = [
  [accounts, { ...australia, ...dollars, indicator: 'gdp', dataset: 'A2304418T' }],
  [accounts, { ...australia, ...dollars, indicator: 'gdp-volume', dataset: 'A2304402X' }],
  [labourForce, { ...australia, indicator: 'unemployment', dataset: 'A84423050A', unit: 'percent' }],
  [labourForce, { ...australia, indicator: 'labour-force-participation', dataset: 'A84423051C', unit: 'percent' }],
  [trade('export'), { ...australia, ...dollars, indicator: 'trade-exports', dataset: 'A2718577A' }],
  [trade('import'), { ...australia, ...dollars, indicator: 'trade-imports', dataset: 'A2718603V' }],
]

export const absFiles = (recorded: Recorded): SampleFile[] =>
  series
    .filter(([{ path }]) => recorded.has(path))
    .map(([{ path, url, read }, description]) => ({
      path: figuresPath(description),
      origin: {
        publisher: 'Australian Bureau of Statistics',
        licence: 'CC BY 4.0',
        url,
        ...takenFrom(recorded, path),
      },
      figures: figuresOf(description, read(recorded, path, description)),
    }))

/** Row 10 names the series of each column; below it the first column holds the dates. */
function workbookSeries(periodOf: (date: string) => string): Read {
  return (recorded, path, { dataset }) => {
    const rows = readSheet(recorded.bytes(path), 'Data1')
    const column = [...(rows.find(({ number }) => number === 10)?.cells ?? [])].find(([, id]) => id === dataset)?.[0]
    if (column === undefined) throw new Error(`The workbook has no series ${dataset}`)
    return rows
      .filter(({ number, cells }) => number > 10 && cells.has('A'))
      .map(({ cells }) => ({ period: periodOf(xlsDate(Number(cells.get('A')))), printed: cells.get(column) ?? '' }))
  }
}
