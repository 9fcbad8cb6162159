import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Series } from '../../contracts/records.ts'
import { shiftPeriod } from '../../domain/period.ts'
import { suspicionBeside } from '../../domain/plausible-beside.ts'
import { testSeries } from '../support/releases.ts'

const exports = testSeries({ indicator: 'trade-exports', unit: 'USD' })
const rate = testSeries({ indicator: 'unemployment', unit: 'percent' })
const cpi = testSeries()
const growth = testSeries({ indicator: 'gdp-growth', frequency: 'Q', unit: 'percent' })
const another = ({ id: _, ...series }: Series, over: Partial<Omit<Series, 'id'>> = {}): Series =>
  testSeries({ ...series, source: 'OTHER', ...over })

const memberOf: Readonly<Record<string, string>> = { unemployment: 'rate', 'gdp-growth': 'year_over_year' }
const member = ({ indicator }: Series) => memberOf[indicator] ?? 'value'
const periodAt = (i: number) => shiftPeriod('2000-01', i)

/** Judges values from January 2000 on beside other series from then on. */
function judge(
  series: Series,
  values: readonly number[],
  ...others: readonly (readonly [Series, readonly number[]])[]
) {
  const stated = values.map((value, i) => ({ period: periodAt(i), figures: { [member(series)]: value } }))
  const beside = others.map(([other, recorded]) => {
    const known = new Map(recorded.map((value, i) => [periodAt(i), value]))
    return { series: other, recorded: (period: string) => known.get(period) }
  })
  return suspicionBeside(series, stated, beside)
}

const levels = fc.array(fc.double({ min: 60, max: 140, noNaN: true }), { minLength: 1, maxLength: 60 })
/** A factor for each figure, as two sources that count differently have it. */
const noise = fc.array(fc.double({ min: 0.85, max: 1.15, noNaN: true }), { minLength: 60, maxLength: 60 })
const by = (values: readonly number[], factors: readonly number[]) =>
  values.map((value, i) => value * (factors[i] ?? 1))

describe('a series of which nothing is on record', () => {
  it('is believed beside a source that says nearly the same, and held beside one at a multiple', () => {
    fc.assert(
      fc.property(levels, noise, fc.constantFrom(1_000, 10, 4, 0.25, 0.1), (values, factors, times) => {
        const stated = by(values, factors)
        expect(judge(exports, stated, [another(exports), values])).toBeUndefined()
        const multiplied = stated.map((value) => value * times)
        expect(judge(exports, multiplied, [another(exports), values])).toMatchObject({
          reason: 'held_contradiction',
          detail: expect.stringMatching(/^value: \d+ figures are about [\d.]+ times those of .*OTHER/),
          periods: { size: values.length },
        })
        // One that agrees is enough, in any order.
        const agreeing = [another(exports, { dataset: 'B' }), multiplied] as const
        expect(judge(exports, multiplied, [another(exports), values], agreeing)).toBeUndefined()
        expect(judge(exports, multiplied, agreeing, [another(exports), values])).toBeUndefined()
        // One that cannot tell is not: an index moves with any multiple.
        const index = another(exports, { unit: 'index', base_period: '2015', base_value: '100' })
        expect(judge(exports, multiplied, [index, multiplied], [another(exports), values])).toBeDefined()
      }),
    )
  })

  it.each([
    ['of another currency', another(exports, { unit: 'EUR' })],
    ['at an annual rate', another(exports, { annualization: 'annualized' })],
  ])('is not compared with amounts %s', (_, other) => {
    const values = Array.from({ length: 40 }, (_, i) => 100 + i)
    const rising = values.map((value, i) => value * 4 * (1 + i / 1_000))
    expect(judge(exports, rising, [other, values])).toBeUndefined()
  })

  it('is held at a tenfold rate, not at a small rate that is three times another one', () => {
    const rates = Array.from({ length: 30 }, (_, i) => 4 + (i % 5) / 10)
    const tenfold = rates.map((value) => value * 10)
    expect(judge(rate, tenfold, [another(rate), rates])).toMatchObject({ reason: 'held_contradiction' })
    expect(judge(rate, [0.7, 0.8, 0.7], [another(rate), [0.2, 0.2, 0.1]])).toBeUndefined()
  })

  it('is held if it has the changes of an index in the place of its level, on whatever base', () => {
    const index = Array.from({ length: 60 }, (_, i) => 100 * 1.002 ** i * (1 + Math.sin(i) / 100))
    const other = another(cpi, { base_period: '1982', base_value: '100' })
    const changes = index.map((_, i) => 3 + 2 * Math.sin(i / 6))
    expect(judge(cpi, changes, [other, index])).toMatchObject({
      reason: 'held_contradiction',
      detail: expect.stringMatching(/^value: \d+ figures do not move with those of /),
    })
    expect(
      judge(
        cpi,
        index.map((value) => value * 2.1),
        [other, index],
      ),
    ).toBeUndefined()
  })

  it('is believed where too little can be compared: no common period, zero, rates of change', () => {
    expect(judge(exports, [0, 0], [another(exports), [100, 101]])).toBeUndefined()
    expect(judge(exports, [1_000, 1_010, 1_020], [another(exports), []])).toBeUndefined()
    expect(judge(growth, [20, 21, 19], [another(growth), [2, 2.1, 1.9]])).toBeUndefined()
  })
})
