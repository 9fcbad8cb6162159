import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { KeptAnswers } from '../../api/kept-answers.ts'
import { sdmxCalls } from '../../api/sdmx/calls.ts'
import { dataHandlers } from '../../api/sdmx/data.ts'
import { countries } from '../../contracts/countries.ts'
import { periodsOfYear } from '../../domain/period.ts'
import { testSeries } from '../support/releases.ts'
import { worldWithVintages } from './fred-support.ts'
import { bearer, type World } from './support.ts'

const at = (day: string) => `${day}T09:00:00.000Z`
/** Prices whose newest months are on a new base: two kinds of values. */
const old = testSeries({ country: 'NLD', base_period: '2015', base_value: '100' })
const rebased = testSeries({ country: 'NLD', base_period: '2020', base_value: '100' })

/** No test changes it. */
let served: World
beforeAll(async () => {
  served = await worldWithVintages()
  const { releases } = served
  for (const [period, value, day] of [
    ['2025-01', '120.1', '2025-02-10'],
    ['2025-02', '120.2', '2025-03-10'],
    ['2025-02', '120.3', '2025-04-10'],
  ] as const)
    releases.accept(old, period, { value }, at(day))
  releases.accept(rebased, '2025-02', { value: '108.5' }, at('2025-05-10'))
  releases.accept(rebased, '2025-03', { value: '109' }, at('2025-05-10'))
  releases.accept(rebased, '2025-02', {}, at('2025-06-10'), { printed: null })
})

const csv = { accept: 'application/vnd.sdmx.data+csv;version=2.0.0' }
const xml = { accept: 'application/vnd.sdmx.genericdata+xml;version=2.1' }
const specific = { accept: 'application/vnd.sdmx.structurespecificdata+xml;version=2.1' }
const get = (address: string, headers: Readonly<Record<string, string>> = csv) =>
  served.app.inject({ url: address, headers: { ...bearer(), ...headers } })

/** Columns of the rows of an answer in CSV. */
async function rows(address: string, columns: readonly string[], headers = csv): Promise<string[]> {
  const { statusCode, body } = await get(address, headers)
  expect(statusCode, body).toBe(200)
  const [header = '', ...lines] = body.trimEnd().split('\r\n')
  const names = header.split(',')
  return lines.map((line) => {
    const fields = line.split(',')
    return columns.map((column) => fields[names.indexOf(column)]).join(' ')
  })
}
const values = ['UNIT_MEASURE', 'TIME_PERIOD', 'OBS_VALUE']
const vintages = ['UNIT_MEASURE', 'VALID_FROM', 'TIME_PERIOD', 'OBS_VALUE', 'OBS_STATUS']

/** The values between the tags of a data set, one text for each. */
const inDataSets = (body: string): string[] =>
  [
    ...body.matchAll(
      /<mes:DataSet[^>]*action="(\w+)"(?:[^>]*validFromDate="(\S{10})\S* \S*validToDate="(\S{10}))?[\s\S]*?<\/mes:DataSet>/g,
    ),
  ].flatMap(([set, action, from, to]) =>
    [...set.matchAll(/<(?:gen:)?Obs[ >][\s\S]*?(?:<\/gen:Obs>|\/>\n)/g)].map(([observation]) => {
      const period = /(?:ObsDimension value|TIME_PERIOD)="([^"]*)"/.exec(observation)?.[1]
      const value = /(?:ObsValue value|OBS_VALUE)="([^"]*)"/.exec(observation)?.[1]
      return [action, from, to, period, value].join(' ')
    }),
  )

describe('data of a flow', () => {
  it('are the answers of now, with a key for each base', async () => {
    expect(await rows('/sdmx/2.1/data/CPI/M.NLD', values)).toEqual([
      'index_2015_100 2025-01 120.1',
      'index_2015_100 2025-02 120.3',
      'index_2020_100 2025-03 109',
    ])
    expect(
      await rows('/sdmx/2.1/data/CPI/M.NLD', ['BASE_PER', 'BASE_VALUE', 'UNIT', 'SERIES', 'RELEASED_ON', 'OBS_STATUS']),
    ).toContain(`2020 100 index ${rebased.id} 2025-05-10 A`)
  })

  it('are exactly the texts and the rows of /v1', async () => {
    for (const [flow, key, path] of [
      ['CPI', 'M.DEU', 'DEU/cpi'],
      ['INFLATION', 'M.USA', 'USA/inflation'],
      ['GDP_GROWTH', 'Q.DEU', 'DEU/gdp-growth'],
    ] as const) {
      const url = `/v1/economics/${path}/observations?limit=100`
      const { observations } = (await served.app.inject({ url, headers: bearer() })).json<{
        observations: { period: string; value: string; series: string }[]
      }>()
      const found = await rows(`/sdmx/2.1/data/${flow}/${key}`, ['TIME_PERIOD', 'OBS_VALUE', 'SERIES'])
      expect(found.toSorted()).toEqual(
        observations.map(({ period, value, series }) => [period, value, series].join(' ')).sort(),
      )
      expect(found.length).toBeGreaterThan(1)
    }
  })

  it('take the frequencies, countries and figures of the key, and of all that are left out', async () => {
    expect(new Set(await rows('/sdmx/2.1/data/CPI/.NLD+DEU', ['FREQ', 'REF_AREA']))).toEqual(
      new Set(['M NLD', 'M DEU']),
    )
    expect(new Set(await rows('/sdmx/2.1/data/CPI/.NLD%2BDEU/', ['REF_AREA']))).toEqual(new Set(['NLD', 'DEU']))
    expect(await rows('/sdmx/2.1/data/CPI/M.NLD.NSA.index_2020_100', values)).toEqual(['index_2020_100 2025-03 109'])
    expect(await rows('/sdmx/2.1/data/GDP_GROWTH/Q.DEU.quarter_over_quarter', ['MEASURE', 'OBS_VALUE'])).toEqual([
      'quarter_over_quarter -0.2',
    ])
    const everything = await rows('/sdmx/2.1/data/CPI', values)
    for (const address of [
      'CPI/all',
      'ALMANAC,CPI/all',
      'ALMANAC,CPI,1.0/...',
      'all,CPI,latest/all/ALMANAC',
      'CPI/all/all/',
    ])
      expect(await rows(`/sdmx/2.1/data/${address}`, values)).toEqual(everything)
    for (const address of [
      'dataflow/ALMANAC/CPI/1.0',
      '*/ALMANAC/CPI/+/*',
      'dataflow/*/CPI/~/*.*',
      'dataflow/ALMANAC/CPI/%2A/',
    ])
      expect(await rows(`/sdmx/3.0/data/${address}`, values)).toEqual(everything)
  })

  it('take the filters of version 3.0', async () => {
    const address = '/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0'
    expect(await rows(`${address}?c[REF_AREA]=NLD&c[TIME_PERIOD]=ge:2025-02+le:2025-Q1`, values)).toEqual([
      'index_2015_100 2025-02 120.3',
      'index_2020_100 2025-03 109',
    ])
    expect(await rows(`${address}?c%5BREF_AREA%5D=NLD&c%5BTIME_PERIOD%5D=gt%3A2025-02`, values)).toHaveLength(1)
    expect(await rows(`${address}/M.NLD?c[UNIT_MEASURE]=sw:index_2015&c[TIME_PERIOD]=lt:2025-02`, values)).toHaveLength(
      1,
    )
    expect(await rows(`${address}?c[REF_AREA]=ne:USA+ne:DEU&c[FREQ]=M,Q&c[TIME_PERIOD]=2025-01`, values)).toEqual([
      'index_2015_100 2025-01 120.1',
    ])
    const since = '/sdmx/3.0/data/dataflow/ALMANAC/CPI_VINTAGES/1.0/M.NLD?c[VALID_FROM]=ge:2025-06-10T00:00:00'
    expect(await rows(since, vintages)).toEqual([
      'index_2015_100 2025-06-10 2025-02 120.3 A',
      'index_2020_100 2025-06-10 2025-02  M',
    ])
  })

  it.each([
    ['startPeriod=2025-02', 2],
    ['startPeriod=2025-02-02', 1],
    ['endPeriod=2025-02-27', 1],
    ['startPeriod=2025-M02&endPeriod=2025-02', 1],
    ['startPeriod=2025&endPeriod=2025-S1', 3],
    ['firstNObservations=1', 2],
    ['lastNObservations=1', 2],
    ['firstNObservations=1&lastNObservations=1', 3],
  ])('of %s are %i', async (query, count) => {
    expect(await rows(`/sdmx/2.1/data/CPI/M.NLD?${query}`, values)).toHaveLength(count)
  })
})

describe('values over time', () => {
  it('have an entry for each day, and end where another base takes their place', async () => {
    expect(await rows('/sdmx/2.1/data/CPI_VINTAGES/M.NLD', vintages)).toEqual([
      'index_2015_100 2025-02-10 2025-01 120.1 A',
      'index_2015_100 2025-03-10 2025-02 120.2 A',
      'index_2015_100 2025-04-10 2025-02 120.3 A',
      'index_2015_100 2025-05-10 2025-02  M',
      'index_2015_100 2025-06-10 2025-02 120.3 A',
      'index_2020_100 2025-05-10 2025-02 108.5 A',
      'index_2020_100 2025-05-10 2025-03 109 A',
      'index_2020_100 2025-06-10 2025-02  M',
    ])
    const { body } = await get('/sdmx/2.1/data/CPI_VINTAGES/M.NLD..index_2020_100', xml)
    expect(inDataSets(body)).toContain('Information   2025-02 NaN')
  })

  it('are data sets with the days of their validity, if a history is asked for', async () => {
    const address = '/sdmx/2.1/data/ALMANAC,CPI,1.0/M.NLD?startPeriod=2025-02&includeHistory=True'
    const expected = [
      'Replace 2025-03-10 2025-04-09 2025-02 120.2',
      'Replace 2025-04-10 2025-05-09 2025-02 120.3',
      'Delete 2025-05-10 2025-06-09 2025-02 ',
      'Replace 2025-05-10 2025-06-09 2025-02 108.5',
      'Replace 2025-05-10 9999-12-31 2025-03 109',
      'Delete 2025-06-10 9999-12-31 2025-02 ',
      'Replace 2025-06-10 9999-12-31 2025-02 120.3',
    ]
    for (const headers of [xml, specific]) expect(inDataSets((await get(address, headers)).body)).toEqual(expected)
    const { body } = await get(address, specific)
    expect(
      body
        .split('<Series')
        .find((text) => text.includes('UNIT_MEASURE="index_2020_100"') && !text.includes('OBS_VALUE')),
    ).not.toContain('BASE_PER')
  })

  it('are the newest ones since a day, if changes are asked for', async () => {
    const address = '/sdmx/2.1/data/CPI/M.NLD?updatedAfter='
    expect(await rows(`${address}2025-05-11T12:00:00%2B02:00`, ['ACTION', ...values])).toEqual([
      'D index_2020_100 2025-02 ',
      'R index_2015_100 2025-02 120.3',
    ])
    // The hour of a release is not known, so the whole day counts.
    expect(await rows(`${address}2025-05-10T23:00:00`, values)).toContain('index_2020_100 2025-03 109')
    expect((await get(`${address}2025-06-11`)).statusCode).toBe(404)
    // In the standard a deletion with attributes deletes those only, and one without its period the whole series.
    const deleted = (await get(`${address}2025-05-11`)).body.split('\r\n')[1]
    expect(deleted).toBe('dataflow,ALMANAC:CPI(1.0),D,M,NLD,NSA,index_2020_100,2025-02,,,,,,,,,')
    expect(await rows(`${address}2025-05-11&detail=serieskeysonly`, ['ACTION', ...values])).toEqual([
      'R index_2015_100  ',
    ])
    const older = { accept: 'application/vnd.sdmx.data+csv;version=1.0.0' }
    expect((await get(`${address}2025-05-11`, older)).statusCode).toBe(501)
  })

  it('say on each day what the plain flow says of it', async () => {
    const everything = await rows('/sdmx/2.1/data/CPI_VINTAGES/M', ['VALID_FROM', 'REF_AREA', ...values])
    const columns = ['REF_AREA', ...values]
    await fc.assert(
      fc.asyncProperty(
        fc.date({ min: new Date('2025-01-01'), max: new Date('2026-02-01'), noInvalidDate: true }),
        async (date) => {
          const day = date.toISOString().slice(0, 10)
          const newest = new Map<string, string>()
          for (const row of everything.toSorted()) {
            const [from = '', ...rest] = row.split(' ')
            const key = rest.slice(0, 3).join(' ')
            if (from <= day) newest.set(key, rest.join(' '))
          }
          const expected = [...newest.values()].filter((row) => !row.endsWith(' ')).sort()
          const address = `/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0/M?asOf=${day}`
          const found = expected.length > 0 ? await rows(address, columns) : []
          expect(found.toSorted()).toEqual(expected)
          if (expected.length === 0) expect((await get(address)).statusCode).toBe(404)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('end at the day of an address', async () => {
    expect(await rows('/asof/2025-04-09/sdmx/2.1/data/CPI/M.NLD', values)).toEqual([
      'index_2015_100 2025-01 120.1',
      'index_2015_100 2025-02 120.2',
    ])
    expect(await rows('/asof/2025-05-09/sdmx/2.1/data/CPI_VINTAGES/M.NLD', vintages)).toHaveLength(3)
    const { body } = await get('/asof/2025-05-09/sdmx/2.1/data/CPI/M.NLD?includeHistory=true', xml)
    expect(inDataSets(body).at(-1)).toBe('Replace 2025-04-10 9999-12-31 2025-02 120.3')
    expect((await get('/asof/2025-04-09/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0?asOf=2025-04-12')).statusCode).toBe(400)
  })
})

describe('a message', () => {
  it.each([
    ['*/*', 'application/vnd.sdmx.genericdata+xml;version=2.1'],
    ['application/xml', 'application/vnd.sdmx.genericdata+xml;version=2.1'],
    ['', 'application/vnd.sdmx.genericdata+xml;version=2.1'],
    [specific.accept, specific.accept],
    [`${csv.accept};q=0.5, ${specific.accept}`, specific.accept],
    ['application/vnd.sdmx.data+csv', csv.accept],
    ['application/vnd.sdmx.data+csv;version=1.0.0', 'application/vnd.sdmx.data+csv;version=1.0.0'],
    ['application/vnd.sdmx.data+csv; version="1.0.0"', 'application/vnd.sdmx.data+csv;version=1.0.0'],
  ])('for Accept %j is %s', async (accept, type) => {
    const { statusCode, headers, body } = await get('/sdmx/2.1/data/CPI/M.NLD', { accept })
    expect([statusCode, headers['content-type']], body).toEqual([200, type])
  })

  it('has the parts that are asked for', async () => {
    const body = async (query: string, headers = xml) => (await get(`/sdmx/2.1/data/CPI/M.NLD?${query}`, headers)).body
    expect(await body('detail=full')).toContain('<gen:Value id="BASE_PER" value="2015"/>')
    expect(await body('detail=dataonly')).not.toMatch(/gen:Attributes/)
    expect(await body('detail=serieskeysonly')).not.toMatch(/gen:Attributes|gen:Obs/)
    expect(await body('detail=serieskeysonly')).toContain('<gen:Value id="UNIT_MEASURE" value="index_2020_100"/>')
    expect(await body('detail=nodata')).toMatch(/gen:Attributes/)
    expect(await body('detail=nodata')).not.toMatch(/gen:Obs/)
    expect(await body('dimensionAtObservation=AllDimensions')).toMatch(
      /<gen:Obs><gen:ObsKey>.*id="TIME_PERIOD" value="2025-01"/,
    )
    expect(await body('dimensionAtObservation=AllDimensions', specific)).toMatch(
      /<Obs FREQ="M" .*TIME_PERIOD="2025-01"/,
    )
    expect(await rows('/sdmx/2.1/data/CPI/M.NLD?detail=serieskeysonly', values)).toEqual([
      'index_2015_100  ',
      'index_2020_100  ',
    ])
    const plain = await get('/sdmx/2.1/data/CPI/M.NLD', { accept: 'application/vnd.sdmx.data+csv;version=1.0.0' })
    expect(plain.body.split('\r\n')[1]).toBe(
      `ALMANAC:CPI(1.0),M,NLD,NSA,index_2015_100,2025-01,120.1,index,2015,100,not_annualized,A,${old.id},2025-02-10,first_seen`,
    )
  })

  it.each([csv, xml])('is compressed under a tag of its own: $accept', async (headers) => {
    const address = '/sdmx/2.1/data/CPI_VINTAGES'
    const [plain, coded] = [await get(address, headers), await get(address, { ...headers, 'accept-encoding': 'gzip' })]
    expect(coded.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(coded.rawPayload).toString()).toBe(plain.body)
    expect(coded.headers.etag).not.toBe(plain.headers.etag)
  })

  it('is not sent again to a client that has it', async () => {
    const first = await get('/sdmx/2.1/data/CPI/M.NLD')
    const again = await get('/sdmx/2.1/data/CPI/M.NLD', { ...csv, 'if-none-match': String(first.headers.etag) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})

describe('a request that cannot be answered', () => {
  it.each([
    ['/sdmx/2.1/data/CPI/M.FRA', 404, 'No observation'],
    ['/sdmx/2.1/data/CPI/M.NLD?startPeriod=2030', 404, 'No observation'],
    // After the last day that can be written, and before the first.
    ['/sdmx/2.1/data/CPI/M.NLD?startPeriod=9999-12-02', 404, 'No observation'],
    ['/sdmx/2.1/data/CPI/M.NLD?endPeriod=0000-01-15', 404, 'No observation'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0/M.NLD?c[TIME_PERIOD]=gt:9999', 404, 'No observation'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0/M.NLD?c[TIME_PERIOD]=lt:0000', 404, 'No observation'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0/M.NLD?c[TIME_PERIOD]=gt:9999-W52', 404, 'No observation'],
    ['/sdmx/2.1/data/CPI/M.NLD?startPeriod=2030&endPeriod=9999-W52', 404, 'No observation'],
    ['/sdmx/2.1/data/CIP/M.NLD', 404, 'Did you mean CPI?'],
    ['/sdmx/2.1/data/ECB,CPI/M.NLD', 404, 'Did you mean ALMANAC:CPI(1.0)?'],
    ['/sdmx/2.1/data/CPI/M.NLD.NSA.PC.X', 400, 'FREQ.REF_AREA.ADJUSTMENT.UNIT_MEASURE'],
    ['/sdmx/2.1/data/CPI/M.NLD?startPeriod=2024-13', 400, 'startPeriod'],
    ['/sdmx/2.1/data/CPI/M.NLD?startPeriod=2025&endPeriod=2024', 400, 'before they begin'],
    ['/sdmx/2.1/data/CPI/M.NLD?startperiod=2025', 400, 'Did you mean startPeriod?'],
    ['/sdmx/2.1/data/CPI/M.NLD?c[FREQ]=M', 400, 'Unknown query parameter'],
    ['/sdmx/2.1/data/CPI/M.NLD?asOf=2025-01-01', 400, 'Unknown query parameter'],
    ['/sdmx/2.1/data/CPI/M.NLD?detail=all', 400, 'serieskeysonly'],
    ['/sdmx/2.1/data/CPI/M.NLD?detail=full&detail=full', 400, 'given twice'],
    ['/sdmx/2.1/data/CPI/M.NLD?includeHistory=yes', 400, 'true, false'],
    ['/sdmx/2.1/data/CPI/M.NLD?lastNObservations=0', 400, 'whole number'],
    ['/sdmx/2.1/data/CPI/M.NLD?updatedAfter=yesterday', 400, 'updatedAfter'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0?asOf=2999-01-01', 400, 'in the future'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0?c[PARTNER]=USA', 400, 'c[REF_AREA]'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0?c[FREQ]=xx:M', 400, 'operator'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0?c[TIME_PERIOD]=ne:2024', 501, 'c[TIME_PERIOD]'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0/M.NLD,M.DEU', 501, 'M.USA+DEU'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI,GDP/1.0', 501, 'Several flows'],
    ['/sdmx/3.0/data/provisionagreement/ALMANAC/CPI/1.0', 501, '/data/dataflow'],
    ['/sdmx/2.1/data/CPI/M.NLD?includeHistory=true', 501, 'CPI_VINTAGES'],
    ['/sdmx/2.1/data/CPI/M.NLD+GER', 400, 'Did you mean DEU'],
    ['/sdmx/2.1/data/CPI/M.NLD+', 400, 'REF_AREA: &quot;&quot; is not a country'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0/M.NLD?c[REF_AREA]=XXX', 400, '&quot;XXX&quot; is not a country'],
    [
      '/sdmx/3.0/data/dataflow/ALMANAC/CPI_VINTAGES/1.0?c[VALID_FROM]=ge:2026-1-1',
      400,
      'There is no day &quot;2026-1-1&quot;',
    ],
    ['/sdmx/2.1/data/CPI/m.NLD', 400, 'Codes: A, Q, M'],
    ['/sdmx/2.1/data/INFLATION/M.USA.yoy', 400, 'year_over_year'],
    ['/sdmx/2.1/data/CPI/M.NLD?updatedAfter=2025-05', 400, 'Use one day'],
    ['/sdmx/2.1/data/CPI/M.NLD?detail=nodata&dimensionAtObservation=AllDimensions', 400, 'Leave one of the two out'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0?asOf=2025', 400, 'Use one day'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0?c[REF_AREA]=NLD&c[REF_AREA]=DEU', 400, 'given twice'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0?c[UNIT_MEASURE]=sw:index,sw:USD', 501, 'Ask once for each'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0?c[REF_AREA]=NLD,ne:DEU', 501, 'Ask once for each'],
    ['/sdmx/3.0/data/dataflow/ALMANAC/CPI/1.0?limit=10', 501, 'limit is not served'],
    ['/sdmx/2.1/availableconstraint/CPI/all/all/COUNTRY', 400, 'Components: FREQ, REF_AREA'],
    ['/sdmx/2.1/availableconstraint/CPI/all/all/FREQ/more', 400, 'Components: FREQ, REF_AREA'],
  ])('%s is %i', async (address, status, text) => {
    const { statusCode, body } = await get(address)
    expect([statusCode, body]).toEqual([status, expect.stringContaining(text)])
  })

  it.each(['application/vnd.sdmx.data+json;version=2.0.0', 'application/vnd.sdmx.data+csv;version=3.0.0', 'text/html'])(
    'for Accept %s is 406',
    async (accept) => {
      const { statusCode, body } = await get('/sdmx/2.1/data/CPI/M.NLD', { accept })
      expect([statusCode, body]).toEqual([406, expect.stringContaining(csv.accept)])
    },
  )

  it('for CSV in a style that is not served is 406', async () => {
    const address = '/sdmx/2.1/data/CPI/M.NLD'
    const { statusCode, body } = await get(address, { accept: `${csv.accept};labels=both` })
    expect([statusCode, body]).toEqual([406, expect.stringContaining('labels=id')])
    const served = await get(address, { accept: `${csv.accept};labels=both, ${csv.accept};labels=id;q=0.5` })
    expect(served.headers['content-type']).toBe(csv.accept)
  })

  it('is refused with the years that fit, if it has too many observations', async () => {
    const known = countries.slice(0, 60).map(({ alpha3 }) => ({
      ...testSeries({ country: alpha3 }),
      firstReleasedOn: '2026-01-01',
      newest: 1,
      recordedAt: at('2026-01-01'),
    }))
    const periods = Array.from({ length: 140 }, (_, i) => periodsOfYear('M', String(1880 + i))).flat()
    const prints = known.flatMap((_, i) =>
      periods.map((period) => ({
        period,
        place: i + 1,
        figures: { value: '1' },
        released_on: '2026-01-01',
        released_on_basis: 'publisher' as const,
      })),
    )
    const { history } = served.releases
    const reads = { ...history, seriesOfMany: async () => known, inForce: async () => prints }
    const reach = { includes: async () => true }
    const kept = new KeptAnswers({ ...served.releases, reach, monotonic: () => 0, newestRelease: () => -1 })
    const handler = dataHandlers({ history: reads, clock: () => new Date() }, kept)[sdmxCalls.data.id]
    const params = { interface: '2.1', path: ['CPI'], accept: csv.accept }
    const answer = async () => handler?.answer(await handler.ask({ params, query: {} }, null))
    await expect(answer).rejects.toMatchObject({ code: 'answer_too_large' })
    // 60 series of 12 months: 138 years are 99,360 observations.
    await expect(answer).rejects.toThrow(/100800 observations.* of 1880 to 2017 /)
  })

  it('is not answered without a key', async () => {
    expect((await served.app.inject({ url: '/sdmx/2.1/data/CPI/M.NLD' })).statusCode).toBe(401)
  })
})
