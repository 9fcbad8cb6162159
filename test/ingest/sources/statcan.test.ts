import { describe, expect, it } from 'vitest'
import { statCanMapping } from '../../../ingest/map/publishers/statcan.ts'
import { mappedSource } from '../../../ingest/sources/mapped-source.ts'
import { altered, document, figuresOf, fixture, rejectsOf, summary } from './fixture.ts'

const { parse } = mappedSource(statCanMapping)
const LABOUR = 'statcan/1410028701-eng.csv'
const ACCOUNTS = 'statcan/3610010401-noSymbol.csv'
const VECTORS = 'statcan/vectors.json'
const text = (name: string): string => new TextDecoder().decode(fixture(name).bytes)
const unemployment = 'CAN.unemployment.M.STATCAN.14-10-0287-01.percent.SA'
const participation = 'CAN.labour-force-participation.M.STATCAN.14-10-0287-01.percent.SA'
const product = 'CAN.gdp.Q.STATCAN.36-10-0104-01.CAD.SA.annualized'

describe('a table of Statistics Canada as displayed', () => {
  it('gives the seasonally adjusted rates, dated by the table', () => {
    const items = [...parse(fixture(LABOUR))]
    expect(summary(items)).toEqual(
      [
        ['1976-01', '7.1', '61.5'],
        ['1976-02', '7.0', '61.5'],
        ['2026-05', '6.6', '65.0'],
        ['2026-06', '6.5', '65.0'],
      ].flatMap(([period, rate, participating]) => [
        [unemployment, period, { rate }],
        [participation, period, { rate: participating }],
      ]),
    )
    expect(items).toHaveLength(8)
    expect(figuresOf(items)[0]).toMatchObject({
      released: { on: '2026-07-10', basis: 'dataset' },
      location: 'line 18, column 3',
    })
  })

  it('gives GDP in dollars at annual rates, without the commas of thousands', () => {
    expect(summary(parse(fixture(ACCOUNTS)))).toEqual([
      [product, '1961-Q1', { value: '40600000000' }],
      [product, '1961-Q2', { value: '41496000000' }],
      [product, '2025-Q2', { value: '3208880000000' }],
      [product, '2025-Q3', { value: '3255456000000' }],
    ])
  })

  it('of volumes is another series', () => {
    const items = [...parse(altered(ACCOUNTS, 'Current prices', 'Chained (2017) dollars'))]
    expect(new Set(figuresOf(items).map(({ series }) => series.indicator))).toEqual(new Set(['gdp-volume']))
  })

  it.each([
    [ACCOUNTS, 'another multiplier', '(x 1,000,000)"', '(x 1,000)"', 'changed_series', 'UNIT_MULT is "3", not 6', 4],
    [
      ACCOUNTS,
      'no multiplier',
      ', quarterly (x 1,000,000)"\n"Freq',
      ', quarterly"\n"Freq',
      'changed_series',
      'UNIT_MULT is ""',
      4,
    ],
    [ACCOUNTS, 'another unit', '"Dollars"', '"Percent"', 'changed_series', 'UNIT is "Percent", not Dollars', 4],
    [ACCOUNTS, 'another frequency', 'Frequency:\u00a0Quarterly', 'Frequency: Annual', 'changed_series', 'FREQ is', 4],
    [ACCOUNTS, 'a misplaced comma', '"3,255,456"', '"3,25,456"', 'not_a_decimal', '2025-Q3', 1],
    [ACCOUNTS, 'a cell too many', '"2,522,688"', '"2,522,688","1"', 'wrong_cell_count', '6 cells', 1],
    [LABOUR, 'a multiplier', '"Percent"', '"Persons in thousands"', 'changed_series', 'UNIT is', 8],
  ])('%s with %s is rejected', (name, _, from, to, reason, detail, count) => {
    const rejects = rejectsOf(parse(altered(name, from, to)))
    expect(rejects).toHaveLength(count)
    for (const reject of rejects) expect(reject).toMatchObject({ reason, detail: expect.stringContaining(detail) })
  })

  it('states what is not available, which withdraws a figure, and leaves a cell blank, which states nothing', () => {
    const items = [...parse(altered(LABOUR, '"6.6"', '".."'))]
    expect(items.filter(({ kind }) => kind !== 'figure')).toMatchObject([
      { kind: 'missing', series: { id: unemployment }, period: '2026-05' },
    ])
    expect(summary(items)).toHaveLength(7)
    expect(parse(altered(LABOUR, '"6.6"', '""'))).toHaveLength(7)
  })

  it.each([
    ['without its end', altered(ACCOUNTS, '"How to cite: ', '"Cite: '), 'truncated', 'how to cite'],
    ['cited as another table', altered(ACCOUNTS, 'Canada. Table 36-10', 'Canada. Table 36-11'), 'truncated', 'cite'],
    [
      'split by a blank line',
      altered(ACCOUNTS, '\n"Statistical', '\n\n"Statistical'),
      'malformed_document',
      '"Statistical',
    ],
    ['with another one behind it', document(`${text(LABOUR)}\n${text(LABOUR)}`), 'malformed_document', 'more rows'],
    ['of another number', altered(ACCOUNTS, '"Table: 36-10-0104', '"Table: 36-10-0103'), 'truncated', 'cite'],
    ['than asked for', fixture(ACCOUNTS, { dataset: '14-10-0287-01' }), 'wrong_dataset', 'StatCan:36-10-0104-01'],
    ['of Ontario', altered(ACCOUNTS, '"Geography","Canada"', '"Geography","Ontario"'), 'no_mapped_series', 'Ontario'],
    ['with an odd period', altered(ACCOUNTS, '"Q2 2025"', '"Q5 2025"'), 'bad_period', '"Q5 2025"'],
  ])('%s is refused', (_, refused, reason, detail) => {
    expect(() => [...parse(refused)]).toThrow(
      expect.objectContaining({ name: 'DocumentError', reason, message: expect.stringContaining(detail) }),
    )
  })
})

describe('vectors of Statistics Canada', () => {
  it('are the same series, dated by the release of each print', () => {
    const items = [...parse(fixture(VECTORS))]
    expect(summary(items)).toEqual([
      [unemployment, '2026-05', { rate: '6.6' }],
      [unemployment, '2026-06', { rate: '6.5' }],
    ])
    expect(figuresOf(items)[0]?.released).toEqual({ on: '2026-07-10', basis: 'publisher' })
  })

  it('of consumer prices are read from a recorded answer', () => {
    const items = [...parse(fixture('statcan/v41690973.json'))]
    const id = 'CAN.cpi.M.STATCAN.18-10-0004-01.index.NSA.2002=100'
    expect(summary(items)).toEqual([
      [id, '2016-05', { value: '128.8' }],
      [id, '2016-06', { value: '129.1' }],
      [id, '2026-02', { value: '165.9' }],
      [id, '2026-03', { value: '167.4' }],
      [id, '2026-04', { value: '168.0' }],
    ])
    expect(figuresOf(items).map(({ released }) => released?.on)).toEqual([
      '2021-07-28',
      '2021-07-28',
      '2026-03-16',
      '2026-04-20',
      '2026-05-19',
    ])
  })

  it('with another multiplier or frequency are rejected', () => {
    expect(rejectsOf(parse(altered(VECTORS, '"scalarFactorCode":0', '"scalarFactorCode":3')))).toMatchObject([
      { reason: 'changed_series', detail: 'UNIT_MULT is "3", not 0.', location: 'v2062815, data point 1' },
    ])
    expect(rejectsOf(parse(altered(VECTORS, '"frequencyCode":6', '"frequencyCode":9')))).toMatchObject([
      { reason: 'changed_series', detail: 'FREQ is "Q", not M.' },
    ])
  })

  it('that the publisher refuses, or of another product, are refused', () => {
    expect(() => [...parse(document('[{"status":"FAILED","object":"Vector is invalid"}]'))]).toThrow(
      expect.objectContaining({ reason: 'publisher_error' }),
    )
    expect(() => [...parse(altered(VECTORS, '14100287', '14100288'))]).toThrow(
      expect.objectContaining({ reason: 'dataset_not_supported' }),
    )
  })
})
