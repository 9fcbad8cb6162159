import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shiftPeriod } from '../../domain/period.ts'
import { judge } from '../../domain/plausibility/checks.ts'
import { type SeriesView, seriesView, type Value, type ValueKind } from '../../domain/plausibility/view.ts'

/** Values of consecutive months. */
const monthly = (values: readonly number[], from = 0): Value[] =>
  values.map((value, i) => ({ at: shiftPeriod('2000-01', from + i), value }))
const held = (
  kind: ValueKind,
  stated: readonly Value[],
  record: readonly Value[] = [],
  rest: Partial<SeriesView> = {},
) =>
  judge(seriesView(kind, stated, record, rest)).map(({ reason, periods }) => [
    reason,
    ...(periods === 'all' ? ['all'] : periods.map((period) => stated.findIndex(({ at }) => at === period))),
  ])
const calm = Array.from({ length: 36 }, (_, i) => 100 + i + (i % 2))
const times = (factor: number, values = calm) => values.map((value) => value * factor)
const other =
  (values: readonly number[], from = 0) =>
  () => [{ id: 'OTHER', record: monthly(values, from), rate: 1 }]

describe('a check', () => {
  it.each<[string, ValueKind, Value[], Value[], Partial<SeriesView>, unknown[]]>([
    [
      'a twentieth impossible',
      'share',
      monthly(calm),
      [],
      { ofIndicator: { count: 60, impossible: 3 } },
      ['held_range', 'all'],
    ],
    ['an impossible price', 'price', monthly([...calm.slice(0, 6), 1e30]), [], {}, ['held_range', 6]],
    [
      'eleven twelfths withdrawn',
      'amount',
      [],
      monthly(calm),
      { withdrawn: monthly(calm.slice(0, 33)).map(({ at }) => at) },
      ['held_withdrawal', 'all'],
    ],
    [
      'a power of ten of a rate',
      'rate',
      monthly([20, 31, 25, 22]),
      monthly([2, 3.1, 2.5, 2.2]),
      {},
      ['held_scale', 'all'],
    ],
    [
      'a share as a fraction',
      'share',
      monthly([0.041, 0.039, 0.042]),
      monthly([4.1, 3.9, 4.2]),
      {},
      ['held_scale', 'all'],
    ],
    ['thousands', 'amount', monthly(times(1e-3)), monthly(calm), {}, ['held_scale', 'all']],
    [
      'another base',
      'index',
      monthly(times(0.84).map((value) => Math.round(value * 10) / 10)),
      monthly(calm),
      {},
      ['held_base', 'all'],
    ],
    ['pounds', 'price', monthly(times(2.2046)), monthly(calm.slice(0, 12)), {}, ['held_scale', 'all']],
    ['another indicator', 'amount', monthly(calm), [], { mistakable: other(calm) }, ['held_contradiction', 'all']],
    [
      'another unit than elsewhere',
      'amount',
      monthly(times(4)),
      [],
      { others: other(calm) },
      ['held_contradiction', 'all'],
    ],
    [
      'another unit than the nearest',
      'amount',
      monthly([900], 40),
      [],
      { others: other(calm) },
      ['held_contradiction', 'all'],
    ],
    [
      'a share at a multiple',
      'share',
      monthly([41, 42]),
      [],
      { others: other([4.1, 4.2]) },
      ['held_contradiction', 'all'],
    ],
    [
      'an older edition',
      'amount',
      monthly(calm.slice(0, 20).with(5, 104)),
      monthly(calm),
      { isUndated: true },
      ['held_older', 5],
    ],
  ])('holds %s', (_, kind, stated, record, rest, expected) => {
    expect(held(kind, stated, record, rest)).toEqual([expected])
  })

  it.each<[string, ValueKind, Value[], Value[], Partial<SeriesView>]>([
    ['few impossible figures', 'share', monthly(calm), [], { ofIndicator: { count: 61, impossible: 3 } }],
    ['prices like those on record', 'price', monthly([1.2e8]), monthly([1e8], -1), {}],
    [
      'what the United States withdrew in 1999',
      'amount',
      monthly(calm.slice(32), 32),
      monthly(calm),
      { withdrawn: monthly(calm.slice(0, 32)).map(({ at }) => at) },
    ],
    ['a benchmark', 'amount', monthly(calm.map((value, i) => value * (1.1 + i / 1e3))), monthly(calm), {}],
    ['figures of about another indicator', 'amount', monthly(times(1.01)), [], { mistakable: other(calm) }],
    [
      'what one of two sources has',
      'amount',
      monthly(times(4)),
      [],
      { others: () => [...other(calm)(), ...other(times(4))()] },
    ],
    ['percentages that are nearly the same', 'share', monthly([0.2, 0.3]), [], { others: other([0.7, 1.3]) }],
    ['what is on record already', 'amount', monthly(times(4)), monthly(times(4)), { others: other(calm) }],
    ['rates of a tenth that become one', 'rate', monthly([1, 1, 1]), monthly([0.1, 0.1, 0.1]), {}],
    ['rates of a tenth that become a hundredth', 'rate', monthly([0.01, 0.01, 0.01]), monthly([0.1, 0.1, 0.1]), {}],
    ['shares of a tenth that become one', 'share', monthly([1, 1, 1]), monthly([0.1, 0.1, 0.1]), {}],
    ['a dated edition', 'amount', monthly(calm.slice(0, 20).with(5, 104)), monthly(calm), {}],
  ])('believes %s', (_, kind, stated, record, rest) => {
    expect(held(kind, stated, record, rest)).toEqual([])
  })
})

it('an impossible price is named without exponents', () => {
  expect(judge(seriesView('price', monthly([2e-9, 100, 5e8]), []))).toMatchObject([
    {
      detail: '2000-01 is 0.000000002; 2000-03 is 500,000,000. Prices lie between 0.0000001 and 10,000,000.',
    },
  ])
})

it('what one check holds is not seen by the next one', () => {
  const after = [['held_range', 0]]
  expect(held('price', monthly([5e8, 30_000]))).toEqual(after)
  expect(held('price', monthly([5e8, 30_000, 31_000], 1), monthly([29_000]))).toEqual(after)
  expect(held('price', monthly([5e8, 30_000, 31_000], 1), monthly([29_000, 29_500, 30_500, 31_500]))).toEqual(after)
  const undated = { isUndated: true }
  const older = monthly(calm.slice(0, 20).with(5, 104).with(9, 1_090))
  expect(held('amount', older, monthly(calm), undated)).toEqual([
    ['held_jump', 9],
    ['held_older', 5],
  ])
})

describe('a step', () => {
  /** Values that move by up to a factor from one to the next. */
  const moving = (factor: number) =>
    fc
      .array(fc.double({ min: 1 / factor, max: factor, noNaN: true }), { minLength: 20, maxLength: 60 })
      .map((steps) => {
        const values = [100]
        for (const step of steps) values.push(Math.min(1e6, Math.max(1e-2, (values.at(-1) ?? 1) * step)))
        return values
      })

  it('is never long where each value is within five times the one before, whatever is on record', () => {
    fc.assert(
      fc.property(moving(4.9), fc.nat(60), (values, end) => {
        const all = monthly(values)
        expect(held('price', all, all.slice(0, end))).toEqual([])
        expect(held('amount', all, all.slice(end))).toEqual([])
      }),
    )
  })

  it('is held at one tenfold or tenth value alone, new or in the place of another', () => {
    fc.assert(
      fc.property(moving(1.2), fc.integer({ min: 5, max: 20 }), fc.constantFrom(10, 0.1), (values, at, factor) => {
        const right = monthly(values)
        const wrong = monthly(values.with(at, (values[at] ?? 0) * factor))
        for (const record of [[], right, right.slice(0, at), right.slice(at + 1), right.toSpliced(at, 1)])
          expect(held('price', wrong, record)).toEqual([['held_jump', at]])
      }),
    )
  })

  it('is held from where a shift begins to its end, on both sides of the record', () => {
    const shifted = monthly([...calm.slice(0, 20), ...times(1_000, calm.slice(20))])
    expect(held('amount', shifted)).toEqual([['held_jump', ...Array.from({ length: 16 }, (_, i) => 20 + i)]])
    const early = monthly(times(1_000))
    expect(held('price', early, monthly(calm, 36))).toEqual([['held_jump', ...early.keys()]])
  })

  describe('at the beginning of an index', () => {
    const years = (values: readonly number[]): Value[] => values.map((value, i) => ({ at: String(1960 + i), value }))
    const quarterly = (values: readonly number[]): Value[] =>
      values.map((value, i) => ({ at: `${2000 + (i >> 2)}-Q${(i % 4) + 1}`, value }))
    const rising = (length: number, by: number) =>
      Array.from({ length }, (_, i) => Math.round(1_001 * (1 + by) ** i + (i % 3)) / 10)
    const places = Array.from({ length: 9 }, (_, at) => at)

    it.each([
      ['monthly', monthly, 0.002],
      ['monthly, at 2 % a month,', monthly, 0.02],
      ['quarterly', quarterly, 0.006],
      ['annual', years, 0.03],
      ['annual, at 15 % a year,', years, 0.15],
    ])('is held at one tenfold %s value alone, wherever it is', (_, from, by) => {
      for (let length = 8; length <= 60; length++) {
        const right = rising(length, by)
        for (const at of places.slice(0, length))
          for (const factor of [10, 100, 0.1])
            expect(
              held('index', from(right.with(at, (right[at] ?? 0) * factor))),
              `${factor} at ${at} of ${length}`,
            ).toEqual([['held_jump', at]])
        expect(held('index', from(right))).toEqual([])
      }
      for (let length = 1; length <= 12; length++) {
        const values = from(rising(length + 2, by))
        const record = values.slice(0, length)
        const tenfold = values.map(({ at, value }) => ({ at, value: 10 * value }))
        expect(held('index', tenfold.slice(length, -1), record), `after ${length}`).toEqual([['held_jump', 0]])
        expect(held('index', tenfold.slice(length), record), `after ${length}`).toEqual([['held_jump', 0, 1]])
        expect(held('index', tenfold.slice(length - 1, length), record), `last of ${length}`).toEqual([
          ['held_jump', 0],
        ])
        expect(held('index', values.slice(length), record), `after ${length}`).toEqual([])
        expect(held('index', values.slice(length + 1), record), `after ${length} and a gap`).toEqual([])
      }
      const whole = from(rising(12, by).map((value) => 10 * value))
      expect(held('index', whole, from(rising(2, by)))).toEqual([['held_jump', ...whole.keys()]])
    })

    it('is held from the second one on if its factor is large', () => {
      expect(held('index', monthly([703], 3), monthly([100.1, 100.3, 100.5]))).toEqual([['held_jump', 0]])
      expect(held('index', monthly([703], 1), monthly([100.1, 100.3]))).toEqual([['held_jump', 0]])
      expect(held('index', monthly([100.1, 703, 100.5, 100.7]))).toEqual([['held_jump', 1]])
    })

    it('is believed in a hyperinflation', () => {
      const values = [2.5e-8, 0.06, 1.69, 1.56, 1.51, 1.5, 1.48, 1.46]
      for (let end = 0; end <= values.length; end++) {
        expect(held('index', monthly(values), monthly(values.slice(0, end)))).toEqual([])
        expect(held('index', monthly(values), monthly(values.slice(end), end))).toEqual([])
      }
    })
  })

  it('is held after a gap, unless the series has always moved like that', () => {
    expect(held('amount', monthly([1e6], 80), monthly(calm))).toEqual([['held_jump', 0]])
    const inflation = Array.from({ length: 108 }, (_, i) => 100 * 1.05 ** i)
    expect(held('index', monthly(inflation.slice(-1), 107), monthly(inflation.slice(0, 48)))).toEqual([])
  })

  it('from or to a zero of a seasonal amount is not held, at once or period by period', () => {
    const starting = [0, 0, 50, 51, 54, 52, 50, 53, 51, 0, 0, 0, 49, 50, 0, 52]
    const values = monthly(starting)
    for (let end = 0; end <= values.length; end++) {
      expect(held('amount', values, values.slice(0, end))).toEqual([])
      expect(held('amount', values, values.slice(end))).toEqual([])
      expect(held('amount', values.slice(end, end + 1), values.slice(0, end))).toEqual([])
    }
    expect(held('amount', monthly(starting.slice(2)))).toEqual([])
    expect(held('amount', monthly([0, 0, 0]), monthly([0], 3))).toEqual([])
  })

  it('over zeros is held beside the last value that is not zero', () => {
    expect(held('amount', monthly([5e6, 51], 4), monthly([50, 52, 0, 0]))).toEqual([['held_jump', 0]])
    expect(held('amount', monthly([50, 5e6, 0, 0, 52, 51]))).toEqual([['held_jump', 1]])
  })

  it('to the first zeros of a series is held while no other value follows them', () => {
    expect(held('amount', monthly([0, 0], 36), monthly(calm))).toEqual([['held_jump', 0, 1]])
    expect(held('amount', monthly([0, 0, 136], 36), monthly(calm))).toEqual([])
  })

  it('to a zero is held in the place of another value', () => {
    expect(held('amount', monthly([0], 7), monthly(calm))).toEqual([['held_jump', 0]])
    expect(held('amount', monthly([107], 7), monthly(calm.with(7, 0)))).toEqual([])
    const record = monthly([5e6, 6e6, 7e6])
    expect(held('amount', monthly([0, 0, 0]), record)).toEqual([['held_jump', 0, 1, 2]])
    expect(held('amount', monthly([0, 0, 0, 0]), record)).toEqual([['held_jump', 0, 1, 2, 3]])
    // None is left at or after the first one on record.
    expect(held('amount', monthly([1_000, 200, 0]), monthly([50], 2))).toEqual([['held_jump', 2]])
    expect(held('amount', monthly([5e6, 0], 1), monthly([50], 2))).toEqual([
      ['held_jump', 1],
      ['held_jump', 0],
    ])
  })

  it('may correct a single wrong value on record', () => {
    expect(held('price', monthly([101], 1), monthly([100, 1_000, 102, 103]))).toEqual([])
    expect(held('price', monthly([1_000], 2), monthly([100, 101, 102, 103]))).toEqual([['held_jump', 0]])
  })

  it('is named with the value before, or the one on record', () => {
    const details = (stated: Value[], record: Value[]) =>
      judge(seriesView('price', stated, record)).map(({ detail }) => detail)
    const why = 'The usual change from one value to the next is much smaller.'
    expect(details(monthly([9, 10, 11, 12], 1), monthly([1]))).toEqual([
      `2000-02 is 9, after 1 (2000-01); 2000-03 is 10, after 1 (2000-01); 2000-04 is 11, after 1 (2000-01); and 1 more. ${why}`,
    ])
    expect(details(monthly([9]), monthly([1]))).toEqual([`2000-01 is 9, and 1 on record. ${why}`])
    expect(details(monthly([9]), monthly([1], 1))).toEqual([`2000-01 is 9, before 1 (2000-02). ${why}`])
  })

  it('to a zero at the end is not held where a zero is on record already', () => {
    expect(held('amount', monthly([0], 4), monthly([5, 6, 7, 0]))).toEqual([])
    expect(held('amount', monthly([0], 4), monthly([5, 6, 7, 8]))).toEqual([['held_jump', 0]])
    // One that is corrected was never true.
    expect(held('amount', monthly([8, 0], 3), monthly([5, 6, 7, 0]))).toEqual([['held_jump', 1]])
  })

  it('to a zero says what a zero may stand for', () => {
    const details = (stated: Value[], record: Value[]) =>
      judge(seriesView('amount', stated, record)).map(({ detail }) => detail)
    const why = 'A 0 often stands for a value that is not known.'
    expect(details(monthly([0], 1), monthly([4]))).toEqual([`2000-02 is 0, after 4 (2000-01). ${why}`])
    expect(details(monthly([0]), monthly([4]))).toEqual([`2000-01 is 0, and 4 on record. ${why}`])
  })

  it('is found among 200,000 values in a moment', () => {
    const all = Array.from({ length: 200_000 }, (_, i) => ({
      at: new Date(i * 86_400_000).toISOString(),
      value: i === 100_000 ? 1_000 : 100 + Math.sin(i),
    }))
    expect(held('price', all)).toEqual([['held_jump', 100_000]])
  })
})
