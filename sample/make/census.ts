import type { Figure } from '../../ingest/source.ts'
import { monthNames } from '../../ingest/sources/shared/months.ts'
import { readSheet, type SheetRow } from '../../ingest/sources/shared/xlsx.ts'
import { newsIn } from './news.ts'
import type { Recorded } from './recorded.ts'
import { figuresOf, figuresPath, type Print, type SampleFile, type SeriesDescription } from './sample-file.ts'
import { takenFrom } from './taken-from.ts'

/**
 * U.S. International Trade in Goods and Services (FT-900), the joint release of the Census Bureau and the BEA, as two
 * workbooks: the time series of all months, and exhibit 1 with the months of the newest years. They are two vintages of
 * the series that the Census Bureau's API has as FTD.
 */
const goods = {
  country: 'USA',
  source: 'CENSUS',
  dataset: 'FTD',
  unit: 'USD',
  multiplier: '1000000',
  seasonal_adjustment: 'seasonally_adjusted',
} as const

/** The columns of goods, on a balance of payments basis, are the same in both workbooks. */
const series: readonly (readonly [column: string, SeriesDescription])[] = [
  ['F', { ...goods, indicator: 'trade-exports' }],
  ['I', { ...goods, indicator: 'trade-imports' }],
]

type Workbook = {
  readonly path: string
  readonly sheet: string
  readonly url: string
  readonly monthsOf: (rows: readonly SheetRow[]) => readonly (readonly [month: string, row: SheetRow])[]
  readonly updated?: (rows: readonly SheetRow[]) => string
}

/** Oldest first. */
const workbooks: readonly Workbook[] = [
  {
    path: 'EIG-Research+trade-policy-targets-tracker/data/BEA/trad-time-series-0325.xlsx',
    sheet: 'Table 1',
    url: 'https://www.bea.gov/data/intl-trade-investment/international-trade-goods-and-services',
    monthsOf: monthsOfTimeSeries,
    updated: dayOfUpdate,
  },
  {
    path: 'ericayork+trade_data/exh1.xlsx',
    sheet: '1',
    url: 'https://www.census.gov/foreign-trade/Press-Release/current_press_release/index.html',
    monthsOf: monthsOfExhibit,
  },
]

export function censusFiles(recorded: Recorded): SampleFile[] {
  return series.flatMap(([column, description]) => {
    const known = new Map<string, string>()
    return workbooks
      .filter(({ path }) => recorded.has(path))
      .map(({ path, sheet, url, monthsOf, updated }) => {
        const rows = readSheet(recorded.bytes(path), sheet)
        if (rows.find(({ cells }) => cells.get(column)?.startsWith('Goods'))?.cells.get('B') !== 'Total')
          throw new Error(`${path}: column ${column} is not goods`)
        const taken = takenFrom(recorded, path)
        const day = updated?.(rows)
        const released: Figure['released'] = day === undefined ? undefined : { on: day, basis: 'dataset' }
        const prints = monthsOf(rows).map(
          ([period, { cells }]): Print => ({
            period,
            printed: cells.get(column)?.trim() ?? '',
            ...(released ? { released } : {}),
          }),
        )
        return {
          path: figuresPath(description).replace('.csv', `-${day ?? taken.copy?.held_on}.csv`),
          origin: {
            publisher: 'U.S. Census Bureau and U.S. Bureau of Economic Analysis',
            licence: 'Public domain',
            url,
            ...taken,
          },
          figures: newsIn(figuresOf(description, prints), known),
        }
      })
  })
}

/** `2025 Feb (R)` in the first column; years stand above. */
function monthsOfTimeSeries(rows: readonly SheetRow[]): [string, SheetRow][] {
  return rows.flatMap((row): [string, SheetRow][] => {
    const [, year = '', name = ''] = /^(\d{4}) ([A-Z][a-z]{2})(?: \(R\))?$/.exec(labelOf(row)) ?? []
    const month = monthNames.findIndex((month) => month.startsWith(name || '-')) + 1
    return month > 0 ? [[`${year}-${String(month).padStart(2, '0')}`, row]] : []
  })
}

/** `February (R)` in the first column, below a row with the year alone. The totals of a year to date are no month. */
function monthsOfExhibit(rows: readonly SheetRow[]): [string, SheetRow][] {
  let year = ''
  return rows.flatMap((row): [string, SheetRow][] => {
    const label = labelOf(row).replace(/ \(R\)$/, '')
    if (/^\d{4}$/.test(label)) year = label
    const month = monthNames.indexOf(label) + 1
    return month > 0 ? [[`${year}-${String(month).padStart(2, '0')}`, row]] : []
  })
}

const labelOf = ({ cells }: SheetRow): string => (cells.get('A') ?? '').trim()

/** The day of `Last updated May 6, 2025`. */
function dayOfUpdate(rows: readonly SheetRow[]): string {
  const stated = rows[0] ? labelOf(rows[0]) : ''
  const [, name = '', day = '', year] = /^Last updated ([A-Z][a-z]+) (\d{1,2}), (\d{4})$/.exec(stated) ?? []
  const month = monthNames.indexOf(name) + 1
  if (month === 0) throw new Error(`The workbook states no day of its update: ${stated}`)
  return `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`
}
