import { beforeAll, describe, expect, it } from 'vitest'
import { testSeries } from '../support/releases.ts'
import { turnsOf } from '../support/turns.ts'
import { ask, bearer, type World, world } from './support.ts'

/** That columns are the histories of the real store is in histories.integration.test.ts. */

describe('a panel', () => {
  let served: World
  beforeAll(async () => {
    served = await world()
    const at = (day: string) => `${day}T09:00:00.000Z`
    const cpi = testSeries({ country: 'DEU' })
    for (const [period, value] of [
      ['2024-11', '120.0'],
      ['2024-12', '121.0'],
      ['2025-01', '120.3'],
      ['2025-03', '121.25'],
    ] as const)
      served.releases.accept(cpi, period, { value }, at('2025-04-15'))
    served.releases.accept(cpi, '2025-01', { value: '120.4' }, at('2025-05-15'))
  })
  const get = (query: string) => ask(served.app, `/v1/panel?${query}`)
  const lines = async (query: string) => (await get(query)).body.split('\r\n')

  it('has a row for each period without a gap, and a column for each figure of each country', async () => {
    expect(await lines('country=DEU&country=USA&indicator=cpi&frequency=M&start=2024-12&end=2025-04')).toEqual([
      'period,DEU.cpi,USA.cpi',
      '2024-12,121.0,',
      '2025-01,120.4,',
      '2025-02,,',
      '2025-03,121.25,',
      '',
    ])
    const [header] = await lines('country=USA&indicator=inflation&indicator=cpi&frequency=M')
    expect(header).toBe(
      'period,USA.inflation.year_over_year,USA.inflation.month_over_month,USA.inflation.year_to_date,USA.cpi',
    )
  })

  it('lets others be answered between its columns', async () => {
    const countries = ['AUS', 'AUT', 'BEL', 'CAN', 'CHE', 'DEU', 'DNK', 'ESP', 'FIN', 'FRA']
    const cells = `${countries.map((code) => `country=${code}`).join('&')}&indicator=cpi&indicator=inflation`
    const turns = await turnsOf(() => get(`${cells}&indicator=gdp&indicator=trade&frequency=M`))
    expect(turns).toBeGreaterThanOrEqual(4 * countries.length - 1)
  })

  it('has the figures of a day', async () => {
    expect(await lines('country=DEU&indicator=cpi&frequency=M&start=2025-01&end=2025-01&as_of=2025-05-14')).toEqual([
      'period,DEU.cpi',
      '2025-01,120.3',
      '',
    ])
    expect((await get('country=DEU&indicator=cpi&frequency=M&as_of=2025-04-14')).problem).toMatchObject({
      code: 'no_dated_evidence',
      detail: expect.stringContaining('2025-04-15'),
    })
    const { body } = await ask(served.app, '/asof/2025-05-14/v1/panel?country=DEU&indicator=cpi&frequency=M')
    expect(body).toContain('2025-01,120.3')
  })

  it('never mixes bases in a column, but rates of both', async () => {
    const series = { country: 'NLD', source: 'OTHER' }
    const [old, rebased] = [testSeries({ country: 'NLD' }), testSeries({ ...series, base_period: '2020' })]
    const at = '2025-04-15T09:00:00.000Z'
    for (const [period, value] of [
      ['2024-12', '120'],
      ['2025-01', '121'],
    ] as const)
      served.releases.accept(old, period, { value }, at)
    for (const [period, value] of [
      ['2025-01', '100.0'],
      ['2025-02', '101.0'],
    ] as const)
      served.releases.accept(rebased, period, { value }, at)
    const query = 'country=NLD&indicator=cpi&frequency=M&start=2024'
    expect(await lines(query)).toEqual([
      'period,NLD.cpi,NLD.cpi (2015=100)',
      '2024-12,,120',
      '2025-01,100.0,',
      '2025-02,101.0,',
      '',
    ])
    expect(await lines(`${query}&units=pch`)).toEqual(['period,NLD.cpi', '2025-02,1', ''])
    const about = await lines(`${query}&about=rows`)
    expect(about).toContain('# base,2020=100,2015=100')
    const [of2020, of2015] = ['OTHER.T1.index.NSA.2020=100', 'TEST.T1.index.NSA.2015=100']
    expect(about).toContain(`# series_since,2025-01 NLD.cpi.M.${of2020},2024-12 NLD.cpi.M.${of2015}`)

    const rate = { country: 'NLD', indicator: 'unemployment', unit: 'percent' } as const
    served.releases.accept(testSeries(rate), '2025-01', { rate: '4.1' }, at)
    served.releases.accept(
      testSeries({ ...rate, source: 'OTHER', base_period: '2020' }),
      '2025-02',
      { rate: '4.2' },
      at,
    )
    const ofRate = await lines('country=NLD&indicator=unemployment&frequency=M&about=rows')
    expect(ofRate.find((line) => line.startsWith('# series_since'))).toMatch(
      /,2025-01 NLD\.unemployment\.M\.TEST\.\S+ \| 2025-02 NLD\.unemployment\.M\.OTHER\.\S+$/,
    )
    expect(await lines('country=NLD&indicator=unemployment&frequency=M')).toEqual([
      'period,NLD.unemployment',
      '2025-01,4.1',
      '2025-02,4.2',
      '',
    ])
  })

  it('computes changes with the periods before its range, and none over a gap', async () => {
    expect(await lines('country=DEU&indicator=cpi&frequency=M&start=2024-12&units=chg')).toEqual([
      'period,DEU.cpi',
      '2024-12,1',
      '2025-01,-0.6',
      '',
    ])
  })

  it('aggregates series of a higher frequency, if it is said how, and only whole periods', async () => {
    const query = 'country=USA&indicator=trade-exports&frequency=A'
    expect((await get(query)).problem.detail).toContain('aggregation_method')
    expect(await lines(`${query}&aggregation_method=sum`)).toEqual([
      'period,USA.trade-exports',
      `2025,${(300 * 12 + 78) * 1e9}`,
      '',
    ])
    expect(
      await lines('country=DEU&country=USA&indicator=cpi&indicator=trade-exports&frequency=A&aggregation_method=avg'),
    ).toEqual(['period,DEU.cpi,DEU.trade-exports,USA.cpi,USA.trade-exports', '2025,,,,306500000000', ''])
  })

  it('says of each column what it is, if it is asked, and writes decimals with a comma for those who want it', async () => {
    const [unit, , , base, adjustment, , source, series, basis, since, header, first] = await lines(
      'country=DEU&indicator=cpi&frequency=M&about=rows&csv_style=semicolon&start=2025-03',
    )
    expect([unit, base, adjustment, source]).toEqual([
      '# unit;index',
      '# base;2015=100',
      '# seasonal_adjustment;not_seasonally_adjusted',
      '# source;TEST',
    ])
    expect(series).toBe('# series;DEU.cpi.M.TEST.T1.index.NSA.2015=100')
    expect(basis).toBe('# released_on_basis;first_seen')
    expect(since).toBe('# series_since;2025-03 DEU.cpi.M.TEST.T1.index.NSA.2015=100')
    expect([header, first]).toEqual(['period;DEU.cpi', '2025-03;121,25'])
  })

  it('is revalidated, and costs one call', async () => {
    const url = '/v1/panel?country=DEU&indicator=cpi&frequency=M'
    const before = served.quota.used
    const { etag } = (await ask(served.app, url)).headers
    expect(served.quota.used).toBe(before + 1)
    const again = await ask(served.app, { url, headers: { ...bearer(), 'if-none-match': String(etag) } })
    expect(again.statusCode).toBe(304)
  })

  it.each([
    ['indicator=cpi&frequency=M', 'query parameter country is missing'],
    ['country=DEU&indicator=cpi', 'query parameter frequency is missing'],
    ['country=GER&indicator=cpi&frequency=M', 'Did you mean DEU (Germany)?'],
    ['country=DEU&indicator=cip&frequency=M', 'Did you mean cpi'],
    ['country=DEU&indicator=cpi&frequency=M&start=2025-02&end=2025-01', 'start: "2025-02" is after end "2025-01"'],
    ['country=DEU&indicator=cpi&frequency=M&as_of=2026-11-23', 'is in the future'],
    ['country=DEU&indicator=cpi&frequency=M&units=yoy', 'units'],
  ])('refuses %s', async (query, detail) => {
    const { problem } = await get(query)
    expect(problem.code).toBe('invalid_query')
    expect(problem.detail).toContain(detail)
  })

  it('that is too large says how it can be split', async () => {
    served.releases.accept(testSeries({ country: 'DEU' }), '0001-01', { value: '1' })
    const countries = ['DEU', 'USA', 'FRA', 'GBR', 'ITA'].map((code) => `country=${code}`)
    const { problem } = await get(`${countries.join('&')}&indicator=cpi&frequency=M`)
    expect(problem.detail).toMatch(/would have 121495 values.*start=0001-01&end=1667-08/)
  })
})
