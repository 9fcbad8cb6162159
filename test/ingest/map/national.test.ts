import { describe, expect, it } from 'vitest'
import { observationsOf } from '../read/formats/observations.ts'
import { altered, figuresOf, fixture, rejectsOf, summary } from '../sources/fixture.ts'
import { itemsBy, itemsOfFixture, refusalBy } from './national.ts'

const UNEMPLOYMENT = 'MYS.unemployment.M.DOSM.lfs_month.percent.NSA'
const PARTICIPATION = 'MYS.labour-force-participation.M.DOSM.lfs_month.percent.NSA'

describe('DOSM', () => {
  it('gives both rates of a month', () => {
    const items = summary(itemsOfFixture('dosm', 'dosm/lfs_month.csv'))
    expect(items).toHaveLength(12)
    expect(items).toContainEqual([UNEMPLOYMENT, '2010-03', { rate: '3.5' }])
    expect(items).toContainEqual([UNEMPLOYMENT, '2026-04', { rate: '3.0' }])
    expect(items).toContainEqual([PARTICIPATION, '2010-01', { rate: '64.1' }])
  })

  it('gives trade in whole ringgit, without binary noise and rates of growth', () => {
    const items = summary(itemsOfFixture('dosm', 'dosm/trade_headline.csv'))
    expect(items).toHaveLength(10)
    expect(items).toContainEqual([
      'MYS.trade-exports.M.DOSM.trade_headline.MYR.NSA',
      '2025-03',
      { value: '137303572007' },
    ])
    expect(items).toContainEqual([
      'MYS.trade-imports.M.DOSM.trade_headline.MYR.NSA',
      '2026-04',
      { value: '153990565075' },
    ])
  })

  it('refuses the same columns by quarter as what they are', () => {
    const quarters =
      'date,lf,lf_employed,lf_unemployed,lf_outside,p_rate,ep_ratio,u_rate\n2025-01-01,1,1,1,1,70.7,68.6,3.1\n2025-04-01,1,1,1,1,70.8,68.7,3.0\n'
    expect(refusalBy('dosm', quarters, 'lfs_month')?.message).toContain('DOSM:lfs_qtr, not of lfs_month')
  })

  it.each([
    ['one row', 'date,lf,lf_employed,lf_unemployed,p_rate,u_rate\n2010-01-01,1,1,1,64.1,3.5\n', 'one row'],
    [
      'dates at another distance',
      'date,lf,lf_employed,lf_unemployed,p_rate,u_rate\n2010-01-01,1,1,1,64.1,3.5\n2010-04-01,1,1,1,64.1,3.5\n',
      '2010-01-01 and 2010-04-01',
    ],
  ])('refuses %s, which prove no dataset', (_, text, detail) => {
    const refusal = refusalBy('dosm', text, 'gdp_qtr_nominal')
    expect(refusal?.reason).toBe('dataset_not_proven')
    expect(refusal?.message).toContain(detail)
  })

  it.each([
    ['gdp_qtr_nominal', 'MYS.gdp.Q.DOSM.gdp_qtr_nominal.MYR.NSA', ['281643000000', '288307000000', '297422000000']],
    [
      'gdp_qtr_real_sa',
      'MYS.gdp-volume.Q.DOSM.gdp_qtr_real_sa.MYR.SA',
      ['289405000000', '293440000000', '295320000000'],
    ],
  ] as const)('reads %s if it is named, because its columns are those of several datasets', (dataset, id, values) => {
    const path = `dosm/${dataset}.csv`
    expect(summary(itemsOfFixture('dosm', path, dataset))).toEqual(
      values.map((value, i) => [id, `2015-Q${i + 1}`, { value }]),
    )
    expect(refusalBy('dosm', fixture(path).bytes)).toMatchObject({
      reason: 'dataset_not_named',
      message: expect.stringContaining('Name it: --dataset and one of: gdp_qtr_nominal, gdp_qtr_real_sa.'),
    })
  })

  it('says of a removed dataset that it was removed', () => {
    const adjusted = 'date,lf,lf_employed,lf_unemployed,p_rate,u_rate\n2010-01-01,1,1,1,64,3\n2010-02-01,1,1,1,64,3\n'
    expect(refusalBy('dosm', adjusted)).toMatchObject({
      reason: 'dataset_removed',
      message: expect.stringContaining('dosm/lfs_month_sa was removed in 0.3.0'),
    })
  })

  it('rejects a date that begins no month', () => {
    const document = altered('dosm/lfs_month.csv', '2026-03-01', '2026-03-02')
    expect(rejectsOf(itemsBy('dosm', document.bytes)).map(({ reason, location }) => `${reason} ${location}`)).toEqual([
      'bad_period line 6',
      'bad_period line 6',
    ])
  })
})

describe('ONS', () => {
  it('gives the mapped series of a whole release, with the day of release', () => {
    const items = itemsOfFixture('ons', 'ons/MRET.csv')
    expect(summary(items)).toEqual([
      ['GBR.trade-exports.M.ONS.BOKG.GBP.SA', '1998-01', { value: '14013000000' }],
      ['GBR.trade-imports.M.ONS.BOKH.GBP.SA', '1998-01', { value: '14796000000' }],
      ['GBR.trade-exports.M.ONS.BOKG.GBP.SA', '2017-07', { value: '27744000000' }],
      ['GBR.trade-imports.M.ONS.BOKH.GBP.SA', '2017-07', { value: '40573000000' }],
      ['GBR.trade-exports.M.ONS.BOKG.GBP.SA', '2017-08', { value: '28155000000' }],
      ['GBR.trade-imports.M.ONS.BOKH.GBP.SA', '2017-08', { value: '42400000000' }],
    ])
    expect(figuresOf(items)[0]?.released).toEqual({ on: '2017-10-10', basis: 'dataset' })
  })

  it('gives months, quarters and years of a series, with the day in London', () => {
    const items = itemsOfFixture('ons', 'ons/MGSX.json')
    expect(summary(items)).toContainEqual(['GBR.unemployment.M.ONS.MGSX.percent.SA', '1971-02', { rate: '3.8' }])
    expect(summary(items)).toContainEqual(['GBR.unemployment.Q.ONS.MGSX.percent.SA', '2021-Q1', { rate: '4.9' }])
    expect(summary(items)).toContainEqual(['GBR.unemployment.A.ONS.MGSX.percent.SA', '2020', { rate: '4.5' }])
    expect(items).toHaveLength(9)
    // The document prints 2021-07-14T23:00:00.000Z.
    expect(figuresOf(items)[0]?.released).toEqual({ on: '2021-07-15', basis: 'dataset' })
  })

  it('refuses a series that is not mapped, and another one than is asked for', () => {
    const growth = fixture('ons/IHYQ.csv').bytes
    expect(refusalBy('ons', growth)).toMatchObject({
      reason: 'dataset_not_supported',
      message: expect.stringContaining('ONS time series CSV of dataflow ONS:IHYQ'),
    })
    expect(refusalBy('ons', fixture('ons/MGSX.json').bytes, 'ABMI')).toMatchObject({
      reason: 'wrong_dataset',
      message: expect.stringContaining('ONS:MGSX, not of ABMI'),
    })
  })

  it('refuses a series in another unit', () => {
    expect(refusalBy('ons', altered('ons/MGSX.json', '"unit": "%"', '"unit": "000s"').bytes)?.reason).toBe(
      'no_mapped_series',
    )
  })

  it('gives of a whole release only what is asked for', () => {
    const items = itemsOfFixture('ons', 'ons/MRET.csv', 'BOKH')
    expect(new Set(summary(items).map(([id]) => id))).toEqual(new Set(['GBR.trade-imports.M.ONS.BOKH.GBP.SA']))
  })
})

describe('SingStat', () => {
  it('gives the total of a table, in whole dollars', () => {
    const items = itemsOfFixture('singstat', 'singstat/gdp-chained-2015-quarterly-sa.csv')
    const id = 'SGP.gdp-volume.Q.SINGSTAT.GDP-chained-2015-dollars-quarterly-SA.SGD.SA'
    expect(summary(items)).toContainEqual([id, '1975-Q1', { value: '7546000000' }])
    expect(summary(items)).toContainEqual([id, '2025-Q4', { value: '151646500000' }])
    expect(items).toHaveLength(6)
    expect(figuresOf(items)[0]?.released).toEqual({ on: '2026-01-02', basis: 'dataset' })
  })

  it('refuses a table with another title, and one that ends before its notes', () => {
    const path = 'singstat/gdp-chained-2015-quarterly-sa.csv'
    const other = altered(path, 'Quarterly, Seasonally Adjusted"', 'Year on Year Growth Rate, Quarterly"')
    expect(refusalBy('singstat', other.bytes)?.reason).toBe('dataset_not_supported')
    const text = new TextDecoder().decode(fixture(path).bytes)
    expect(refusalBy('singstat', text.slice(0, text.indexOf('Generated by')))?.reason).toBe('truncated')
  })

  it('reads JSON of the API by the number of the table', () => {
    // The figures are made up; the frame follows the documentation.
    const columns = [
      { key: '2026 Jun', value: '101.2' },
      { key: '2026 Jul', value: 'na' },
    ]
    const title = 'Consumer Price Index (CPI), 2024 As Base Year, Monthly'
    const row = [{ seriesNo: '1', rowText: 'All Items', uoM: 'Index', columns }]
    const Data = { id: 'M213751', title, dataLastUpdated: '24/08/2026', row }
    const items = itemsBy('singstat', JSON.stringify({ Data, DataCount: 2, StatusCode: 200, Message: '' }))
    expect(summary(items)).toEqual([['SGP.cpi.M.SINGSTAT.M213751.index.NSA.2024=100', '2026-06', { value: '101.2' }]])
    expect(figuresOf(items)[0]?.released).toEqual({ on: '2026-08-24', basis: 'dataset' })
    const rebased = itemsBy('singstat', JSON.stringify({ Data: { ...Data, title: title.replace('2024', '2029') } }))
    expect(figuresOf(rebased)[0]?.series.base_period).toBe('2029')
    const untitled = itemsBy('singstat', JSON.stringify({ Data: { ...Data, title: 'Prices' } }))
    expect(rejectsOf(untitled)).toMatchObject([{ reason: 'unknown_base', location: 'row 0, column 0' }])
    expect(
      refusalBy('singstat', '{"Data":"No records found","DataCount":0,"StatusCode":200,"Message":""}'),
    ).toMatchObject({
      reason: 'publisher_error',
      message: expect.stringContaining('No records found'),
    })
  })
})

describe('an empty value', () => {
  const ons = (value: string) =>
    new TextDecoder().decode(altered('ons/MGSX.json', '"value": "3.8"', `"value": "${value}"`).bytes)
  // The figures are made up.
  const singstat = (value: string) => {
    const columns = [
      { key: '2026 Jun', value: '101.2' },
      { key: '2026 Jul', value },
    ]
    const row = [{ rowText: 'All Items', uoM: 'Index', columns }]
    const title = 'Consumer Price Index (CPI), 2024 As Base Year, Monthly'
    return JSON.stringify({ Data: { id: 'M213751', title, dataLastUpdated: '24/08/2026', row } })
  }

  it.each([
    ['ons', ons],
    ['singstat', singstat],
  ])('in the JSON of %s states nothing, as in its CSV', (source, documentWith) => {
    const kinds = itemsBy(source, documentWith('5.1')).map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(['figure']))
    expect(itemsBy(source, documentWith('')).map(({ kind }) => kind)).toEqual(kinds.slice(1))
  })

  it('differs from the mark of SingStat for a missing one', () => {
    expect(itemsBy('singstat', singstat('na')).map(({ kind }) => kind)).toEqual(['figure', 'missing'])
  })
})

describe('Table Builder as JSON', () => {
  it('gives consumer prices of all items of a recorded answer, with the base of its title', () => {
    const items = itemsOfFixture('singstat', 'singstat/M213751.json')
    const id = 'SGP.cpi.M.SINGSTAT.M213751.index.NSA.2024=100'
    expect(summary(items)).toEqual([
      [id, '1961-01', { value: '21.071' }],
      [id, '1961-02', { value: '21.094' }],
      [id, '1961-04', { value: '20.77' }],
      [id, '1991-07', { value: '55.862' }],
      [id, '1991-08', { value: '56' }],
      [id, '1995-12', { value: '61.221' }],
    ])
    expect(figuresOf(items)[0]?.released).toEqual({ on: '2026-09-23', basis: 'dataset' })
  })

  it('gives the total of a recorded answer, dated by its last update, and none of the industries', () => {
    const items = itemsOfFixture('singstat', 'singstat/M015651.json')
    expect(summary(items)).toEqual([
      ['SGP.gdp.Q.SINGSTAT.M015651.SGD.NSA', '1975-Q1', { value: '3209400000' }],
      ['SGP.gdp.Q.SINGSTAT.M015651.SGD.NSA', '2025-Q3', { value: '197686600000' }],
      ['SGP.gdp.Q.SINGSTAT.M015651.SGD.NSA', '2025-Q4', { value: '212142800000' }],
    ])
    expect(figuresOf(items)[0]?.released).toEqual({ on: '2026-02-10', basis: 'dataset' })
  })
})

describe('INSEE', () => {
  it('gives quarters and months, with the day of the last update', () => {
    const quarters = itemsOfFixture('insee', 'insee/001688527.csv')
    expect(summary(quarters)).toContainEqual([
      'FRA.unemployment.Q.INSEE.SERIES_BDM.percent.SA',
      '2024-Q4',
      { rate: '7.3' },
    ])
    expect(quarters).toHaveLength(5)
    expect(figuresOf(quarters)[0]?.released).toEqual({ on: '2025-05-16', basis: 'dataset' })
    const months = summary(itemsOfFixture('insee', 'insee/001769682.csv'))
    expect(months).toContainEqual(['FRA.cpi.M.INSEE.SERIES_BDM.index.SA.2015=100', '2025-04', { value: '120.57' }])
  })

  it('refuses a series that is not mapped', () => {
    const other = altered('insee/001688527.csv', '001688527', '001688526')
    expect(refusalBy('insee', other.bytes)).toMatchObject({
      reason: 'no_mapped_series',
      message: expect.stringContaining('IDBANK=001688526'),
    })
  })
})

describe('CBS', () => {
  it('gives months with and without seasons, and no quarters or years', () => {
    const items = summary(itemsOfFixture('cbs', 'cbs/80590ned.json'))
    expect(items.filter(([, period]) => period === '2026-06')).toEqual([
      ['NLD.unemployment.M.CBS.80590ned.percent.NSA', '2026-06', { rate: '3.9' }],
      ['NLD.unemployment.M.CBS.80590ned.percent.SA', '2026-06', { rate: '3.8' }],
      ['NLD.labour-force-participation.M.CBS.80590ned.percent.NSA', '2026-06', { rate: '76.2' }],
      ['NLD.labour-force-participation.M.CBS.80590ned.percent.SA', '2026-06', { rate: '76' }],
    ])
    expect(items).toHaveLength(8)
  })

  it('gives trade by month, and not the year to date, which stands as a year', () => {
    expect(summary(itemsOfFixture('cbs', 'cbs/85429NED.json'))).toEqual([
      ['NLD.trade-imports.M.CBS.85429NED.EUR.NSA', '2015-01', { value: '36083000000' }],
      ['NLD.trade-exports.M.CBS.85429NED.EUR.NSA', '2015-01', { value: '40725000000' }],
      ['NLD.trade-imports.M.CBS.85429NED.EUR.NSA', '2026-04', { value: '70810000000' }],
      ['NLD.trade-exports.M.CBS.85429NED.EUR.NSA', '2026-04', { value: '77531000000' }],
    ])
  })

  it('gives prices, and no figure for a month without one', () => {
    expect(summary(itemsOfFixture('cbs', 'cbs/86141NED.json'))).toEqual([
      ['NLD.cpi.M.CBS.86141NED.index.NSA.2025=100', '2009-12', { value: '66.98' }],
      ['NLD.cpi.M.CBS.86141NED.index.NSA.2025=100', '2025-12', { value: '100.73' }],
      ['NLD.cpi.M.CBS.86141NED.index.NSA.2025=100', '2026-05', { value: '103.01' }],
    ])
  })

  it('refuses a page of several, another table, and a list of codes', () => {
    const next = altered('cbs/86141NED.json', '"value": [', '"@odata.nextLink": "https://x", "value": [')
    expect(refusalBy('cbs', next.bytes)?.reason).toBe('truncated')
    const other = altered('cbs/86141NED.json', 'CBS/86141NED', 'CBS/85880NED')
    expect(refusalBy('cbs', other.bytes)?.message).toContain('CBS OData 4 of dataflow CBS:85880NED')
    const codes = altered('cbs/86141NED.json', '#Observations', '#MeasureCodes')
    expect(refusalBy('cbs', codes.bytes)?.reason).toBe('no_data_message')
  })
})

describe('Destatis', () => {
  const [head = ''] = new TextDecoder().decode(fixture('destatis/81000.csv').bytes).split('\n')
  // The figures are made up; the columns are those of a recorded file.
  const prices = (month: string, value: string, unit = '2020=100') =>
    `61111;Verbraucherpreisindex für Deutschland;JAHR;Jahr;2026;DINSG;Deutschland insgesamt;DG;Deutschland;MONAT;Monate;${month};Name;${value};${unit};PREIS1;Verbraucherpreisindex\n`

  it('gives the months of the index with its base, not its changes, and no figure where there is none', () => {
    const items = itemsOfFixture('destatis', 'destatis/61111-0002.csv')
    const id = 'DEU.cpi.M.DESTATIS.61111.index.NSA.2020=100'
    expect(summary(items)).toEqual([
      [id, '2020-05', { value: '100.4' }],
      [id, '2024-04', { value: '119.2' }],
      [id, '2024-05', { value: '119.3' }],
    ])
    expect(items).toHaveLength(3)
  })

  it('does not take prices of one purpose, which another table of the statistic has, for the index', () => {
    const purpose = (line: string) => line.replace(';MONAT;', ';CC13A2;Purpose;CC13-01;Food;MONAT;')
    const columns = ';3_variable_code;3_variable_label;3_variable_attribute_code;3_variable_attribute_label;value;'
    const table = `${head.replace(';value;', columns)}\n${purpose(prices('MONAT01', '130,1'))}`
    expect(itemsBy('destatis', table)).toMatchObject([
      { reason: 'unknown_dimension', detail: 'The mapping has no dimension CC13A2=CC13-01.' },
    ])
  })

  it('refuses another statistic as what it is, prices by year, and an index without a base', () => {
    expect(refusalBy('destatis', fixture('destatis/81000.csv').bytes)?.message).toContain(
      'GENESIS flat CSV of dataflow DESTATIS:81000',
    )
    for (const other of [prices('', '122,7'), prices('MONAT01', '122,7', 'Prozent')])
      expect(refusalBy('destatis', `${head}\n${other}`)?.reason).toBe('no_mapped_series')
  })

  it('gives the observations of a recorded file', () => {
    const found = observationsOf(fixture('destatis/81000.csv').bytes)
    expect(found).toHaveLength(5)
    expect(found[0]).toMatchObject({
      codes: { CONTENT: 'VGR014', UNIT: 'jew. ME', DINSG: 'DG', VGRPB5: 'VGRJPM', FREQ: 'A' },
      period: '2024',
      value: '4328.970',
    })
    expect(found[4]).toMatchObject({ codes: { CONTENT: 'BIP005' }, value: null })
  })
})

describe('months, quarters and years of the whole history of a series of the ONS', () => {
  it('give the months', () => {
    const items = itemsOfFixture('ons', 'ons/MRET-goods.csv')
    expect(rejectsOf(items)).toEqual([])
    expect(items).toHaveLength(472)
  })

  it('in another layout are refused', () => {
    expect(refusalBy('ons', fixture('ons/trade-balance.csv').bytes)?.reason).toBe('unknown_format')
  })
})
