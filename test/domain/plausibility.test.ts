import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Series } from '../../contracts/records.ts'
import { shiftPeriod } from '../../domain/period.ts'
import { type Stated, suspicionOf } from '../../domain/plausibility.ts'
import { testSeries } from '../support/releases.ts'

const cpi = testSeries()
const rate = testSeries({ indicator: 'unemployment', unit: 'percent' })
const exports = testSeries({ indicator: 'trade-exports', unit: 'USD' })

const memberOf = ({ indicator }: Series) => (indicator === 'unemployment' ? 'rate' : 'value')
/** States figures of consecutive months from January 2000 on; null for one that is withdrawn. */
const stating = (series: Series, values: readonly (number | null)[], from = 0): Stated[] =>
  values.map((value, i) => ({
    period: shiftPeriod('2000-01', from + i),
    figures: value === null ? null : { [memberOf(series)]: value },
  }))
const judge = (series: Series, values: readonly (number | null)[], recorded: readonly number[] = [], from = 0) => {
  const known = new Map(recorded.map((value, i) => [shiftPeriod('2000-01', i), value]))
  const suspicion = suspicionOf(series, stating(series, values, from), (period) => known.get(period))
  return suspicion ? [{ ...suspicion, periods: [...suspicion.periods] }] : []
}

/** A series that moves by up to `largest` of its value from one month to the next. */
const moving = (largest: number, minLength: number) =>
  fc.array(fc.double({ min: -largest, max: largest, noNaN: true }), { minLength, maxLength: 80 }).map((steps) => {
    const values = [100]
    for (const step of steps) values.push((values.at(-1) ?? 0) * Math.exp(step))
    return values
  })

describe('what a document states about a series', () => {
  it('is never held while it moves by less than three times, the record says the same, or nothing is on record', () => {
    fc.assert(
      fc.property(moving(Math.log(2.9), 1), fc.nat(80), (values, count) => {
        expect(judge(exports, values)).toEqual([])
        expect(judge(exports, values, values.slice(0, count))).toEqual([])
        expect(judge(exports, values.slice(count), values.slice(0, count), count)).toEqual([])
      }),
    )
  })

  it('is held at one tenfold or tenth figure of a calm series, at that one alone', () => {
    fc.assert(
      fc.property(moving(0.2, 20), fc.integer({ min: 10, max: 20 }), fc.constantFrom(10, 0.1), (values, at, times) => {
        const wrong = values.with(at, (values[at] ?? 0) * times)
        const jump = [{ reason: 'held_jump', detail: expect.anything(), periods: [shiftPeriod('2000-01', at)] }]
        expect(judge(cpi, wrong)).toEqual(jump)
        expect(judge(cpi, wrong.slice(at, at + 1), values.slice(0, at), at)).toEqual(jump)
        // A revision is compared with its neighbours, too.
        expect(judge(cpi, wrong.slice(at, at + 1), values, at)).toEqual(jump)
      }),
    )
  })

  it('is held whole from where a shift begins', () => {
    const values = Array.from({ length: 40 }, (_, i) => (100 + i) * (i < 25 ? 1 : 1_000))
    expect(judge(cpi, values)).toMatchObject([{ reason: 'held_jump', periods: { length: 15 } }])
    expect(judge(cpi, values.slice(25), values.slice(0, 25), 25)).toMatchObject([{ periods: { length: 15 } }])
  })

  it('is held whole if it is a power of ten away from the record', () => {
    fc.assert(
      fc.property(moving(0.5, 6), fc.constantFrom(-6, -3, -2, -1, 1, 2, 3, 6), (values, power) => {
        const shifted = values.map((value) => value * 10 ** power)
        const found = judge(exports, shifted, values)
        expect(found).toMatchObject([{ reason: 'held_scale', periods: { length: values.length } }])
      }),
    )
  })

  it('is held if it has another base, and not if an index of the same base is revised', () => {
    const values = Array.from({ length: 40 }, (_, i) => 90 + i + Math.sin(i))
    const rebased = values.map((value) => Math.round(value * 8.7) / 10)
    expect(judge(cpi, rebased, values)).toMatchObject([{ reason: 'held_base', periods: { length: 40 } }])
    const revised = values.map((value, i) => value * (1 + 0.0005 * i))
    expect(judge(cpi, revised, values)).toEqual([])
  })

  it('is held if the figures are those of another series', () => {
    const seasonal = (i: number) => 5 + Math.sin(i / 9)
    const adjusted = Array.from({ length: 60 }, (_, i) => Math.round(seasonal(i) * 10) / 10)
    const unadjusted = adjusted.map((value, i) => value + ([0.5, 0.4, 0.1, -0.3, -0.4, 0.2][i % 6] ?? 0))
    expect(judge(rate, unadjusted, adjusted)).toMatchObject([{ reason: 'held_series', periods: { length: 60 } }])
    // A seasonal adjustment that is computed anew moves many figures by a tenth.
    const anew = adjusted.map((value, i) => value + (i % 3 === 0 ? 0.1 : 0))
    expect(judge(rate, anew, adjusted)).toEqual([])
    // A benchmark revision changes every figure of a level, and hardly any of its growth.
    const level = Array.from({ length: 60 }, (_, i) => 1e12 * 1.01 ** i * (1 + 0.01 * Math.sin(i)))
    const benchmark = level.map((value, i) => value * (1.02 + 0.0004 * i))
    expect(judge(exports, benchmark, level)).toEqual([])
  })

  it('is held if it withdraws most of a series', () => {
    const values = Array.from({ length: 20 }, (_, i) => 100 + i)
    const withdrawing = (count: number) => values.map((value, i) => (i < count ? null : value))
    expect(judge(cpi, withdrawing(18), values)).toMatchObject([{ reason: 'held_withdrawal', periods: { length: 20 } }])
    expect(judge(cpi, withdrawing(17), values)).toEqual([])
    expect(judge(cpi, withdrawing(20), values.slice(0, 11))).toEqual([])
  })

  it('says nothing about figures that cannot be, because they are rejected', () => {
    const values = Array.from({ length: 20 }, () => 66)
    for (const impossible of [670, -4, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(judge(rate, [...values, impossible])).toEqual([])
    }
  })

  it.each([
    ['unemployment in the United States in 2020', rate, [...calm(3.5, 0.1), 4.4, 14.8, 13.2, 11, 10.2, 8.4]],
    ['exports that fall by 60 percent in a month', exports, [...calm(1e10, 4e8), 4e9, 5e9, 9e9]],
    [
      'prices in a hyperinflation',
      cpi,
      [100, 150, 240, 400, 900, 2_000, 6_000, 22_000, 90_000, 410_000, 3e6, 8e7, 2e10],
    ],
  ])('is believed: %s', (_name, series, values) => {
    expect(judge(series, values)).toEqual([])
  })

  it.each([
    ['a rate without its decimal point', rate, [...calm(2.4, 0.1), 24]],
    ['the wrong column', rate, [...calm(4, 0.1), 62.5]],
    ['nothing instead of a flow', exports, [...calm(1e10, 4e8), 0]],
  ])('is held: %s', (_name, series, values) => {
    expect(judge(series, values)).toMatchObject([{ reason: 'held_jump', periods: [shiftPeriod('2000-01', 24)] }])
  })

  it.each([
    ['unemployment of 99.9 percent', rate, [5.1, 99.9, 5.3], [1]],
    ['an index of almost nothing', cpi, [1e11, 1e-8, 104], [1, 2]],
    ['exports of almost nothing', exports, [5e9, 5], [1]],
  ])('is held at the second figure of a series: %s', (_name, series, values, at) => {
    expect(judge(series, values)).toMatchObject([{ periods: at.map((i) => shiftPeriod('2000-01', i)) }])
  })

  it('is believed if a series begins in a hyperinflation, as consumer prices of Serbia do', () => {
    expect(judge(cpi, [0.00000002492187667, 0.060072184, 1.6910920511])).toEqual([])
  })

  it('is held once, with all members that jump', () => {
    const growth = testSeries({ indicator: 'gdp-growth', unit: 'percent', frequency: 'Q' })
    const stated = calm(2, 0.1).map((value, i) => ({
      period: shiftPeriod('2000-Q1', i),
      figures: { year_over_year: value, quarter_over_quarter: value / 4 },
    }))
    const [first, second] = ['2006-Q1', '2006-Q2'].map((period, i) => ({
      period,
      figures: { year_over_year: 300, quarter_over_quarter: 0.5 + 200 * i },
    }))
    if (!first || !second) return expect.fail('two periods')
    expect(suspicionOf(growth, [...stated, first, second], () => undefined)).toEqual({
      reason: 'held_jump',
      detail:
        'year_over_year: 2006-Q1 is 300, after 2.1, 2006-Q2 is 300, after 2.1. quarter_over_quarter: 2006-Q2 is 200.5, after 0.5. The series has never moved like that.',
      periods: new Set(['2006-Q1', '2006-Q2']),
    })
  })
})

describe('figures after a gap, and a history that is dated otherwise', () => {
  const months = Array.from({ length: 48 }, (_, i) => 1e10 * (1 + 0.04 * Math.sin(i)))

  it('are compared with the last figure before the gap, however long it is', () => {
    for (const gap of [0, 1, 5, 24, 100]) {
      expect(judge(exports, [1e13], months, 48 + gap)).toMatchObject([{ reason: 'held_jump' }])
      expect(judge(exports, [1.3e10], months, 48 + gap)).toEqual([])
    }
    // A price level that always rises goes on rising in the gap.
    const inflation = Array.from({ length: 48 }, (_, i) => 100 * 1.05 ** i)
    expect(judge(cpi, [100 * 1.05 ** 108], inflation, 108)).toEqual([])
    expect(judge(cpi, [1e3 * 1.05 ** 108], inflation, 108)).toMatchObject([{ reason: 'held_jump' }])
  })

  it('are judged by the history before a hole in the record', () => {
    const known = new Map(months.map((value, i) => [shiftPeriod('2000-01', i), value / 1e8]))
    known.delete(shiftPeriod('2000-01', 46))
    const stated = [{ period: shiftPeriod('2000-01', 48), figures: { value: 1_020 } }]
    expect(suspicionOf(exports, stated, (period) => known.get(period))).toMatchObject({ reason: 'held_jump' })
  })

  it('are held if they are those of the period before or after', () => {
    fc.assert(
      fc.property(moving(0.01, 20), fc.constantFrom(-1, 1), (moved, shift) => {
        const values = moved.map((value, i) => value + i)
        const stated = shift > 0 ? values.slice(0, -1) : values.slice(1)
        expect(judge(exports, stated, values, Math.max(0, shift))).toMatchObject([{ reason: 'held_series' }])
      }),
    )
  })
})

describe('single figures that are wrong by a factor', () => {
  /** Unemployment in the United States, with its spring of 2020, and the calm after it. */
  const american = [...calm(3.5, 0.1), 4.4, 14.8, 13.2, 11, 10.2, 8.4, 7, 6.2, 5.8, 5, ...calm(4, 0.2)]

  it.each([
    ['tenfold unemployment after a year like 2020', rate, american, 42],
    ['a tenth of a rate', rate, calm(3.8, 0.2), 0.39],
    ['a rate as a fraction', rate, calm(3.8, 0.2), 0.039],
    ['a month of an index on a newer base', cpi, calm(330, 1), 139.2],
    ['a month of an index on an older base', cpi, calm(142, 0.5), 411.9],
  ])('are held: %s', (_, series, before, value) => {
    const at = shiftPeriod('2000-01', before.length)
    expect(judge(series, [value], before, before.length)).toMatchObject([{ reason: 'held_jump', periods: [at] }])
    expect(judge(series, [...before, value])).toMatchObject([{ reason: 'held_jump', periods: [at] }])
  })

  it('are held in the second half of a history that is multiplied', () => {
    const values = Array.from({ length: 100 }, (_, i) => 100 + i / 3)
    const multiplied = values.map((value, i) => (i < 52 ? value : value * 2.9))
    expect(judge(cpi, multiplied, values)).toMatchObject([{ reason: 'held_jump', periods: { length: 48 } }])
  })

  it('are believed where a freed price level doubles, as in Bulgaria in 1991', () => {
    expect(judge(cpi, [...calm(100, 0.5), 219, 260])).toEqual([])
  })
})

function calm(value: number, step: number): number[] {
  return Array.from({ length: 24 }, (_, i) => value + (i % 2) * step)
}
