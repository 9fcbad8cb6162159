import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PricePoint, type PriceRecord, priceSuspicions } from '../../domain/plausible-prices.ts'

const DAY_MS = 86_400_000
const day = (n: number): string => new Date(Date.UTC(2000, 0, 1 + n)).toISOString()
/** Prices of consecutive days, the first on day `from`. */
const daily = (values: readonly number[], from = 0): PricePoint[] =>
  values.map((value, i) => ({ at: day(from + i), value }))

const judge = (stated: readonly PricePoint[], history: readonly PricePoint[] = [], over: Partial<PriceRecord> = {}) =>
  priceSuspicions(stated, { history, ...over }).map(({ reason, places }) => [reason, ...places])
const held = (stated: readonly PricePoint[], history: readonly PricePoint[] = []) =>
  priceSuspicions(stated, { history })
    .flatMap(({ places }) => places)
    .sort((a, b) => a - b)

/** A price that moves by up to a factor of `largest` from day to day. */
const moving = (largest: number, minLength: number) =>
  fc
    .array(fc.double({ min: -Math.log(largest), max: Math.log(largest), noNaN: true }), { minLength, maxLength: 60 })
    .map((steps) => {
      const values = [100]
      // Kept within four orders of magnitude, because prices beyond 1e7 are held if nothing is on record.
      for (const step of steps) values.push(Math.min(1e4, Math.max(1, (values.at(-1) ?? 0) * Math.exp(step))))
      return values
    })

describe('the prices that a document states', () => {
  it('are never held while each is near the one before, whatever part of them is on record', () => {
    const parts = fc.tuple(moving(4.9, 1), fc.array(fc.boolean(), { minLength: 61, maxLength: 61 }))
    fc.assert(
      fc.property(parts, ([values, isRecorded]) => {
        const all = daily(values)
        const history = all.filter((_, i) => isRecorded[i])
        // The factor between neighbours on record may be large where days are missing between them.
        expect(held(all, history)).toEqual([])
      }),
    )
  })

  it('are held at a tenfold, tenth or hundredfold one alone, whether it is new or restates another', () => {
    const cases = fc.record({
      values: moving(1.9, 12),
      at: fc.nat(11),
      times: fc.constantFrom(10, 0.1, 100, 1e-3),
      recorded: fc.constantFrom('nothing', 'all', 'the others', 'those before', 'those after'),
    })
    fc.assert(
      fc.property(cases, ({ values, at, times, recorded }) => {
        fc.pre(recorded !== 'those before' || at > 0)
        // Prices that rise at once may reach the wrong one within the first five.
        fc.pre(recorded !== 'nothing' || at >= 5)
        const right = daily(values)
        const wrong = daily(values.with(at, (values[at] ?? 0) * times))
        const history = right.filter((_, i) => {
          if (recorded === 'those before') return i < at
          if (recorded === 'those after') return i > at
          return recorded === 'all' || (recorded === 'the others' && i !== at)
        })
        expect(held(wrong, history)).toEqual([at])
      }),
    )
  })

  it('are held whole if they are multiplied, whatever part of their time is on record', () => {
    const cases = fc.record({
      values: moving(1.5, 20),
      times: fc.constantFrom(10, 100, 0.1, 0.01),
      from: fc.nat(18),
      count: fc.integer({ min: 1, max: 40 }),
    })
    fc.assert(
      fc.property(cases, ({ values, times, from, count }) => {
        const history = daily(values).slice(from, from + count)
        const stated = daily(values.map((value) => value * times))
        expect(held(stated, history)).toEqual(stated.map((_, i) => i))
      }),
    )
  })

  it('are judged alike in parts: of what is believed at once nothing is held later', () => {
    fc.assert(
      fc.property(moving(1.9, 12), fc.nat(11), fc.integer({ min: 1, max: 11 }), (values, at, cut) => {
        fc.pre(at !== 0)
        const all = daily(values.with(at, (values[at] ?? 0) * 10))
        const first = all.slice(0, cut)
        const onRecord = first.filter((_, i) => i !== at)
        expect(held(all, onRecord)).toEqual([at])
      }),
    )
  })
})

describe('a price', () => {
  const calm = Array.from({ length: 10 }, (_, i) => 100 + i)

  it('is held from the first day of another level on, until one of that level is on record', () => {
    const stated = daily([...calm, ...calm.map((value) => value / 1_000)])
    expect(held(stated)).toEqual([10, 11, 12, 13, 14, 15, 16, 17, 18, 19])
    expect(held(stated, stated.slice(0, 11))).toEqual([])
    // What was stated before that day, and is read later, is believed too.
    expect(held(stated.slice(0, 11), [...stated.slice(0, 8), ...stated.slice(10, 11)])).toEqual([])
  })

  it('is held however long a shift lasts, and although nothing near it is on record', () => {
    const monthly = (values: readonly number[], from: number) =>
      values.map((value, i) => ({ at: new Date(Date.UTC(2000, from + i, 1)).toISOString(), value }))
    const shifted = Array.from({ length: 120 }, () => 1_000)
    const history = monthly(calm, 120)
    const places = shifted.map((_, i) => i)
    expect(judge(monthly(shifted, 130), history)).toEqual([['held_jump', ...places]])
    expect(judge(monthly(shifted, 0), history)).toEqual([['held_jump', ...places]])
    // The part of a document before these had the shift as well.
    const over = { newest: history.at(-1), lastStated: monthly([1_000], 189)[0] }
    expect(judge(monthly(shifted, 190), [], over)).toEqual([['held_jump', ...places]])
  })

  it('may be further from one that is years before it: five times for each year', () => {
    const apart = (days: number, value: number) => held([{ at: day(days), value }], daily([1]))
    expect(apart(364, 5.1)).toEqual([0])
    expect(apart(2 * 366, 10)).toEqual([])
    expect(apart(2 * 366, 11)).toEqual([0])
    expect(apart(8 * 366, 39)).toEqual([])
  })

  it('is not believed for the years to one neighbour if the other one contradicts', () => {
    const years = 26 * 365
    const history = [...daily([400]), ...daily([420], years)]
    // Hundredfold prices that begin a day after the first one on record, or end a day before the last one.
    expect(held(daily([40_000, 41_000, 40_500], 1), history)).toEqual([0, 1, 2])
    expect(held(daily([40_000, 41_000, 40_500], years - 3), history)).toEqual([0, 1, 2])
    // Years from both, nothing tells.
    expect(held(daily([4_000, 4_100, 4_050], years / 2), history)).toEqual([])
    // Beside a price on record, a level that years would allow elsewhere is held as well.
    expect(held(daily([405, 4_000, 410], 1), history)).toEqual([1])
  })

  it('restates the one on record if it is near it, or near both neighbours', () => {
    const history = daily([100, 1_000, 102, 103])
    // The wrong price on record is corrected.
    expect(judge(daily([101], 1), history)).toEqual([])
    expect(judge(daily([1_000], 2), history)).toEqual([['held_restatement', 0]])
    expect(judge(daily([1_000], 3), history)).toEqual([['held_restatement', 0]])
    // A shifted history does not creep on from where it begins.
    const shifted = daily([100, 101, 102, 1_030, 1_040])
    expect(judge(daily([1_000, 1_010, 1_020]), shifted)).toEqual([['held_restatement', 0, 1, 2]])
  })

  it('may return to the level before a single other one on record, and may not go on from there and back', () => {
    expect(held(daily([103, 104], 3), daily([100, 101, 1_000]))).toEqual([])
    expect(held(daily([1_030], 3), daily([100, 101, 1_000]))).toEqual([])
    expect(held(daily([1_030], 4), daily([100, 101, 1_000, 102]))).toEqual([0])
    expect(held(daily([102], 4), daily([100, 101, 1_000, 1_010]))).toEqual([0])
  })

  it('is held with all others if the document changes 12 on record by more than a tenth', () => {
    const right = daily(Array.from({ length: 20 }, (_, i) => 100 + i))
    const times = (factor: number, count = 20) =>
      right.map(({ at, value }, i) => ({ at, value: i < count ? value * factor : value }))
    for (const factor of [2.2046, 1 / 2.2046, 1.11, 0.85]) {
      // Prices for later times are in the same wrong unit.
      const later = daily([120 * factor, 121 * factor], 20)
      expect(judge([...times(factor), ...later], right)).toEqual([['held_restatement', ...Array(22).keys()]])
    }
    expect(judge(times(2.2, 12), right)).toEqual([['held_restatement', ...Array(12).keys()]])
    for (const restated of [times(1.09), times(2.2, 11)]) expect(judge(restated, right)).toEqual([])
    expect(priceSuspicions(times(2), { history: right })[0]?.detail).toBe(
      '2000-01-01T00:00:00.000Z is 200, and 100 on record; 2000-01-02T00:00:00.000Z is 202, and 101 on record; 2000-01-03T00:00:00.000Z is 204, and 102 on record; and 17 more. 20 prices on record would change by more than 10 %.',
    )
  })

  it('is held beyond the range of all prices if nothing near it is on record', () => {
    for (const value of [1e30, 1e-30, 1.1e7, 0.9e-7]) {
      expect(judge(daily([value]))).toEqual([['held_range', 0]])
      expect(judge(daily([1.1, value]))).toEqual([['held_range', 1]])
      expect(judge(daily([value, 1.1]))).toEqual([['held_range', 0]])
      expect(judge(daily([value]), daily([value * 1.1, value * 1.2], 1))).toEqual([])
    }
    for (const value of [9e6, 1.1e-7]) expect(judge(daily([value]))).toEqual([])
  })

  it('is held at the beginning if it is the only one of the first five that differs', () => {
    for (const at of [0, 1, 2, 3, 4]) {
      expect(judge(daily([1, 1.1, 1, 1.1, 1].map((value, i) => (i === at ? 12 : value))))).toEqual([['held_jump', at]])
    }
    // Two say nothing about each other, so the first one counts.
    expect(judge(daily([1, 12]))).toEqual([['held_jump', 1]])
  })

  it.each([
    ['the lira on 22 February 2001', [624_367, 1_050_000]],
    ['natural gas at Henry Hub in January 2024', [3.15, 13.2, 3.25]],
    ['oil in April 2020', [18.31, 8.91, 13.64]],
  ])('is believed: %s', (_name, values) => {
    expect(judge(daily(values))).toEqual([])
  })

  it('is named with its neighbour', () => {
    const details = (stated: PricePoint[], history: PricePoint[]) =>
      priceSuspicions(stated, { history }).map(({ detail }) => detail)
    expect(details(daily([9, 10, 11, 12], 1), daily([1]))).toEqual([
      '2000-01-02T00:00:00.000Z is 9, after 1 (2000-01-01T00:00:00.000Z); 2000-01-03T00:00:00.000Z is 10, after 1 (2000-01-01T00:00:00.000Z); 2000-01-04T00:00:00.000Z is 11, after 1 (2000-01-01T00:00:00.000Z); and 1 more. That is more than 5 times as much, or less than a fifth, or follows such a price.',
    ])
    expect(details(daily([9]), daily([1]))).toEqual([
      '2000-01-01T00:00:00.000Z is 9, and 1 on record. That is more than 5 times as much, or less than a fifth.',
    ])
    expect(details(daily([9]), daily([1], 1))).toEqual([
      '2000-01-01T00:00:00.000Z is 9, before 1 (2000-01-02T00:00:00.000Z). That is more than 5 times as much, or less than a fifth, or follows such a price.',
    ])
    expect(details(daily([1e30]), [])).toEqual([
      '2000-01-01T00:00:00.000Z is 1e+30. Prices lie between 1e-7 and 10000000.',
    ])
    expect(details(daily([9, 1, 1]), [])).toEqual([
      '2000-01-01T00:00:00.000Z is 9, and the first prices are about 1. That is more than 5 times as much, or less than a fifth, or follows such a price.',
    ])
  })

  it('of a source that restates nothing is judged beside the newest, also at the same time', () => {
    const newest = { at: day(0), value: 100 }
    expect(judge(daily([1_000, 101]), [], { newest })).toEqual([['held_jump', 0]])
    expect(judge([...daily([101, 102]), ...daily([1_030], 1)], [], { newest })).toEqual([['held_jump', 2]])
    // What the document states for earlier times says nothing.
    expect(judge(daily([101], 1), [], { newest, lastStated: { at: day(-5), value: 90 } })).toEqual([])
  })
})

// Comparing each price with all others would take minutes.
it('finds one wrong price among 200,000', () => {
  const stated = Array.from({ length: 200_000 }, (_, i) => ({
    at: new Date(i * DAY_MS).toISOString(),
    value: 100 + Math.sin(i),
  }))
  expect(held(stated.with(100_000, { at: new Date(100_000 * DAY_MS).toISOString(), value: 1_000 }))).toEqual([100_000])
})
