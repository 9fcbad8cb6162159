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
  lastUpdated: '2017-08-01',
}
/** 6202.0 Table 1: Participation rate, persons, seasonally adjusted, per cent. */
const participation: SeriesDescription = {
  ...australia,
  indicator: 'labour-force-participation',
  dataset: 'A84423051C',
  unit: 'percent',
  lastUpdated: '2017-08-01',
}
/** 5368.0 Table 1: Credits, total goods, seasonally adjusted, $ millions, balance of payments basis. */
const exported: SeriesDescription = {
  ...australia,
  indicator: 'trade-exports',
  dataset: 'A2718577A',
  unit: 'AUD',
  multiplier: '1000000',
  lastUpdated: '2026-08-10',
}
/** The same of debits, which the ABS prints as negative numbers and the recorded copy as positive ones. */
const imported: SeriesDescription = {
  ...exported,
  indicator: 'trade-imports',
  dataset: 'A2718603V',
  lastUpdated: '2026-06-11',
}

export function absFiles(recorded: Recorded): SampleFile[] {
  const file = (description: SeriesDescription, url: string, prints: readonly Print[]): SampleFile => ({
    path: figuresPath(description),
    origin: origin(url),
    figures: figuresOf(description, prints),
  })
  const workbook = (path: string, { dataset }: SeriesDescription, periodOf: (date: string) => string) =>
    workbookSeries(recorded.bytes(`USStudiesCentre+FDI-Analysis/data/${path}`), dataset, periodOf)
  const copy = (path: string) => recorded.text(`Allisterh+nowcasting-Australia/nowcasting_v2/data_raw/${path}`)
  return [
    file(gdp, NATIONAL_ACCOUNTS, workbook('5206001_key_aggregates.xls', gdp, quarterOf)),
    file(participation, LABOUR_FORCE, workbook('6202001.xls', participation, monthOfDate)),
    file(exported, TRADE, datedValues(copy('export.csv'))),
    file(imported, TRADE, datedValues(copy('import.csv'))),
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
