import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countryByAlpha3 } from '../contracts/countries.ts'
import { exportsCountries, type ServedIndicator } from '../contracts/indicators.ts'
import { isServedSymbol } from '../contracts/instruments.ts'
import type { Release } from '../contracts/records.ts'
import { decideRelease } from '../domain/decide-release.ts'
import { type DerivationState, deriveFrom } from '../domain/derive/fold.ts'
import { FigureBoard } from '../domain/figure-board.ts'
import { shiftPeriod } from '../domain/period.ts'
import type { Figure, Item, Price } from '../ingest/source.ts'
import { parseFile } from '../ingest/sources/file/parse.ts'
import { readTable } from '../ingest/sources/shared/csv.ts'
import { documentOf } from '../ingest/sources/shared/document.ts'
import { makeSample } from '../sample/make/sample.ts'
import { readXlsSheet, xlsDate } from '../sample/make/xls.ts'
import { describeShared, sharedData, sharedPath } from './support/shared-data.ts'

const folder = resolve(import.meta.dirname, '../sample')
const paths = ['figures', 'prices'].flatMap((kind) =>
  readdirSync(join(folder, kind))
    .sort()
    .map((name) => `${kind}/${name}`),
)
const textOf = (path: string): string => readFileSync(join(folder, path), 'utf8')

const itemsOf = (path: string): readonly Item[] =>
  parseFile(
    documentOf(Buffer.from(textOf(path)), {
      source: 'FILE',
      dataset: path,
      publisher: '',
      licence: '',
      url: path,
      retrievedAt: '2026-11-01T00:00:00.000Z',
    }),
  )
const items = paths.flatMap(itemsOf)
const figures = items.filter((item): item is Figure => item.kind === 'figure')
const prices = items.filter((item): item is Price => item.kind === 'price')

/** What comes of the sample once it is accepted and derived from, in the order in which its files are loaded. */
const { board, rejected, revised } = load(figures)

function load(figures: readonly Figure[]) {
  const board = new FigureBoard()
  const derivations: DerivationState = new Map()
  const rejected: string[] = []
  const revised = new Set<string>()
  for (const { series, period, figures: printed, released } of figures) {
    const known = board.current(series.id, period)
    const candidate = { series, period, printed, released, provenance: null, inputs: [] }
    const decision = decideRelease(known, candidate, '2026-11-01T00:00:00.000Z')
    if (decision.outcome === 'rejected') rejected.push(`${series.id} ${period}: ${decision.reason}`)
    if (decision.outcome === 'revised') revised.add(`${series.country} ${series.indicator}`)
    if (!('release' in decision)) continue
    const releases: Release[] = [decision.release, ...deriveFrom(derivations, [decision.release])]
    for (const release of releases) board.apply(release)
  }
  return { board, rejected, revised }
}

const served: readonly ServedIndicator[] = [
  'cpi',
  'inflation',
  'unemployment',
  'labour-force-participation',
  'gdp',
  'gdp-growth',
  'trade',
  'trade-exports',
  'trade-imports',
]

/** Cells of country and indicator for which no official figures were at hand; sample/README.md says why. */
const missing = ['SGP gdp', 'SGP gdp-growth']

/** Made from originals that aren't among the recorded files; sample/README.md says where they are. */
const originalsElsewhere = [
  ...['DEU', 'FRA', 'JPN', 'NLD'].map((country) => `figures/gdp-${country}-fred.csv`),
  ...['gdp', 'gdp-volume'].map((indicator) => `figures/${indicator}-MYS-dosm.csv`),
  ...['labour-force-participation', 'trade-exports', 'trade-imports'].map((name) => `figures/${name}-wb.csv`),
]

describe('the bundled sample', () => {
  it('reads without a reject, and is small', () => {
    expect(items.filter(({ kind }) => kind === 'reject')).toEqual([])
    expect(figures.length).toBeGreaterThan(8_000)
    expect(paths.reduce((bytes, path) => bytes + Buffer.byteLength(textOf(path)), 0)).toBeLessThan(3_000_000)
  })

  it.each(paths)('%s names its publisher, licence and address in its head, and stands in the README', (path) => {
    const head = textOf(path)
      .split('\n')
      .filter((line) => line.startsWith('# '))
    for (const member of ['publisher', 'licence', 'url', 'source']) {
      expect(head.filter((line) => line.startsWith(`# ${member}: `))).toHaveLength(1)
    }
    expect(head.find((line) => line.startsWith('# url: '))).toMatch(/^# url: https:\/\//)
    expect(textOf('README.md')).toContain(path.split('/')[1])
  })

  it('is accepted whole, and no figure stands in it twice', () => {
    expect(rejected).toEqual([])
    const prints = figures.map(({ series, period, released }) => `${series.id} ${period} ${released?.on}`)
    expect(prints).toHaveLength(new Set(prints).size)
  })

  it('gives every cell of country and indicator but those that are known to be missing', () => {
    const empty = exportsCountries.flatMap((country) =>
      served.filter((indicator) => !board.latest(country, indicator)).map((indicator) => `${country} ${indicator}`),
    )
    expect(empty.sort()).toEqual(missing.sort())
  })

  it('has one series of each frequency, but for United States consumer prices, where the country’s own is served', () => {
    const series = new Map(figures.map(({ series }) => [series.id, series]))
    const cells = Map.groupBy(series.values(), (of) => `${of.country} ${of.indicator} ${of.frequency}`)
    const several = [...cells].filter(([, of]) => of.length > 1)
    expect(several.map(([cell]) => cell)).toEqual(['USA cpi M'])
    expect(board.servedSeries('USA', 'cpi', 'M')?.source).toBe('BLS')
  })

  it('holds true revisions', () => {
    expect([...revised].sort()).toEqual(['USA gdp', 'USA unemployment'])
  })

  it('has no gap but the months that the United States did not survey', () => {
    const series = Map.groupBy(figures, ({ series }) => series.id)
    const gaps = [...series].flatMap(([id, of]) => {
      const periods = new Set(of.map(({ period }) => period))
      const last = [...periods].sort().at(-1)!
      const absent: string[] = []
      for (let period = [...periods].sort()[0]!; period < last; period = shiftPeriod(period, 1)) {
        if (!periods.has(period)) absent.push(`${id} ${period}`)
      }
      return absent
    })
    expect(gaps.sort()).toEqual([
      'USA.cpi.M.BLS.CUUR0000SA0.index.NSA.1982/1984=100 2025-10',
      'USA.labour-force-participation.M.FRED.CIVPART.percent.SA 2025-10',
      'USA.unemployment.M.FRED.UNRATE.percent.SA 2025-10',
    ])
  })

  it('prices served instruments only, at least 20 commodities and 25 currencies', () => {
    const symbols = new Set(prices.map(({ symbol }) => symbol))
    expect([...symbols].filter((symbol) => !isServedSymbol(symbol))).toEqual([])
    expect([...symbols].filter((symbol) => symbol.endsWith('-USD') && symbol !== 'EUR-USD').length).toBeGreaterThan(20)
    expect([...symbols].filter((symbol) => symbol.startsWith('EUR-')).length).toBeGreaterThan(25)
  })
})

/** Read off the originals by eye: what is served, and the words of a recorded original that say so. */
type Expected = readonly [cell: string, period: string, figures: Readonly<Record<string, string>>]
type Check = readonly [...Expected, path: string, words: string]

const macro = 'frankietaylor2311-maker+Mt5-swing/data/macro'
const oecdGrowth = 'rejaneol+iron_ore_price_forecasting/data/quarterly-gdp-oecd.csv'
const oecdUnemployment = 'AnkitApurv+hackathon23_somnolence/data/raw/third_party/oecd/Unemployment_Rate_OECD.csv'
const malaysia = {
  labour: 'mazwaniabu+PMA-Forecasting-Malaysia-Unemployment-rate/data/raw/lfs_month.csv',
  trade: 'ooi-darren+malaysia-ecommerce-market-intelligence/data/raw/trade_headline.csv',
}
const checks: readonly Check[] = [
  [
    'USA cpi',
    '2026-03',
    { value: '330.213' },
    'nolan-cummins+is445_final/data/cu.data.1.AllItems.txt',
    'CUUR0000SA0      \t2026\tM03\t     330.213\t',
  ],
  [
    'USA gdp',
    '2026-Q2',
    { value: '32475210000000' },
    'njuettner+fed/data/gdp.json',
    '"date":"2026-04-01","value":"32475.21"',
  ],
  [
    'USA unemployment',
    '2026-07',
    { rate: '4.1' },
    'njuettner+fed/data/unemployment.json',
    '"date":"2026-07-01","value":"4.1"',
  ],
  [
    'USA labour-force-participation',
    '2025-11',
    { rate: '62.5' },
    'sivamsapingali+Codex_Macro-Monitor/data/CIVPART.csv',
    '\n2025-11-01,62.5',
  ],
  [
    'USA trade-imports',
    '2022-09',
    { value: '267196000000' },
    `${macro}/fred_XTIMVA01USM667S.TRANSCRIBED-TAIL.csv`,
    '\n2022-09-01,267196000000.0000305',
  ],
  [
    'USA gdp-growth',
    '2021-Q2',
    { year_over_year: '12.182002705', quarter_over_quarter: '1.600286109' },
    oecdGrowth,
    '"USA","QGDP","TOT","PC_CHGPY","Q","2021-Q2",12.182002705,',
  ],
  ['GBR gdp', '2025-Q2', { value: '754397000000' }, 'avagreyyy4+FX_Trading/data/UKNGDP.csv', '\n2025-04-01,754397'],
  [
    'GBR unemployment',
    '2024-12',
    { rate: '4.4' },
    'wyf-gh+Big-Data-Project/macro_economic_data/UK_Unemployment_Rate_Monthly_LRHUTTTTGBM156S.csv',
    '\n2024-12-01,4.4',
  ],
  [
    'GBR trade-exports',
    '2026-05',
    { value: '45134240000' },
    `${macro}/fred_XTEXVA01GBM667S.TRANSCRIBED-TAIL.csv`,
    '\n2026-05-01,45134240000',
  ],
  [
    'CAN gdp',
    '2021-Q1',
    { value: '2414348000000' },
    'PhilSmith26+NatAcctsBrowser/36-10-0104-01.gdp.csv',
    '\n2021-01-01,2414348.0,',
  ],
  [
    'CAN labour-force-participation',
    '2021-06',
    { rate: '65.2' },
    'PhilSmith26+LFStables/14-10-0287-01.canada.csv',
    '\n2021-06-01,Canada,Participation rate,Both sexes,15 years and over,65.2',
  ],
  [
    'CAN trade-exports',
    '2026-04',
    { value: '73173200000' },
    'jayzhaomurray+sibley-creek/data/raw/trade_exports_total.TRANSCRIBED-TAIL.csv',
    '\n2026-04-01,73173.2',
  ],
  ['CAN unemployment', '2023-03', { rate: '5' }, oecdUnemployment, '"CAN","HUR","TOT","PC_LF","M","2023-03",5,'],
  ['FRA unemployment', '2023-02', { rate: '7' }, oecdUnemployment, '"FRA","HUR","TOT","PC_LF","M","2023-02",7,'],
  ['NLD unemployment', '2023-02', { rate: '3.5' }, oecdUnemployment, '"NLD","HUR","TOT","PC_LF","M","2023-02",3.5,'],
  [
    'DEU gdp-growth',
    '2021-Q2',
    { year_over_year: '9.411520596', quarter_over_quarter: '1.63309185' },
    oecdGrowth,
    '"DEU","QGDP","TOT","PC_CHGPP","Q","2021-Q2",1.63309185,',
  ],
  [
    'DEU unemployment',
    '2025-07',
    { rate: '3.7' },
    'codejoncode+congenial-fortnight/data/LRHUTTTTDEM156S.csv',
    '\n2025-07-01,3.7',
  ],
  [
    'DEU trade-exports',
    '2026-05',
    { value: '159196500000' },
    `${macro}/fred_XTEXVA01DEM667S.TRANSCRIBED-TAIL.csv`,
    '\n2026-05-01,159196500000',
  ],
  [
    'JPN trade-imports',
    '2026-06',
    { value: '71166610000' },
    `${macro}/fred_XTIMVA01JPM667S.TRANSCRIBED-TAIL.csv`,
    '\n2026-06-01,71166610000',
  ],
  [
    'AUS trade-exports',
    '2026-06',
    { value: '47696000000' },
    'Allisterh+nowcasting-Australia/nowcasting_v2/data_raw/export.csv',
    '\n2026-06-01,47696',
  ],
  [
    'AUS unemployment',
    '2026-03',
    { rate: '4.255249' },
    'Kriti-Data-Business+Time-Series-Forecasting-Australian-Residential-Property-Prices/data/LRHUTTTTAUM156S.csv',
    '\n2026-03-01,4.255249',
  ],
  [
    'MYS unemployment',
    '2026-04',
    { rate: '3.0' },
    malaysia.labour,
    '\n2026-04-01,17327.6,16815.8,511.8,7100.8,70.9,68.8,3.0',
  ],
  [
    'MYS labour-force-participation',
    '2026-04',
    { rate: '70.9' },
    malaysia.labour,
    '\n2026-04-01,17327.6,16815.8,511.8,7100.8,70.9,',
  ],
  ['MYS trade-exports', '2025-03', { value: '137303572007' }, malaysia.trade, '\nabs,2025-03-01,137303572007.00002,'],
  [
    'SGP trade-imports',
    '2017',
    { value: '327709713161' },
    'asheshwor+global/data/comtrade.csv',
    'H4,2017,2017,2017,0,0,1,Import,702,Singapore,SGP,0,World,WLD,,,,,,,,TOTAL,All Commodities,1,No Quantity,,,0,,0,,327709713161,',
  ],
]

/** Likewise of the originals that aren't among the recorded files. */
const checksElsewhere: readonly Expected[] = [
  ['DEU gdp', '2020-Q2', { value: '809941000000' }],
  ['FRA gdp', '2026-Q1', { value: '757264300000' }],
  ['NLD gdp', '2026-Q2', { value: '304913000000' }],
  ['JPN gdp', '2026-Q2', { value: '687718200000000' }],
  ['MYS gdp', '2026-Q2', { value: '544006033000' }],
  ['DEU labour-force-participation', '2024', { rate: '61.656' }],
  ['FRA labour-force-participation', '2000', { rate: '55.701' }],
  ['GBR labour-force-participation', '2020', { rate: '62.83' }],
  ['JPN labour-force-participation', '2024', { rate: '63.3' }],
  ['NLD labour-force-participation', '2021', { rate: '66.987' }],
  ['SGP labour-force-participation', '2001', { rate: '64.4' }],
  ['FRA trade-exports', '2024', { value: '640247000000' }],
  ['FRA trade-imports', '2022', { value: '823216000000' }],
  ['NLD trade-exports', '2000', { value: '233130000000' }],
  ['NLD trade-imports', '2024', { value: '811633000000' }],
]

const servedAt = (cell: string, period: string): Readonly<Record<string, string>> | undefined => {
  const [country = '', indicator = ''] = cell.split(' ')
  return board.at(country, indicator as ServedIndicator, period)?.figures
}

describe('figures of the sample', () => {
  it.each<Expected>([
    ...checks.map(([cell, period, figures]): Expected => [cell, period, figures]),
    ...checksElsewhere,
  ])('%s %s is what was published', (cell, period, expected) => {
    expect(servedAt(cell, period)).toEqual(expected)
  })

  it('are levels of a year where they are annualized, of a quarter elsewhere', () => {
    const annualized = exportsCountries.filter(
      (country) => board.servedSeries(country, 'gdp', 'Q')?.annualization === 'annualized',
    )
    expect(annualized).toEqual(['CAN', 'JPN', 'USA'])
  })

  it('of workbooks are what another reader of .xls finds in them', () => {
    expect(servedAt('AUS gdp', '2017-Q1')).toEqual({ value: '445831000000' })
    expect(servedAt('AUS labour-force-participation', '2017-05')).toEqual({ rate: '64.8766196' })
  })

  it('are derived: inflation, the balance of trade, a year out of its months', () => {
    // 123.657163 over 115.291874 (March 2021), 120.654214 (February) and 118.725869 (December 2021).
    expect(servedAt('DEU inflation', '2022-03')).toMatchObject({ year_over_year: '7.3', month_over_month: '2.5' })
    expect(servedAt('SGP trade', '2017')?.balance).toBe('45544841259')
    expect(servedAt('JPN trade', '2026-06')?.balance).toBe('-5488590000')
    expect(servedAt('USA trade-exports', '2025')?.value).toBe('2179890000000')
    expect(servedAt('FRA trade', '2024')?.balance).toBe('-109983000000')
  })

  it('are derived: growth of Malaysia’s volumes, which are not adjusted', () => {
    // 445896.454 over 420534.085 (2025-Q2) and 437670.264 (2026-Q1).
    expect(servedAt('MYS gdp-growth', '2026-Q2')).toMatchObject({ year_over_year: '6.0', quarter_over_quarter: '1.9' })
    expect(servedAt('MYS gdp-growth', '2020-Q2')).toMatchObject({ year_over_year: '-16.9' })
    expect(board.servedSeries('MYS', 'gdp-growth', 'Q')?.seasonal_adjustment).toBe('not_seasonally_adjusted')
  })

  it('keep the prints that were revised', () => {
    const prints = figures
      .filter(({ series, period }) => series.country === 'USA' && series.indicator === 'gdp' && period === '2024-Q3')
      .map(({ figures, released }) => [released?.on, released?.basis, figures.value?.printed])
    expect(prints).toEqual([
      ['2024-10-30', 'publisher', '29349.924'],
      ['2024-11-27', 'dataset', '29354.321'],
      ['2024-12-19', 'dataset', '29374.914'],
      ['2026-07-30', 'dataset', '29511.664'],
    ])
  })
})

describeShared('the sample against the originals', () => {
  it.each(checks)('%s %s stands in the original', (_cell, _period, _expected, path, words) => {
    expect(Buffer.from(sharedData(path)).includes(words)).toBe(true)
  })

  it('is made again byte for byte', () => {
    const made = makeSample(sharedPath('.'))
    expect(paths).toEqual(expect.arrayContaining([...made.keys()]))
    expect(originalsElsewhere).toEqual(expect.arrayContaining(paths.filter((path) => !made.has(path))))
    for (const [path, text] of made) expect(text, path).toBe(textOf(path))
  })

  it('gives by derivation the yearly rates that the BIS prints itself', () => {
    const path = 'marina-alekseevna+financial-markets/data/WS_LONG_CPI_csv_col.csv'
    const { header, rows } = readTable(
      Buffer.from(sharedData(path))
        .toString()
        .replace(/^\ufeff/, ''),
      [],
    )
    const months = header.filter((name) => /^20\d\d-\d\d$/.test(name))
    const served = new Map(
      exportsCountries.map((country) => [`M:${countryByAlpha3.get(country)?.alpha2}:771`, country]),
    )
    served.delete('M:US:771')
    const compared = rows.flatMap((row) => {
      const country = row.kind === 'row' && served.get(row.cell('Time Period') as never)
      if (!country) return []
      return months.flatMap((month) => {
        const derived = servedAt(`${country} inflation`, month)?.year_over_year
        return derived && row.cell(month) ? [Math.abs(Number(derived) - Number(row.cell(month)))] : []
      })
    })
    expect(compared.length).toBeGreaterThan(2_000)
    // One decimal is derived, from an index that is itself rounded.
    expect(Math.max(...compared)).toBeLessThan(0.0502)
  })

  it('has Australian goods, not goods and services: as in the workbook of 2017 up to later revisions', () => {
    const rows = readXlsSheet(sharedData('USStudiesCentre+FDI-Analysis/data/536801.xls'), 'Data1')
    const column = rows[9]?.indexOf('A2718577A') ?? -1
    expect(rows[0]?.[column]).toBe('Credits, Total goods ;')
    const settled = rows
      .slice(10)
      .map((row) => ({ month: xlsDate(Number(row[0])).slice(0, 7), millions: Number(row[column]) }))
      .filter(({ month }) => month >= '2000' && month < '2005')
    expect(settled).toHaveLength(60)
    for (const { month, millions } of settled) {
      const value = Number(servedAt('AUS trade-exports', month)?.value)
      expect(Math.abs(value / millions / 1e6 - 1), month).toBeLessThan(0.001)
    }
  })
})
