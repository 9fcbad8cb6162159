import { datedValues } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import {
  figuresOf,
  figuresPath,
  monthOfDate,
  type Origin,
  type Print,
  quarterOf,
  type SampleFile,
  type SeriesDescription,
} from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { readXlsSheet, xlsDate } from './xls.ts'

/** Australian Bureau of Statistics: time series workbooks, and two of their series as CSV `date,value`. */
const origin = (url: string): Origin => ({ publisher: 'Australian Bureau of Statistics', licence: 'CC BY 4.0', url })
const australia = { country: 'AUS', source: 'ABS', seasonal_adjustment: 'seasonally_adjusted' } as const

const NATIONAL_ACCOUNTS =
  'https://www.abs.gov.au/statistics/economy/national-accounts/australian-national-accounts-national-income-expenditure-and-product'
const LABOUR_FORCE = 'https://www.abs.gov.au/statistics/labour/employment-and-unemployment/labour-force-australia'
const TRADE = 'https://www.abs.gov.au/statistics/economy/international-trade/international-trade-goods'

/** 5206.0 Table 1: Gross domestic product, current prices, seasonally adjusted, $ millions a quarter. */
const gdp: SeriesDescription = {
  ...australia,
  indicator: 'gdp',
  dataset: 'A2304418T',
  unit: 'AUD',
  multiplier: '1000000',
}
/** 6202.0 Table 1: Participation rate, persons, seasonally adjusted, per cent. */
const participation: SeriesDescription = {
  ...australia,
  indicator: 'labour-force-participation',
  dataset: 'A84423051C',
  unit: 'percent',
}
/** 5368.0 Table 1: Credits, total goods, seasonally adjusted, $ millions, balance of payments basis. */
const exported: SeriesDescription = {
  ...australia,
  indicator: 'trade-exports',
  dataset: 'A2718577A',
  unit: 'AUD',
  multiplier: '1000000',
}
/** The same of debits, which the ABS prints as negative numbers and the recorded copy as positive ones. */
const imported: SeriesDescription = {
  ...exported,
  indicator: 'trade-imports',
  dataset: 'A2718603V',
}

export function absFiles(recorded: Recorded): SampleFile[] {
  const file = (description: SeriesDescription, url: string, path: string, prints: readonly Print[]): SampleFile => ({
    path: figuresPath(description),
    origin: { ...origin(url), ...takenFrom(recorded, path) },
    figures: figuresOf(description, prints),
  })
  const workbook = (series: SeriesDescription, url: string, name: string, periodOf: (date: string) => string) => {
    const path = `USStudiesCentre+FDI-Analysis/data/${name}`
    return file(series, url, path, workbookSeries(recorded.bytes(path), series.dataset, periodOf))
  }
  const table = (series: SeriesDescription, url: string, name: string) => {
    const path = `Allisterh+nowcasting-Australia/nowcasting_v2/data_raw/${name}`
    return file(series, url, path, datedValues(recorded.text(path)))
  }
  return [
    workbook(gdp, NATIONAL_ACCOUNTS, '5206001_key_aggregates.xls', quarterOf),
    workbook(participation, LABOUR_FORCE, '6202001.xls', monthOfDate),
    table(exported, TRADE, 'export.csv'),
    table(imported, TRADE, 'import.csv'),
  ]
}

/** Row 9 (from 0) names the series of each column; below it the first column holds the dates. */
function workbookSeries(bytes: Uint8Array, seriesId: string, periodOf: (date: string) => string): Print[] {
  const rows = readXlsSheet(bytes, 'Data1')
  const column = rows[9]?.indexOf(seriesId) ?? -1
  if (column < 0) throw new Error(`The workbook has no series ${seriesId}`)
  return rows
    .slice(10)
    .map((row) => ({ period: periodOf(xlsDate(Number(row[0]))), printed: String(row[column] ?? '') }))
}
