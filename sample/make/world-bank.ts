import { readCsv } from '../../ingest/sources/shared/csv.ts'
import { csvRows } from './dated-values.ts'
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
import { readXlsSheet, xlsDate } from './xls.ts'

/**
 * The World Bank's World Development Indicators: those of Japan and the United Kingdom as the World Bank's own files of
 * the country, one as CSV and one as an old workbook, and others as Gapminder's public copy has them, a table an
 * indicator, with a row a country (`fra`) and year.
 */
const JAPAN = 'GeethmaJay+japan-R-shiny-Dashboard/API_JPN_DS2_en_csv_v2_9334.csv'
const UNITED_KINGDOM = 'OfficialAndre+Smart-Money-GPT/data/API_GBR_DS2_en_excel_v2_574.xls'
const COPY = 'open-numbers+ddf--open_numbers--world_development_indicators/datapoints'

type Indicator = Pick<SeriesDescription, 'indicator' | 'dataset' | 'unit' | 'decimals'>
type Described = Indicator & { readonly country: string }
const worldBank = { source: 'WB', seasonal_adjustment: 'not_seasonally_adjusted' } as const

/** Share of the population of 15 and over, from the country's labour force surveys: no modelled estimate. */
const participation: Indicator = {
  indicator: 'labour-force-participation',
  dataset: 'SL.TLF.CACT.NE.ZS',
  unit: 'percent',
}
/** Merchandise, US dollars, of the World Trade Organization. */
const exported: Indicator = { indicator: 'trade-exports', dataset: 'TX.VAL.MRCH.CD.WT', unit: 'USD', decimals: 0 }
const imported: Indicator = { ...exported, indicator: 'trade-imports', dataset: 'TM.VAL.MRCH.CD.WT' }

/**
 * Singapore's participation of 2000 and before is on another base by turns (64.1 in 1999, 49.31 in 2000, 64.4 in 2001),
 * which the table doesn't mark.
 */
const firstYears: Readonly<Record<string, string>> = { 'SGP labour-force-participation': '2001' }

export const worldBankFiles = (recorded: Recorded): SampleFile[] => [
  ...countryFile(recorded, JAPAN, { ...participation, country: 'JPN' }),
  ...countryFile(recorded, UNITED_KINGDOM, { ...participation, country: 'GBR' }),
  ...indicatorFile(recorded, participation, ['DEU', 'FRA', 'SGP']),
  ...indicatorFile(recorded, exported, ['FRA']),
  ...indicatorFile(recorded, imported, ['FRA']),
]

function indicatorFile(recorded: Recorded, indicator: Indicator, countries: readonly string[]): SampleFile[] {
  const name = indicator.dataset.toLowerCase().replaceAll('.', '_')
  const path = `${COPY}/ddf--datapoints--${name}--by--geo--time.csv`
  if (!recorded.has(path)) return []
  const rows = csvRows(recorded.text(path), ['geo', 'time', name])
  const figures = countries.flatMap((country) => {
    const first = firstYears[`${country} ${indicator.indicator}`] ?? ''
    return figuresOf(
      { ...worldBank, ...indicator, country },
      rows
        .filter((row) => row.cell('geo') === country.toLowerCase() && row.cell('time') >= first)
        .map((row) => ({ period: row.cell('time'), printed: row.cell(name) })),
    )
  })
  return [{ path: `figures/${indicator.indicator}-wb.csv`, origin: originOf(recorded, path, indicator), figures }]
}

/** A file of one country has a row for each indicator and a column for each year, and states the day of its update. */
function countryFile(recorded: Recorded, path: string, description: Described): SampleFile[] {
  if (!recorded.has(path)) return []
  const rows = path.endsWith('.xls') ? workbookRows(recorded.bytes(path)) : csvRowsOf(recorded.text(path))
  const on = rows.find(([label]) => label === 'Last Updated Date')?.[1]
  const header = rows.find(([label]) => label === 'Country Name')
  const row = rows.find(([, country, , code]) => country === description.country && code === description.dataset)
  if (on === undefined || !header || !row)
    throw new Error(`${path} has no date, no header or no ${description.dataset}`)
  const prints = header.flatMap((period, i): Print[] =>
    /^\d{4}$/.test(period) ? [{ period, printed: row[i] ?? '', released: { on, basis: 'dataset' } }] : [],
  )
  const series = { ...worldBank, ...description }
  return [{ path: figuresPath(series), origin: originOf(recorded, path, series), figures: figuresOf(series, prints) }]
}

const csvRowsOf = (text: string): string[][] => readCsv(text).map(({ cells }) => [...cells])

/** Without rows that have no cell. A day is stored as its serial number, in the cell beside its label. */
const workbookRows = (bytes: Uint8Array): string[][] =>
  readXlsSheet(bytes, 'Data').flatMap((row) => {
    const cells = Array.from(row, (cell) => String(cell ?? ''))
    return cells[0] === 'Last Updated Date' ? [[cells[0], xlsDate(Number(cells[1]))]] : [cells]
  })

const originOf = (recorded: Recorded, path: string, { dataset }: Indicator): Origin => ({
  publisher: 'World Bank',
  licence: 'CC BY 4.0',
  url: `https://data.worldbank.org/indicator/${dataset}`,
  ...takenFrom(recorded, path),
})
