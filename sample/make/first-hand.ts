import { readCsv } from '../../ingest/sources/shared/csv.ts'
import { readSheet } from '../../ingest/sources/shared/xlsx.ts'
import { csvRows } from './dated-values.ts'
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
import { xlsDate } from './xls.ts'

/**
 * Series out of documents as national offices and Eurostat give them, held by public repositories. Each is made only
 * where its document is in the folders; sample/README.md names repository and commit.
 */
type FirstHand = {
  readonly path: string
  readonly origin: Origin
  readonly description: SeriesDescription
  readonly prints: (bytes: Uint8Array, description: SeriesDescription) => Print[]
}

const abs = (url: string): Origin => ({ publisher: 'Australian Bureau of Statistics', licence: 'CC BY 4.0', url })
const labourForceAustralia = abs(
  'https://www.abs.gov.au/statistics/labour/employment-and-unemployment/labour-force-australia',
)
const nationalAccountsAustralia = abs(
  'https://www.abs.gov.au/statistics/economy/national-accounts/australian-national-accounts-national-income-expenditure-and-product',
)
const australia = { country: 'AUS', source: 'ABS', seasonal_adjustment: 'seasonally_adjusted' } as const
const LABOUR_FORCE =
  'tuan891221+MAST90106---Forecasting-Australian-economic-data/project_data/data/raw/unemployment_raw.xlsx'
const KEY_AGGREGATES = 'orotrat+ECON1102/5206001_Key_Aggregates.xlsx'

const canada = {
  country: 'CAN',
  source: 'STATCAN',
  dataset: '36-10-0104-01',
  unit: 'CAD',
  multiplier: '1000000',
  seasonal_adjustment: 'seasonally_adjusted',
  annualization: 'annualized',
  // The table's own date of release.
  lastUpdated: '2025-11-28',
} as const
const statcan: Origin = {
  publisher: 'Statistics Canada',
  licence: 'Statistics Canada Open Licence',
  url: 'https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=3610010401',
}

const singstat: Origin = {
  publisher: 'Singapore Department of Statistics',
  licence: 'SingStat Terms of Use',
  url: 'https://tablebuilder.singstat.gov.sg/',
}
const singapore = { country: 'SGP', source: 'SINGSTAT', unit: 'SGD', multiplier: '1000000' } as const
const SINGAPORE = 'GreenOrange05+Singapore-Economic-Resilience-Index/Data/Raw'

const firstHand: readonly FirstHand[] = [
  {
    path: LABOUR_FORCE,
    origin: labourForceAustralia,
    description: {
      ...australia,
      indicator: 'unemployment',
      dataset: 'A84423050A',
      unit: 'percent',
      lastUpdated: '2026-04-01',
    },
    prints: absSeries(monthOfDate),
  },
  {
    path: LABOUR_FORCE,
    origin: labourForceAustralia,
    description: {
      ...australia,
      indicator: 'labour-force-participation',
      dataset: 'A84423051C',
      unit: 'percent',
      lastUpdated: '2026-04-01',
    },
    prints: absSeries(monthOfDate),
  },
  ...(
    [
      ['gdp', 'A2304418T'],
      ['gdp-volume', 'A2304402X'],
    ] as const
  ).map(
    ([indicator, dataset]): FirstHand => ({
      path: KEY_AGGREGATES,
      origin: nationalAccountsAustralia,
      description: {
        ...australia,
        indicator,
        dataset,
        unit: 'AUD',
        multiplier: '1000000',
        lastUpdated: '2024-08-01',
      },
      prints: absSeries(quarterOf),
    }),
  ),
  {
    path: 'lcvkells+ECON-302-Coding-HWs/3610010401-noSymbol-current_prices.csv',
    origin: statcan,
    description: { ...canada, indicator: 'gdp' },
    prints: wideRow('Gross domestic product at market prices'),
  },
  {
    path: 'lcvkells+ECON-302-Coding-HWs/3610010401-noSymbol-chained2017dollars.csv',
    origin: statcan,
    description: { ...canada, indicator: 'gdp-volume' },
    prints: wideRow('Gross domestic product at market prices'),
  },
  {
    path: `${SINGAPORE}/gdp_chained_2015_by_industry_quarterly_sa.csv`,
    origin: singstat,
    description: {
      ...singapore,
      indicator: 'gdp-volume',
      dataset: 'GDP-chained-2015-dollars-quarterly-SA',
      seasonal_adjustment: 'seasonally_adjusted',
      lastUpdated: '2026-01-02',
    },
    prints: wideRow('GDP In Chained (2015) Dollars'),
  },
  ...(
    [
      ['DEU', 'DE'],
      ['FRA', 'FR'],
      ['NLD', 'NL'],
    ] as const
  ).map(
    ([country, geo]): FirstHand => ({
      path: 'jrenne+MRT_codes/data/EA/raw/namq_10_gdp__custom_11613122_linear.csv',
      origin: {
        publisher: 'Eurostat',
        licence: 'CC BY 4.0',
        url: 'https://ec.europa.eu/eurostat/databrowser/view/namq_10_gdp/default/table',
      },
      description: {
        country,
        source: 'EUROSTAT',
        indicator: 'gdp-volume',
        dataset: 'namq_10_gdp',
        unit: 'EUR',
        multiplier: '1000000',
        seasonal_adjustment: 'seasonally_adjusted',
        // The dataset's own LAST UPDATE.
        lastUpdated: '2024-05-29',
      },
      prints: (bytes) => eurostatSeries(bytes, ['Q', 'CLV10_MEUR', 'SCA', 'B1GQ', geo]),
    }),
  ),
]

export const firstHandFiles = (recorded: Recorded): SampleFile[] =>
  firstHand
    .filter(({ path }) => recorded.has(path))
    .map(({ path, origin, description, prints }) => ({
      path: figuresPath(description),
      origin,
      figures: figuresOf(description, prints(recorded.bytes(path), description)),
    }))

/** A workbook of the ABS names the series of each column in row 10; below it the first column holds the dates. */
function absSeries(periodOf: (date: string) => string): FirstHand['prints'] {
  return (bytes, { dataset }) => {
    const rows = readSheet(bytes, 'Data1')
    const column = [...(rows.find(({ number }) => number === 10)?.cells ?? [])].find(([, id]) => id === dataset)?.[0]
    if (column === undefined) throw new Error(`The workbook has no series ${dataset}`)
    return rows
      .filter(({ number, cells }) => number > 10 && cells.has('A'))
      .map(({ cells }) => ({ period: periodOf(xlsDate(Number(cells.get('A')))), printed: cells.get(column) ?? '' }))
  }
}

/**
 * Reads the row with a label from a table with a column per period. Statistics Canada writes `Q1 2025` and thousands
 * with commas; the Table Builder of Singapore writes `2025 1Q `, newest first.
 */
function wideRow(label: string): FirstHand['prints'] {
  return (bytes) => {
    const rows = readCsv(
      Buffer.from(bytes)
        .toString()
        .replace(/^\ufeff/, ''),
    ).map(({ cells }) => cells)
    const header = rows.find((cells) => periodIn(cells[1] ?? '') !== undefined)
    const row = rows.find((cells) => cells[0]?.trim() === label)
    if (!header || !row) throw new Error(`The table has no periods or no row ${label}`)
    return header
      .flatMap((cell, i) => {
        const period = i > 0 ? periodIn(cell) : undefined
        return period === undefined ? [] : [{ period, printed: (row[i] ?? '').replaceAll(',', '') }]
      })
      .sort((a, b) => (a.period < b.period ? -1 : 1))
  }
}

function periodIn(cell: string): string | undefined {
  const [, year, quarter] = /^(\d{4}) ([1-4])Q ?$/.exec(cell) ?? []
  if (year !== undefined) return `${year}-Q${quarter}`
  const [, quarterBefore, yearAfter] = /^Q([1-4]) (\d{4})$/.exec(cell) ?? []
  return quarterBefore === undefined ? undefined : `${yearAfter}-Q${quarterBefore}`
}

const eurostatSeries = (bytes: Uint8Array, key: readonly string[]): Print[] => {
  const dimensions = ['freq', 'unit', 's_adj', 'na_item', 'geo']
  return csvRows(Buffer.from(bytes).toString(), [...dimensions, 'TIME_PERIOD', 'OBS_VALUE'])
    .filter((row) => dimensions.every((dimension, i) => row.cell(dimension) === key[i]))
    .map((row) => ({ period: row.cell('TIME_PERIOD'), printed: row.cell('OBS_VALUE') }))
}
