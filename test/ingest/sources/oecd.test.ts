import { describe, expect, it } from 'vitest'
import { oecdMapping } from '../../../ingest/map/publishers/oecd.ts'
import { readTable } from '../../../ingest/read/csv.ts'
import { textOf } from '../../../ingest/read/text.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { altered, document, figuresOf, fixture, rejectsOf, summary } from './fixture.ts'

const { parse } = mappedSource(oecdMapping)

describe('OECD growth', () => {
  it('is one figure from the two rows of a quarter, and the volume index another', () => {
    const items = [...parse(fixture('oecd/QGDP.csv'))]
    expect(figuresOf(items).find((f) => f.series.indicator === 'gdp-growth' && f.period === '2021-Q2')).toEqual({
      kind: 'figure',
      series: {
        id: 'USA.gdp-growth.Q.OECD.QGDP.percent.SA',
        indicator: 'gdp-growth',
        country: 'USA',
        frequency: 'Q',
        source: 'OECD',
        dataset: 'QGDP',
        unit: 'percent',
        seasonal_adjustment: 'seasonally_adjusted',
        annualization: 'not_annualized',
        base_period: '',
        base_value: '',
        derivation: '',
      },
      period: '2021-Q2',
      figures: { quarter_over_quarter: { printed: '1.600286109' }, year_over_year: { printed: '12.182002705' } },
      location: 'line 13 and 18',
    })
    const index = 'USA.gdp-volume.Q.OECD.QGDP.index.SA.2015=100'
    expect(summary(items).filter(([id]) => id === index)).toEqual([
      [index, '1947-Q2', { value: '11.7' }],
      [index, '1948-Q1', { value: '12' }],
      [index, '2020-Q2', { value: '99.2' }],
      [index, '2021-Q1', { value: '109.6' }],
      [index, '2021-Q2', { value: '111.3' }],
    ])
  })

  it('of aggregates and of years is skipped, and that of a quarter may be one rate', () => {
    const items = [...parse(fixture('oecd/QGDP.csv'))]
    expect(rejectsOf(items)).toEqual([])
    expect(new Set(figuresOf(items).map(({ series }) => series.country))).toEqual(new Set(['USA']))
    const growth = figuresOf(items).filter(({ series }) => series.indicator === 'gdp-growth')
    expect(growth.map(({ period, figures }) => [period, Object.keys(figures).length])).toEqual([
      ['1947-Q2', 1],
      ['1948-Q1', 2],
      ['2020-Q2', 2],
      ['2021-Q1', 2],
      ['2021-Q2', 2],
    ])
  })

  it('is read from SDMX-CSV, whose rows are in no order', () => {
    const id = 'USA.gdp-growth.Q.OECD.DSD_NAMAIN1@DF_QNA_EXPENDITURE_GROWTH_OECD.percent.SA'
    const items = [...parse(fixture('oecd/QNA.csv'))]
    expect(summary(items)).toEqual([
      [id, '2021-Q1', { quarter_over_quarter: '1.533889627', year_over_year: '0.546976803' }],
      [id, '2021-Q2', { year_over_year: '12.182002705', quarter_over_quarter: '1.600286109' }],
    ])
    expect(items).toHaveLength(2)
  })
})

describe('OECD unemployment', () => {
  it('is the rate of all persons, by month, quarter and year', () => {
    const items = [...parse(fixture('oecd/HUR.csv'))]
    expect(summary(items)).toEqual([
      ['AUS.unemployment.A.OECD.HUR.percent.SA', '2022', { rate: '3.705262' }],
      ['AUS.unemployment.M.OECD.HUR.percent.SA', '2022-11', { rate: '3.47103' }],
      ['AUS.unemployment.M.OECD.HUR.percent.SA', '2022-12', { rate: '3.520137' }],
      ['AUS.unemployment.Q.OECD.HUR.percent.SA', '2022-Q4', { rate: '3.471131' }],
    ])
    expect(items).toHaveLength(4)
  })

  it('is read from SDMX-CSV, seasonally adjusted only', () => {
    const id = 'AUS.unemployment.M.OECD.DSD_LFS@DF_IALFS_UNE_M.percent.SA'
    const items = [...parse(fixture('oecd/LFS.csv'))]
    expect(summary(items)).toEqual([
      [id, '2022-11', { rate: '3.446' }],
      [id, '2022-12', { rate: '3.520137' }],
    ])
    expect(items).toHaveLength(2)
  })
})

describe('an OECD row is rejected', () => {
  it.each([
    ['oecd/QGDP.csv', 'a value that is no decimal', '12.182002705', '12.18%', 'not_a_decimal', 'line 13 and 18'],
    [
      'oecd/QGDP.csv',
      'an area that is neither country nor known aggregate',
      '"OECD","QGDP","TOT","PC_CHGPP","A"',
      '"OECX","QGDP","TOT","PC_CHGPP","Q"',
      'unknown_country',
      'line 2',
    ],
    [
      'oecd/QGDP.csv',
      'an unknown measure',
      '"PC_CHGPY","Q","2021-Q2",12',
      '"PC_CHGXX","Q","2021-Q2",12',
      'unknown_series',
      'line 18',
    ],
    [
      'oecd/QGDP.csv',
      'an unknown frequency',
      '"Q","2021-Q2",111.3',
      '"D","2021-Q2",111.3',
      'unknown_series',
      'line 25',
    ],
    [
      'oecd/QGDP.csv',
      'a period of another frequency',
      '"Q","2021-Q2",111.3',
      '"Q","2021",111.3',
      'bad_period',
      'line 25',
    ],
    [
      'oecd/QGDP.csv',
      'another dataset',
      '"USA","QGDP","VOLIDX","IDX","Q","2021-Q2"',
      '"USA","HUR","VOLIDX","IDX","Q","2021-Q2"',
      'wrong_dataset',
      'line 25',
    ],
    [
      'oecd/QGDP.csv',
      'a rate that stands already',
      '"PC_CHGPY","Q","2021-Q1",0.546976803',
      '"PC_CHGPY","Q","2021-Q2",12.182002705',
      'stated_twice',
      'line 18',
    ],
    [
      'oecd/QGDP.csv',
      'a row with a cell too few',
      '"Q","2021-Q2",111.3,',
      '"Q","2021-Q2",111.3',
      'wrong_cell_count',
      'line 25',
    ],
    ['oecd/QNA.csv', 'a unit multiplier', '1.533889627,A,0', '1.533889627,A,3', 'unknown_unit', 'line 3'],
  ])('%s: %s', (name, _, from, to, reason, location) => {
    const rejects = rejectsOf(parse(altered(name, from, to)))
    expect(rejects).toMatchObject([{ reason, location }])
    expect(rejects[0]?.text).not.toBe('')
  })
})

describe('an OECD document is refused', () => {
  it.each([
    [
      'of an unknown dataset',
      document(
        new TextEncoder().encode(
          'LOCATION,INDICATOR,SUBJECT,MEASURE,FREQUENCY,TIME,Value,Flag Codes\nAUS,CPI,TOT,IDX,M,2020-01,1,\n',
        ),
      ),
      'dataset_not_supported',
    ],
    ['without a column', altered('oecd/QGDP.csv', '"TIME"', '"WHEN"'), 'missing_column'],
    ['of labels, not codes', document('DATAFLOW,REF_AREA: Reference area\nx,y\n'), 'missing_column'],
  ])('%s', (_, refused, reason) => {
    expect(() => [...parse(refused)]).toThrow(expect.objectContaining({ name: 'DocumentError', reason }))
  })
})

describe('OECD areas', () => {
  it('of growth and volume are countries or known aggregates', () => {
    const items = [...parse(fixture('oecd/QGDP-areas.csv'))]
    expect(rejectsOf(items)).toEqual([])
    const growth = figuresOf(items).filter(({ series }) => series.indicator === 'gdp-growth')
    expect([growth.length, items.length - growth.length]).toEqual([48, 47])
    expect(new Set(growth.map(({ series }) => series.country)).size).toBe(growth.length)
    expect(growth.find(({ series }) => series.country === 'GBR')?.figures).toEqual({
      quarter_over_quarter: { printed: '-19.467407879' },
      year_over_year: { printed: '-21.357741759' },
    })
  })

  it('have a volume index of 100 in the year that is taken for its base, because the file does not name it', () => {
    const { rows } = readTable(textOf(fixture('oecd/QGDP-areas.csv')), [])
    const values = rows.flatMap((row) =>
      row.kind === 'row' && row.cell('MEASURE') === 'IDX' && row.cell('TIME') === '2015' ? row.cell('Value') : [],
    )
    expect(values.length).toBeGreaterThan(40)
    expect(new Set(values)).toEqual(new Set(['100']))
  })

  it('of unemployment are countries or known aggregates', () => {
    const items = [...parse(fixture('oecd/HUR-areas.csv'))]
    expect(rejectsOf(items)).toEqual([])
    const count = Map.groupBy(figuresOf(items), ({ series }) => series.frequency)
    expect([...count].map(([frequency, figures]) => [frequency, figures.length]).sort()).toEqual([
      ['A', 38],
      ['M', 36],
      ['Q', 38],
    ])
    expect(summary(items)).toContainEqual(['USA.unemployment.M.OECD.HUR.percent.SA', '2022-12', { rate: '3.5' }])
  })
})
