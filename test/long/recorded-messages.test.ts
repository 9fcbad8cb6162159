import { readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lineOf, observationsOf, readAll, refusalOf } from '../ingest/read/formats/observations.ts'
import { sharedData, sharedPath } from '../support/shared-data.ts'

const repositories = ['26fe+jsonstat.py', 'bis-med-it+pysdmx', 'epam+sdmxsource', 'eurostat+java4eurostat'].concat([
  'khaeru+sdmx-test-data',
  'm-muecke+bbk',
  'mdequeljoe+readsdmx',
  'nbbrd+sdmx-dl',
  'OpenBB-finance+OpenBB',
  'opensdmx+rsdmx',
  'Pablo-source+Eurostat_labour_market',
  'pydata+pandas-datareader',
])

const filesOf = (repository: string): string[] =>
  readdirSync(sharedPath(repository), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(sharedPath('.'), `${entry.parentPath}/${entry.name}`))

/** By end of the path: number of observations, of them missing ones, and of rejects; or the reason of the refusal. */
const golden: Readonly<Record<string, readonly [number, number, number] | string>> = {
  'test_bls_fetchers/test_bls_series_fetcher_urllib3_v2.body.json': [12, 0, 0],
  'www.cso.ie/eurostat-name_gpd_c-geo_IT.json': [70, 46, 0],
  'www.ec.europa.eu_eurostat/eurostat-name_gpd_c-geo_IT.json': [69, 45, 0],
  'www.json-stat.org/oecd.json': [432, 0, 0],
  'www.json-stat.org/us-unr.json': [3220, 0, 0],
  'sdmx10/reader/samples/data_v1.csv': [1000, 640, 0],
  'sdmx20/reader/samples/data_v2.csv': [20, 13, 0],
  'io/samples/data_v1.csv': [1000, 640, 0],
  'io/samples/data_v1_attached.csv': 'truncated',
  'io/samples/data_v1_missing_one_attached.csv': 'truncated',
  'io/samples/data.xml': [1000, 640, 0],
  'io/samples/datastructure.xml': 'no_data_message',
  'io/samples/exr-time-series.json': [4, 0, 0],
  'sdmx21/reader/samples/gen_ser.xml': [1000, 640, 0],
  'sdmx21/reader/samples/str_ser.xml': [1000, 640, 0],
  'data/CsvCPI.csv': [51, 0, 0],
  'resources/ex.csv': 'unknown_format',
  'fixtures/bbk-data.xml': [214, 66, 0],
  'fixtures/ecb-data.xml': [6548, 62, 0],
  'fixtures/boj-data.json': 'unknown_format',
  'fixtures/boj-metadata.json': 'unknown_format',
  'extdata/generic_2.1.xml': [4, 3, 0],
  'extdata/structure_specific_data_2.1.xml': [106, 0, 0],
  'ecb/EcbDataKeys.xml': [25, 0, 0],
  'ECB_EXR/1/M.USD.EUR.SP00.A.xml': [252, 0, 0],
  'ECB_EXR/action-delete.json': [2, 0, 1],
  'ECB_EXR/flat.json': [4, 0, 0],
  'ECB_EXR/ts.json': [4, 0, 0],
  'ECB_EXR/xs.json': [4, 0, 0],
  'ESTAT/demography-xs.xml': [60, 5, 0],
  'IMF/PCPS.xml': [1, 0, 0],
  'INSEE/CNA-2010-CONSO-SI-A17.xml': [2, 0, 0],
  'OECD/data-PART2-all-all.json': [7, 0, 0],
  'v3/csv/example-02.csv': 'missing_column',
  'v3/csv/example-03.csv': 'missing_column',
  'data/exr-flat.json': [4, 0, 0],
  'data/exr-time-series.json': [4, 0, 0],
  'extdata/Example_Eurostat_2.1.xml': [4, 3, 0],
  'extdata/SDMXGenericDataExample_2.1.xml': [4, 3, 0],
  'extdata/SDMXMessageExample_2.1.xml': 'publisher_error',
  'extdata/SDMXStructureSpecificDataExample_2.1.xml': [106, 0, 0],
  'jsdmx/oecd1.json': [60, 0, 0],
}

/** Files whose names say what is in them. */
function expectedOf(file: string): (typeof golden)[string] {
  const [, exact] = Object.entries(golden).find(([end]) => file.endsWith(`/${end}`)) ?? []
  if (exact !== undefined) return exact
  if (/\/(?:ng|rg|sg)-(?:flat|ts|xs)[-\w]*\.xml$/.test(file)) return [12, 0, 0]
  if (/\/v3\/csv\/example-\d\d\.csv$/.test(file)) return [2, 0, 0]
  return /\.xml$/.test(file) ? 'no_data_message' : 'unknown_format'
}

/** Two of the layouts have misprints in themselves: periods that stand twice, and 1.3809 for 1.3089. */
const misprinted = /\/(?:rg|sg)-xs\.xml$/

/** Needs `../shared/data`; the suite has short messages in `test/fixtures/messages/`. */
describe('every recorded message in ../shared/data', () => {
  it.each(repositories.flatMap(filesOf))('%s is read whole, or refused with the right reason', (file) => {
    const expected = expectedOf(file)
    const refusal = refusalOf(sharedData(file))
    if (typeof expected === 'string') return expect(refusal?.reason).toBe(expected)
    expect(refusal).toBeUndefined()
    const found = readAll(sharedData(file))
    const observations = found.filter(({ kind }) => kind === 'observation')
    const missing = observations.filter((o) => o.kind === 'observation' && o.value === null)
    expect([observations.length, missing.length, found.length - observations.length]).toEqual(expected)
  })

  it('of one data structure states the same in all its layouts', () => {
    const layouts = filesOf('khaeru+sdmx-test-data').filter((file) => /\/(?:ng|rg|sg)-(?:flat|ts|xs)/.test(file))
    expect(layouts.length).toBeGreaterThan(20)
    const lines = layouts
      .filter((file) => file.endsWith('.xml') && !misprinted.test(file))
      .map((file) => observationsOf(sharedData(file)).map((o) => lineOf(o, ['FREQ', 'CURRENCY', 'CURRENCY_DENOM'])))
    for (const found of lines) expect(found.toSorted()).toEqual(lines[0]?.toSorted())
    expect(lines[0]).toContain('M CHF EUR 2010-09 1.3089')
    const json = ['ts', 'xs', 'flat'].map((name) =>
      observationsOf(sharedData(`khaeru+sdmx-test-data/ECB_EXR/${name}.json`)).map((o) => lineOf(o, ['CURRENCY'])),
    )
    expect(json[0]?.toSorted()).toEqual(
      ['NZD 2013-01-18 1.5931', 'NZD 2013-01-21 1.5925'].concat(['RUB 2013-01-18 40.3426', 'RUB 2013-01-21 40.3000']),
    )
    for (const found of json) expect(found.toSorted()).toEqual(json[0]?.toSorted())
  })
})
