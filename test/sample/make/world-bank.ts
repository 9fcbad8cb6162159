import { worldBank } from '../../../ingest/sources/world-bank/index.ts'
import { csvRows } from './dated-values.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, type Origin, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'
import { figuresThrough, filesByIndicator } from './through-reader.ts'
import { readXlsSheet, xlsDate } from './xls.ts'

/**
 * The World Bank's World Development Indicators: those of Japan and the United Kingdom as the World Bank's own downloads of
 * the country, one as CSV and one as an old workbook, and others as Gapminder's public copy has them, a table an
 * indicator, with a row a country (`fra`) and year.
 */
const JAPAN = 'GeethmaJay+japan-R-shiny-Dashboard/API_JPN_DS2_en_csv_v2_9334.csv'
const UNITED_KINGDOM = 'OfficialAndre+Smart-Money-GPT/data/API_GBR_DS2_en_excel_v2_574.xls'
const COPY = 'open-numbers+ddf--open_numbers--world_development_indicators/datapoints'

type Indicator = Pick<SeriesDescription, 'indicator' | 'dataset' | 'unit' | 'decimals'>
const identity = { source: 'WB', seasonal_adjustment: 'not_seasonally_adjusted' } as const

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
  ...countryFile(recorded, JAPAN, participation),
  ...countryFile(recorded, UNITED_KINGDOM, participation),
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
      { ...identity, ...indicator, country },
      rows
        .filter((row) => row.cell('geo') === country.toLowerCase() && row.cell('time') >= first)
        .map((row) => ({ period: row.cell('time'), printed: row.cell(name) })),
    )
  })
  return [{ path: `figures/${indicator.indicator}-wb.csv`, origin: originOf(recorded, path, indicator), figures }]
}

function countryFile(recorded: Recorded, path: string, indicator: Indicator): SampleFile[] {
  if (!recorded.has(path)) return []
  const bytes = path.endsWith('.xls') ? asCsv(recorded.bytes(path)) : recorded.bytes(path)
  const figures = figuresThrough(worldBank(), { bytes, dataset: indicator.dataset })
  return filesByIndicator(originOf(recorded, path, indicator), figures)
}

/**
 * The rows of an old workbook as the download in CSV has them, because the service reads no `.xls`. A day is stored as its
 * serial number, in the cell beside its label, and empty cells at the end of a row are not stored.
 */
function asCsv(bytes: Uint8Array): Buffer {
  // Rows without cells are holes, which `filter` leaves out.
  const rows = readXlsSheet(bytes, 'Data').filter((row) => row.length > 0)
  const columns = Math.max(...rows.map((row) => row.length))
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const lines = rows.map((row) => {
    const cells = Array.from({ length: columns }, (_, i) => String(row[i] ?? ''))
    if (cells[0] === 'Last Updated Date') cells[1] = xlsDate(Number(cells[1]))
    return `${cells.map(quoted).join()}\n`
  })
  return Buffer.from(lines.join(''))
}

const originOf = (recorded: Recorded, path: string, { dataset }: Indicator): Origin => ({
  publisher: 'World Bank',
  licence: 'CC BY 4.0',
  url: `https://data.worldbank.org/indicator/${dataset}`,
  ...takenFrom(recorded, path),
})
