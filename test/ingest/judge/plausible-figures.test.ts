import { describe, expect, it } from 'vitest'
import type { Series } from '../../../contracts/records.ts'
import { shiftPeriod } from '../../../domain/period.ts'
import { heldFiguresOf } from '../../../ingest/judge/plausible-figures.ts'
import type { Document, Figure, Item } from '../../../ingest/source.ts'
import { testDocument, testSeries } from '../../support/releases.ts'

const price: Item = {
  kind: 'price',
  symbol: 'XAU-USD',
  printed: '1560',
  observedAt: '2024-01-01T00:00:00.000Z',
  location: '',
}
const figure = (series: Series, period: string, figures: Record<string, number>, over: Partial<Figure> = {}): Item => ({
  kind: 'figure',
  series,
  period,
  figures: Object.fromEntries(Object.entries(figures).map(([member, value]) => [member, { printed: String(value) }])),
  location: '',
  ...over,
})
const missing = (series: Series, period: string): Item => ({ kind: 'missing', series, period, location: '' })

type Recorded = { readonly series: Series; readonly member?: string; readonly values: Readonly<Record<string, number>> }
/** What is held of a document beside what is on record: reason, detail and periods. */
function held(items: readonly Item[], record: readonly Recorded[] = [], over: Partial<Document> = {}) {
  const all = heldFiguresOf({ ...testDocument, ...over }, items, {
    valuesOf: (id, asked) =>
      record.flatMap(({ series, member = 'value', values }) =>
        series.id === id && member === asked ? Object.entries(values).map(([at, value]) => ({ at, value })) : [],
      ),
    seriesOf: (_, indicator) => record.flatMap(({ series }) => (series.indicator === indicator ? [series] : [])),
  })
  return all.map(({ reason, detail, figures }) => [reason, detail, figures.map(({ period }) => period)])
}

/** 100, 101, 102 … for as many months from January 2024 on. */
const months = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [shiftPeriod('2024-01', i), 100 + i]))
const cpi = testSeries()
const gdp = testSeries({ indicator: 'gdp', frequency: 'Q', unit: 'USD' })
const growth = testSeries({ indicator: 'gdp-growth', frequency: 'Q', unit: 'percent' })
const undated = { retrievedAt: null }

describe('the figures of a document', () => {
  it('are held with the members that the reason concerns, and with none that the document lacks', () => {
    const quarter = (n: number, figures: Record<string, number>) => figure(growth, `2024-Q${n}`, figures)
    const figures = { year_over_year: -101, quarter_over_quarter: 1 }
    expect(held([1, 2, 3].map((n) => quarter(n, figures)))).toEqual([
      [
        'held_range',
        'year_over_year, quarter_over_quarter: 3 of 6 figures judged together are impossible for this indicator, so the document probably states something else.',
        ['2024-Q1', '2024-Q2', '2024-Q3'],
      ],
    ])
  })

  it('are judged in each member that some of the periods have', () => {
    const record = {
      series: growth,
      member: 'quarter_over_quarter',
      values: { '2023-Q2': 1, '2023-Q3': 1, '2023-Q4': 1 },
    }
    const items = [
      figure(growth, '2024-Q1', { year_over_year: 2 }),
      figure(growth, '2024-Q2', { quarter_over_quarter: 900 }),
    ]
    expect(held(items, [record])).toMatchObject([
      ['held_jump', expect.stringContaining('quarter_over_quarter: '), ['2024-Q2']],
    ])
  })

  it('are held once, for the first reason', () => {
    const record = ['year_over_year', 'quarter_over_quarter'].map((member) => ({
      series: growth,
      member,
      values: { '2023-Q3': 1, '2023-Q4': 1, '2024-Q1': 1 },
    }))
    const items = [figure(growth, '2023-Q4', { year_over_year: 900, quarter_over_quarter: 1.1 })]
    expect(held(items, record, undated)).toMatchObject([
      ['held_jump', expect.stringContaining('year_over_year: '), ['2023-Q4']],
    ])
  })

  it('count with their multiplier', () => {
    const items = [figure(gdp, '2024-Q1', {}, { figures: { value: { printed: '5', multiplier: '1000000' } } })]
    const at = (value: number) => [{ series: gdp, values: { '2024-Q1': value, '2024-Q2': value } }]
    expect(held(items, at(5_000_000))).toEqual([])
    expect(held(items, at(5))).toMatchObject([
      ['held_jump', expect.stringContaining('2024-Q1 is 5000000, and 5 on record'), ['2024-Q1']],
    ])
  })

  it('can be any that a member without a range can have, and are judged beside prices', () => {
    const balance = testSeries({ indicator: 'trade', unit: 'USD' })
    const items = [figure(balance, '2024-01', { balance: 1 }), price, figure(balance, '2024-02', { balance: -9e12 })]
    expect(held(items)).toEqual([])
  })

  it('are not compared where they are impossible or left out, because nothing of that is accepted', () => {
    expect(held([figure(cpi, '2024-02', { value: -1 })], [{ series: cpi, values: months(3) }], undated)).toEqual([])
    const record = { series: growth, member: 'year_over_year', values: { '2023-Q4': 2, '2024-Q1': 2, '2024-Q2': 2 } }
    const items = [
      figure(growth, '2023-Q4', { quarter_over_quarter: 1 }),
      figure(growth, '2024-Q1', { year_over_year: 2 }),
    ]
    expect(held(items, [record], undated)).toEqual([])
  })

  it('that are withdrawn at once are held from twelve on, of those on record', () => {
    const withdrawn = Object.keys(months(12)).map((period) => missing(cpi, period))
    expect(held(withdrawn, [{ series: cpi, values: months(12) }])).toMatchObject([
      ['held_withdrawal', 'value: 12 of 12 figures on record would be withdrawn at once.', Object.keys(months(12))],
    ])
    const { '2024-01': _, ...eleven } = months(12)
    const repeated = figure(cpi, '2025-01', { value: 112 })
    expect(held([...withdrawn, repeated], [{ series: cpi, values: { ...eleven, '2025-01': 112 } }])).toEqual([])
  })
})

describe('several prints of a period', () => {
  const record = [{ series: cpi, values: months(12) }]
  const print = (value: number) => figure(cpi, '2024-06', { value })

  it('are each judged beside the one before', () => {
    expect(held([print(105.5), print(900)], record)).toMatchObject([
      ['held_jump', expect.stringContaining('2024-06 is 900, and 105.5 on record'), ['2024-06']],
    ])
    expect(held([print(105.5), print(900), print(106)], record)).toHaveLength(1)
  })

  it('are judged beside the record if the one before is held', () => {
    expect(held([print(900), print(901)], record)).toMatchObject([
      ['held_jump', expect.stringContaining('2024-06 is 900, and 105 on record'), ['2024-06']],
      ['held_jump', expect.stringContaining('2024-06 is 901, and 105 on record'), ['2024-06']],
    ])
  })

  it('are judged beside the other periods if the one before withdrew the figure', () => {
    expect(held([missing(cpi, '2024-06'), print(900)], record)).toMatchObject([
      ['held_jump', expect.stringContaining('2024-06 is 900, after 104 (2024-05)'), ['2024-06']],
    ])
  })

  it('are judged beside the record if the one before is impossible', () => {
    const alone = [{ series: cpi, values: { '2024-06': 111 } }]
    expect(held([print(-1), print(900)], alone)).toMatchObject([
      ['held_jump', expect.stringContaining('2024-06 is 900, and 111 on record'), ['2024-06']],
    ])
  })
})

describe('a document that ends before the record does', () => {
  const released = { released: { on: '2024-07-01', basis: 'publisher' as const } }
  const older = (items: readonly Item[], over: Partial<Document>) =>
    held(items, [{ series: cpi, values: months(12) }], over).map(([reason]) => reason)
  const differing = (over: Partial<Figure> = {}) => figure(cpi, '2024-06', { value: 105.5 }, over)

  it('is held if it has no date', () => {
    expect(older([differing()], undated)).toEqual(['held_older'])
  })

  it.each<[string, Partial<Document>]>([
    ['was fetched', {}],
    ['has a day', { ...undated, lastUpdated: '2024-07-01' }],
    ['is in Almanac’s own format', { ...undated, fileName: 'correction.csv' }],
  ])('is believed if it %s', (_, over) => {
    expect(older([differing()], over)).toEqual([])
  })

  it('is believed if any of its figures has a day', () => {
    expect(older([figure(cpi, '2024-05', { value: 104 }, released), differing()], undated)).toEqual([])
  })
})

describe('the first figures of a series', () => {
  const other = (over: Parameters<typeof testSeries>[0], value: number): Recorded => ({
    series: testSeries({ source: 'OTHER', ...over }),
    values: { '2024-01': value },
  })
  const reasons = (series: Series, value: number, record: Recorded) =>
    held([figure(series, series.frequency === 'Q' ? '2024-Q1' : '2024-01', { value })], [record]).map(
      ([reason]) => reason,
    )

  it('are held beside another source of the same unit and base', () => {
    expect(reasons(cpi, 400, other({}, 100))).toEqual(['held_contradiction'])
  })

  it.each<[string, Parameters<typeof testSeries>[0]]>([
    ['unit', { unit: 'points', base_period: '2015', base_value: '100' }],
    ['base period', { base_period: '1967' }],
    ['base value', { base_value: '10' }],
  ])('say nothing beside a source of another %s', (_, over) => {
    expect(reasons(cpi, 400, other(over, 100))).toEqual([])
  })

  it('are compared at their own rate', () => {
    const annualized = { annualization: 'annualized' } as const
    const quarterly = { indicator: 'gdp', frequency: 'Q', unit: 'USD' } as const
    const at = (value: number, over: Parameters<typeof testSeries>[0] = {}): Recorded => ({
      series: testSeries({ source: 'OTHER', ...quarterly, ...over }),
      values: { '2024-Q1': value },
    })
    const yearly = testSeries({ ...quarterly, ...annualized })
    // A quarter of 100 is 400 at its rate for a year.
    expect(reasons(yearly, 400, at(100))).toEqual([])
    expect(reasons(yearly, 100, at(100))).toEqual(['held_contradiction'])
    expect(reasons(gdp, 100, at(400, annualized))).toEqual([])
    expect(reasons(yearly, 400, at(400, annualized))).toEqual([])
  })
})
