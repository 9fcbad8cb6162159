import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fred } from '../../../ingest/sources/fred/index.ts'
import { baseAt, fredSeries } from '../../../ingest/sources/fred/parse.ts'
import { altered, document, figuresOf, fixture, fixturePath, rejectsOf, summary } from './fixture.ts'

const { parse } = fred()
const gdp = { dataset: 'GDP' }
const vintages = () => fixture('fred/GDP-vintages.json', gdp)
const snapshot = () => fixture('fred/UNRATE-snapshot.json', { dataset: 'UNRATE' })
const observations = (head: object, rows: object[]) =>
  JSON.stringify({
    units: 'lin',
    output_type: 1,
    count: rows.length,
    offset: 0,
    limit: 100000,
    ...head,
    observations: rows,
  })

describe('FRED vintages', () => {
  it('are figures in whole units, released on the day from which they stood', () => {
    const [figure] = figuresOf(parse(vintages())).filter(({ period }) => period === '2024-Q3')
    expect(figure).toEqual({
      kind: 'figure',
      series: {
        id: 'USA.gdp.Q.FRED.GDP.USD.SA.annualized',
        indicator: 'gdp',
        country: 'USA',
        frequency: 'Q',
        source: 'FRED',
        dataset: 'GDP',
        unit: 'USD',
        seasonal_adjustment: 'seasonally_adjusted',
        annualization: 'annualized',
        base_period: '',
        base_value: '',
        derivation: '',
      },
      period: '2024-Q3',
      figures: { value: { printed: '29349.924', multiplier: '1000000000' } },
      released: { on: '2024-10-30', basis: 'publisher' },
      location: 'observations[33]',
    })
    expect(summary(parse(vintages())).at(-1)?.[2]).toEqual({ value: '29349924000000' })
  })

  it('of one period come oldest first, and all of them in order of release', () => {
    const figures = figuresOf(parse(vintages()))
    expect(
      figures.filter(({ period }) => period === '2024-Q1').map((f) => [f.released?.on, f.figures.value?.printed]),
    ).toEqual([
      ['2024-04-25', '28284.498'],
      ['2024-05-30', '28255.928'],
      ['2024-06-27', '28269.174'],
      ['2024-09-26', '28624.069'],
    ])
    const released = figures.map((f) => f.released?.on ?? '')
    expect(released).toEqual(released.toSorted())
    expect(figures.filter((f) => f.released?.on === '2024-09-26').map((f) => f.period)).toEqual([
      '2023-Q3',
      '2023-Q4',
      '2024-Q1',
      '2024-Q2',
    ])
  })

  it('that are missing are stated as such, and are no rejects', () => {
    const items = [...parse(vintages())]
    expect(items.filter(({ kind }) => kind === 'figure')).toHaveLength(31)
    expect(items.filter(({ kind }) => kind === 'missing')).toHaveLength(3)
    expect(rejectsOf(items)).toEqual([])
    expect(
      figuresOf(items)
        .filter(({ period }) => period === '1946-Q1')
        .map((f) => f.released?.on),
    ).toEqual(['1992-12-22', '1997-05-07'])
  })

  it('at which the archive begins are not taken for first prints', () => {
    const [first, second] = figuresOf(parse(vintages()))
    expect(first?.released).toEqual({ on: '1991-12-04', basis: 'copy' })
    expect(second?.released).toEqual({ on: '1991-12-20', basis: 'publisher' })
  })

  it.each([
    ['2009-07-30', '2000'],
    ['2009-07-31', '2005'],
    ['2023-09-28', '2017'],
  ])('of real GDP on %s are in dollars of %s', (realtime_start, base) => {
    const row = { realtime_start, date: '2008-01-01', value: '13366.865' }
    const [figure] = figuresOf(parse(document(observations({}, [row]), { dataset: 'GDPC1' })))
    expect(figure?.series).toMatchObject({ indicator: 'gdp-volume', base_period: base, annualization: 'annualized' })
  })

  it('of a series without bases by date have that of their row', () => {
    expect(baseAt('INDPRO', { base: '2017' }, '2026-08-01')).toMatchObject({ period: '2017', value: '100' })
    expect(baseAt('UNRATE', { base: '' }, '2026-08-01')).toMatchObject({ period: '', value: '' })
  })

  it('whose base is not known are rejected', () => {
    const row = { realtime_start: '1988-01-20', date: '1987-12-01', value: '345.7' }
    const rejects = rejectsOf(parse(document(observations({}, [row]), { dataset: 'CPIAUCNS' })))
    expect(rejects).toMatchObject([{ reason: 'unknown_base', location: 'observations[0]', text: JSON.stringify(row) }])
  })
})

describe('FRED snapshot', () => {
  it('was held by FRED on its day, so that its figures were released then or before', () => {
    const figures = figuresOf(parse(snapshot()))
    expect(figures.map((f) => [f.period, f.figures.rate?.printed])).toEqual([
      ['2025-06', '4.1'],
      ['2025-07', '4.3'],
      ['2025-08', '4.3'],
      ['2025-09', '4.4'],
      ['2025-11', '4.5'],
      ['2025-12', '4.4'],
      ['2026-01', '4.3'],
      ['2026-02', '4.4'],
      ['2026-03', '4.3'],
      ['2026-04', '4.3'],
      ['2026-05', '4.3'],
      ['2026-06', '4.2'],
      ['2026-07', '4.1'],
    ])
    expect(new Set(figures.map((f) => JSON.stringify(f.released)))).toEqual(
      new Set(['{"on":"2026-08-07","basis":"copy"}']),
    )
  })

  it('of each of two years gives the figures as they stood on its day', () => {
    const snapshots = JSON.parse(readFileSync(fixturePath('fred/GDP-snapshots.json'), 'utf8')) as object[]
    const latest = snapshots.map((one) => figuresOf(parse(document(JSON.stringify(one), gdp))).at(-1))
    expect(latest).toHaveLength(23)
    expect(latest.slice(-3).map((f) => [f?.released?.on, f?.period, f?.figures.value?.printed])).toEqual([
      ['2024-10-30', '2024-Q3', '29349.924'],
      ['2024-11-27', '2024-Q3', '29354.321'],
      ['2024-12-19', '2024-Q3', '29374.914'],
    ])
  })
})

describe('FRED download', () => {
  it('names its series, has empty cells for missing figures and states no release', () => {
    const figures = figuresOf(parse(fixture('fred/UNRATE.csv')))
    expect(figures.map((f) => [f.period, f.figures.rate?.printed, f.location])).toEqual([
      ['2025-06', '4.1', 'line 2'],
      ['2025-07', '4.2', 'line 3'],
      ['2025-08', '4.3', 'line 4'],
      ['2025-09', '4.4', 'line 5'],
      ['2025-11', '4.6', 'line 7'],
    ])
    expect(figures.every((f) => f.released === undefined)).toBe(true)
  })

  it.each([
    [
      'LRHUTTTTAUM156S',
      'AUS.unemployment.M.FRED.LRHUTTTTAUM156S.percent.SA',
      '1978-02',
      '6.644536',
      '2026-03',
      '4.255249',
    ],
    // Its header is in lower case, as a holder saved it.
    ['LRHUTTTTDEM156S', 'DEU.unemployment.M.FRED.LRHUTTTTDEM156S.percent.SA', '1991-01', '5.2', '2025-07', '3.7'],
    ['CIVPART', 'USA.labour-force-participation.M.FRED.CIVPART.percent.SA', '1948-01', '58.6', '2024-08', '62.7'],
    ['UKNGDP', 'GBR.gdp.Q.FRED.UKNGDP.GBP.SA', '2000-Q1', '273551000000', '2025-Q2', '754397000000'],
  ])('of %s is of its country', (series, id, first, firstFigure, last, lastFigure) => {
    const items = [...parse(fixture(`fred/${series}.csv`))]
    expect(items).toHaveLength(4)
    const figures = summary(items).map(([id, period, figures]) => [id, period, ...Object.values(figures)])
    expect([figures[0], figures[3]]).toEqual([
      [id, first, firstFigure],
      [id, last, lastFigure],
    ])
  })

  it('states a missing figure if its day is known, and none if it may be an old copy', () => {
    const missing = (about: object) =>
      [...parse(fixture('fred/UNRATE.csv', about))].flatMap((item) => (item.kind === 'missing' ? item.period : []))
    expect(missing({ retrievedAt: '2025-12-20T10:00:00.000Z' })).toEqual(['2025-10'])
    expect(missing({ retrievedAt: null, lastUpdated: '2025-12-20' })).toEqual(['2025-10'])
    expect(missing({ retrievedAt: null })).toEqual([])
  })

  it('is on the base of its day in St. Louis', () => {
    const base = (retrievedAt: string) =>
      figuresOf(parse(document('DATE,GDPC1\n2008-01-01,13366.865\n', { retrievedAt })))[0]?.series.base_period
    expect(base('2023-09-28T04:30:00.000Z')).toBe('2012')
    expect(base('2023-09-28T13:00:00.000Z')).toBe('2017')
  })

  it('is on the base of the newest benchmark revision of Japan', () => {
    const read = (retrievedAt: string) =>
      figuresOf(parse(document('DATE,JPNRGDPEXP\n2025-01-01,593977.5\n', { retrievedAt })))[0]
    expect(read('2025-12-06T13:00:00.000Z')?.series.base_period).toBe('2015')
    expect(read('2026-08-22T03:14:00.000Z')).toMatchObject({
      series: { id: 'JPN.gdp-volume.Q.FRED.JPNRGDPEXP.JPY.SA.annualized.2020', base_period: '2020' },
      period: '2025-Q1',
    })
  })

  it('has binary noise, which the declared decimals cut', () => {
    expect(
      summary(parse(fixture('fred/XTIMVA01USM667S.csv'))).map(([id, period, { value }]) => [id, period, value]),
    ).toContainEqual(['USA.trade-imports.M.FRED.XTIMVA01USM667S.USD.SA', '2022-09', '267196000000'])
  })

  it('without a series in its header is of the document’s dataset', () => {
    const copy = document('date,value\n2000-01-01,273551\n', { dataset: 'UKNGDP' })
    expect(summary(parse(copy))).toEqual([['GBR.gdp.Q.FRED.UKNGDP.GBP.SA', '2000-Q1', { value: '273551000000' }]])
  })
})

describe('a FRED document is refused', () => {
  it.each([
    ['of an unknown series', document('DATE,LFPART\n2024-01-01,62.5\n'), 'dataset_not_supported'],
    ['without a series', fixture('fred/GDP-vintages.json', { dataset: '' }), 'series_not_named'],
    ['as CSV without a series', document('date,value\n2000-01-01,273551\n', { dataset: '' }), 'series_not_named'],
    ['of another series', document('DATE,CIVPART\n2024-01-01,62.5\n', { dataset: 'UNRATE' }), 'other_series'],
    ['of changes, not levels', altered('fred/GDP-vintages.json', '"lin"', '"pc1"', gdp), 'not_levels'],
    [
      'of another output type',
      altered('fred/GDP-vintages.json', '"output_type":1', '"output_type":2', gdp),
      'not_levels',
    ],
    [
      'with fewer observations than it counts',
      altered('fred/GDP-vintages.json', '"count":34', '"count":35', gdp),
      'truncated',
    ],
    ['without a count', altered('fred/GDP-vintages.json', '"count"', '"amount"', gdp), 'malformed_document'],
    ['that is an error', document('{"error_code":400,"error_message":"Bad Request."}', gdp), 'publisher_error'],
    ['without observations', document('{"count":0}', gdp), 'malformed_document'],
    ['of no observation', document('{"count":0,"offset":0,"limit":100000,"observations":[]}', gdp), 'empty'],
    ['whose last row is cut', document('observation_date,UNRATE\n2024-01-01,3'), 'truncated'],
    ['of another shape', document('a,b,c\n1,2,3\n'), 'malformed_document'],
    ['in UTF-16', document(new Uint8Array(Buffer.from('\ufeffDATE,GDP\n', 'utf16le'))), 'wrong_encoding'],
  ])('%s', (_, refused, reason) => {
    expect(() => [...parse(refused)]).toThrow(expect.objectContaining({ name: 'DocumentError', reason }))
  })
})

describe('FRED figures of another frequency', () => {
  const csv = (series: string, ...dates: string[]) =>
    document(`observation_date,${series}\n${dates.map((date) => `${date},4.5\n`).join('')}`)
  const json = (...dates: string[]) => {
    const rows = dates.map((date) => ({ realtime_start: '2026-11-01', realtime_end: '2026-11-01', date, value: '4.5' }))
    return document(observations({}, rows), { dataset: 'UNRATE' })
  }
  const quarters = ['2024-01-01', '2024-04-01', '2024-07-01']
  const years = ['2019-01-01', '2020-01-01', '2021-01-01']

  it.each([
    ['quarters', csv('UNRATE', ...quarters), '3 months'],
    ['quarters with a gap', csv('UNRATE', '2023-04-01', ...quarters), '3 months'],
    ['quarters, the newest first', csv('UNRATE', ...quarters.toReversed()), '3 months'],
    ['years', csv('UNRATE', ...years), '12 months'],
    ['years of a quarterly series', csv('UKNGDP', ...years), '12 months'],
    ['quarters in JSON', json(...quarters), '3 months'],
    ['years in JSON', json(...years), '12 months'],
  ])('are refused: %s', (_, refused, distance) => {
    const fault = { reason: 'other_frequency', message: expect.stringContaining(distance) }
    expect(() => [...parse(refused)]).toThrow(expect.objectContaining(fault))
  })

  it.each([
    ['months with holes', csv('UNRATE', '2025-01-01', '2025-04-01', '2025-09-01', '2025-11-01')],
    ['two months', csv('UNRATE', '2025-01-01', '2025-04-01')],
    ['one month', csv('UNRATE', '2025-01-01')],
    ['quarters of a quarterly series', csv('UKNGDP', ...quarters)],
  ])('are not seen in %s', (_, read) => {
    expect(rejectsOf(parse(read))).toEqual([])
    expect(figuresOf(parse(read)).length).toBeGreaterThan(0)
  })
})

describe('a FRED observation is rejected, and the others are not', () => {
  it.each([
    ['a value that is no decimal', '"value":"29349.924"', '"value":"29349,924"', 'not_a_decimal'],
    ['a date inside a quarter', '"2024-07-01"', '"2024-08-01"', 'bad_period'],
    ['no real-time start', '"2024-10-30"', '"2024-10-32"', 'bad_date'],
    ['no value', '"value":"29349.924"', '"valve":"29349.924"', 'missing_member'],
  ])('%s', (_, from, to, reason) => {
    const items = [...parse(altered('fred/GDP-vintages.json', from, to, gdp))]
    expect(rejectsOf(items)).toMatchObject([{ reason, location: 'observations[33]' }])
    expect(rejectsOf(items)[0]?.text).toContain(to)
    expect(figuresOf(items)).toHaveLength(30)
  })

  it('a figure that the document states already', () => {
    const items = [...parse(document('DATE,UNRATE\n2024-01-01,3.7\n2024-01-01,3.7\n'))]
    expect(rejectsOf(items)).toMatchObject([{ reason: 'stated_twice', location: 'line 3' }])
    expect(summary(items)).toEqual([['USA.unemployment.M.FRED.UNRATE.percent.SA', '2024-01', { rate: '3.7' }]])
  })
})

describe('the table of FRED series', () => {
  it('names each series once in the datasets', () => {
    expect(Object.keys(fred().datasets)).toEqual(Object.keys(fredSeries))
    expect(fredSeries.LRHUTTTTJPM156S?.countries).toEqual(new Set(['JPN']))
    expect(fredSeries).toHaveProperty('XTEXVA01GBM667S.meaning.indicator', 'trade-exports')
  })
})
