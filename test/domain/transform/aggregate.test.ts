import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AggregationMethod, aggregationMethods } from '../../../contracts/transformations.ts'
import { add } from '../../../domain/decimal.ts'
import { periodsOfYear } from '../../../domain/period.ts'
import { aggregated as aggregatedHistory, periodContaining } from '../../../domain/transform/aggregate.ts'
import type { HistoryFigure } from '../../../domain/transform/figure.ts'

const figure = (period: string, value: string, over: Partial<HistoryFigure> = {}): HistoryFigure => ({
  period,
  value,
  number: 1,
  place: 1,
  released_on: '2026-01-15',
  released_on_basis: 'publisher',
  ...over,
})
/** A history of which no series has other figures than those that answer. */
const aggregated = (figures: readonly HistoryFigure[], frequency: 'A' | 'Q', method: AggregationMethod) =>
  aggregatedHistory({ answered: figures, own: figures }, frequency, method).answered
const shown = ({ period, value, missing }: HistoryFigure): string => `${period} ${value ?? missing}`
const decimal = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((units) => add(`${units / 100}`))

describe('an aggregate', () => {
  it('of whole years is their sum, mean and last month, exactly or to 12 digits', () => {
    fc.assert(
      fc.property(fc.array(decimal, { minLength: 24, maxLength: 24 }), (values) => {
        const months = [...periodsOfYear('M', '2023'), ...periodsOfYear('M', '2024')]
        const figures = months.map((month, i) => figure(month, values[i] ?? ''))
        const halves = [values.slice(0, 12), values.slice(12)]
        const of = (method: 'avg' | 'sum' | 'eop') => aggregated(figures, 'A', method).map(({ value }) => value)
        const sums = halves.map((half) => half.reduce((sum, value) => sum + Math.round(Number(value) * 100), 0))
        expect(of('sum').map((value) => Math.round(Number(value) * 100))).toEqual(sums)
        expect(of('eop')).toEqual(halves.map((half) => half[11]))
        of('avg').forEach((value, i) => {
          expect(Number(value)).toBeCloseTo((sums[i] ?? 0) / 1200, 7)
        })
      }),
    )
  })

  it.each(aggregationMethods)(
    'by %s has no value if any one of its periods is missing, first or last too',
    (method) => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 11 }), (left) => {
          const months = periodsOfYear('M', '2024').map((month) => figure(month, '1'))
          const [year, ...none] = aggregated(months.toSpliced(left, 1), 'A', method)
          expect([year, none]).toMatchObject([{ period: '2024', value: null, missing: 'incomplete' }, []])
        }),
      )
    },
  )

  it('of quarters and of months to quarters, in the order of periods and figures', () => {
    const quarters = periodsOfYear('Q', '2024').flatMap((quarter, i) => [
      figure(quarter, `${i + 1}`, { number: 2 }),
      figure(quarter, `${i + 1}.5`),
    ])
    expect(aggregated(quarters, 'A', 'avg').map(({ number, value }) => [number, value])).toEqual([
      [1, '3'],
      [2, '2.5'],
    ])
    const months = periodsOfYear('M', '2024').map((month, i) => figure(month, `${i + 1}`))
    expect(aggregated(months.toReversed(), 'Q', 'eop').map(shown)).toEqual([
      ...['2024-Q1 3', '2024-Q2 6', '2024-Q3 9', '2024-Q4 12'],
    ])
    expect(aggregated(months.slice(0, 5), 'Q', 'sum').map(shown)).toEqual(['2024-Q1 6', '2024-Q2 incomplete'])
    expect(aggregated(months.slice(0, 3).with(2, figure('2024-03', '4')), 'Q', 'avg').map(shown)).toEqual([
      '2024-Q1 2.33333333333',
    ])
  })

  it('never adds figures of two series, and is dated by the latest of its parts', () => {
    const months = periodsOfYear('M', '2024').map((month, i) => figure(month, '1', { place: i < 7 ? 2 : 1 }))
    expect(aggregated(months, 'Q', 'sum').map(shown)).toEqual([
      ...['2024-Q1 3', '2024-Q2 3', '2024-Q3 other_series', '2024-Q4 3'],
    ])
    const late = months.with(9, figure('2024-10', '1', { released_on: '2026-02-01', released_on_basis: 'copy' }))
    expect(
      aggregated(late, 'Q', 'eop')
        .map(({ released_on }) => released_on)
        .slice(2),
    ).toEqual(['2026-01-15', '2026-02-01'])
  })

  it('is of the best series that answers a part of the period and has all of it', () => {
    const months = periodsOfYear('M', '2024').slice(0, 6)
    const own = [1, 2, 3].flatMap((place) => months.map((month) => figure(month, `${place}`, { place })))
    const answers = (places: readonly number[], lacking: (figure: HistoryFigure) => boolean = () => false) => {
      const answered = months.map((month, i) => figure(month, `${places[i]}`, { place: places[i] ?? 1 }))
      const history = { answered, own: own.filter((each) => !lacking(each)) }
      return aggregatedHistory(history, 'Q', 'sum').answered.map((each) => `${shown(each)} of ${each.place}`)
    }
    expect(answers([1, 1, 2, 2, 2, 2])).toEqual(['2024-Q1 3 of 1', '2024-Q2 6 of 2'])
    const isCut = ({ place, period }: HistoryFigure) => place === 1 && period === '2024-03'
    expect(answers([1, 1, 2, 1, 1, 1], isCut)).toEqual(['2024-Q1 6 of 2', '2024-Q2 3 of 1'])
    // The third series has the whole quarter, and answers no part of it.
    expect(
      answers([1, 1, 2, 1, 1, 1], (each) => isCut(each) || (each.place === 2 && each.period === '2024-01')),
    ).toEqual([...['2024-Q1 other_series of 2', '2024-Q2 3 of 1']])
  })

  it('is of the year or the quarter that a period lies in', () => {
    expect(['2024-01', '2024-03', '2024-04', '2024-12'].map((month) => periodContaining(month, 'Q'))).toEqual([
      ...['2024-Q1', '2024-Q1', '2024-Q2', '2024-Q4'],
    ])
    expect(['2024-01', '2024-Q4'].map((period) => periodContaining(period, 'A'))).toEqual(['2024', '2024'])
  })
})
