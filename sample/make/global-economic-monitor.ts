import { readSheet } from '../../ingest/sources/shared/xlsx.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, figuresPath, type Print, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'

/**
 * The World Bank's Global Economic Monitor: a workbook for each indicator, in it a sheet for each frequency, with a row
 * a period (`2025M07`) and a column a country. `NA` stands where there is no figure.
 */
const FOLDER = 'AGR19+GEMR-KG-Global-Emerging-Markets-Risk-Knowledge-Graph/data/raw/economy/GemDataEXTR'

type Sheet = {
  readonly workbook: string
  readonly sheet: 'monthly' | 'quarterly'
  readonly description: Omit<SeriesDescription, 'country'>
  /** Column names of the countries taken. */
  readonly countries: Readonly<Record<string, string>>
}

const dollars = { source: 'WB', unit: 'USD', multiplier: '1000000' } as const
const original = { ...dollars, seasonal_adjustment: 'not_seasonally_adjusted' } as const
const adjusted = { ...dollars, seasonal_adjustment: 'seasonally_adjusted' } as const

/** Canada's imports are there with seasonal adjustment only. */
const asCounted = { DEU: 'Germany', JPN: 'Japan', SGP: 'Singapore' }
const canada = { CAN: 'Canada' }

/** Exports of France and the United Kingdom are left out: `sample/README.md` says why. */
const sheets: readonly Sheet[] = [
  {
    workbook: 'Exports Merchandise, Customs, current US$, millions, not seas. adj.',
    sheet: 'monthly',
    description: { ...original, indicator: 'trade-exports', dataset: 'DXGSRMRCHNSCD' },
    countries: asCounted,
  },
  {
    workbook: 'Imports Merchandise, Customs, current US$, millions, not seas. adj.',
    sheet: 'monthly',
    description: { ...original, indicator: 'trade-imports', dataset: 'DMGSRMRCHNSCD' },
    countries: asCounted,
  },
  {
    workbook: 'Exports Merchandise, Customs, current US$, millions, seas. adj.',
    sheet: 'monthly',
    description: { ...adjusted, indicator: 'trade-exports', dataset: 'DXGSRMRCHSACD' },
    countries: canada,
  },
  {
    workbook: 'Imports Merchandise, Customs, current US$, millions, seas. adj.',
    sheet: 'monthly',
    description: { ...adjusted, indicator: 'trade-imports', dataset: 'DMGSRMRCHSACD' },
    countries: canada,
  },
]

export const globalEconomicMonitorFiles = (recorded: Recorded): SampleFile[] =>
  sheets.flatMap(({ workbook, sheet, description, countries }) => {
    const path = `${FOLDER}/${workbook}.xlsx`
    if (!recorded.has(path)) return []
    const [header, ...rows] = readSheet(recorded.bytes(path), sheet)
    return Object.entries(countries).map(([country, name]): SampleFile => {
      const letters = [...(header?.cells ?? [])].find(([, text]) => text === name)?.[0]
      if (letters === undefined) throw new Error(`${path} has no column ${name}`)
      const prints = rows.map(({ cells }) => printOf(cells.get('A') ?? '', cells.get(letters) ?? ''))
      const series = { ...description, country }
      const figures = figuresOf(series, prints)
      return { path: figuresPath(series), origin: { ...origin, ...takenFrom(recorded, path) }, figures }
    })
  })

const origin = {
  publisher: 'World Bank',
  licence: 'CC BY 4.0',
  url: 'https://datacatalog.worldbank.org/search/dataset/0037798/Global-Economic-Monitor',
}

/** `2025M07` is 2025-07, `2025Q2` is 2025-Q2. */
const printOf = (period: string, printed: string): Print => ({
  period: period.replace('M', '-').replace('Q', '-Q'),
  printed: printed === 'NA' ? '' : printed,
})
