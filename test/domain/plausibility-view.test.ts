import { describe, expect, it } from 'vitest'
import { shiftPeriod } from '../../domain/period.ts'
import { powerOfTenToRecord } from '../../domain/plausibility/power-of-ten.ts'
import { ratioToOther } from '../../domain/plausibility/ratio-to-other.ts'
import {
  distance,
  indexFrom,
  inOrder,
  isPossible,
  kindOf,
  layersOf,
  type Other,
  seriesView,
  type Value,
  type ValueKind,
} from '../../domain/plausibility/view.ts'
import { testSeries } from '../support/releases.ts'

const monthly = (values: readonly number[], first = '2025-01'): Value[] =>
  values.map((value, i) => ({ at: shiftPeriod(first, i), value }))

describe('a view', () => {
  it('has what differs from the record, and counts what repeats it', () => {
    const record = monthly([1, 2, 3])
    const view = seriesView('amount', monthly([2, 4, 5], '2025-02'), record)
    expect(view).toMatchObject({ news: monthly([4, 5], '2025-03'), unchanged: 1, last: '2025-04' })
    expect(view.revised).toEqual([{ at: '2025-03', from: 3, to: 4 }])
    expect(seriesView('amount', [], record)).toMatchObject({ news: [], revised: [], unchanged: 0, last: '' })
    expect(seriesView('amount', monthly([1 + 1e-12]), record).news).toEqual([])
  })

  it('is of a kind by its range and its base', () => {
    expect(kindOf(testSeries({ base_period: '2015' }), 'value')).toBe('index')
    expect(kindOf(testSeries({ indicator: 'gdp', frequency: 'Q', base_period: '' }), 'value')).toBe('amount')
    expect(kindOf(testSeries({ indicator: 'unemployment' }), 'rate')).toBe('share')
    expect(kindOf(testSeries({ indicator: 'inflation' }), 'year_over_year')).toBe('rate')
    expect(kindOf(testSeries({ indicator: 'trade', base_period: '' }), 'balance')).toBeUndefined()
  })

  it('moves by a factor if it is of a level, else by points', () => {
    expect(distance('amount', 2, 4)).toBeCloseTo(Math.log(2))
    expect(distance('share', 2, 5)).toBe(3)
    expect(distance('rate', 5, -1)).toBe(6)
    expect(distance('amount', 0, 0)).toBe(0)
  })
})

it.each([
  ['cpi', 'value', 0, false],
  ['cpi', 'value', 0.1, true],
  ['trade-exports', 'value', 0, true],
  ['trade-exports', 'value', -1, false],
  ['trade', 'balance', -1, true],
  ['trade', 'imports', -1, false],
  ['unemployment', 'rate', 0, true],
  ['unemployment', 'rate', 100, true],
  ['unemployment', 'rate', 100.1, false],
  ['unemployment', 'rate', -0.1, false],
  ['inflation', 'year_over_year', -100.1, false],
  ['cpi', 'value', Number.POSITIVE_INFINITY, false],
  ['cpi', 'value', Number.NaN, false],
] as const)('%s: a %s of %s is possible: %s', (indicator, member, value, expected) => {
  expect(isPossible(indicator, member, value)).toBe(expected)
})

describe('the statements of a document', () => {
  const at = (text: string) => text.slice(0, 1)

  it('are one layer if each period is stated once', () => {
    const all = ['b', 'a', 'c']
    expect(layersOf(all, at)).toEqual([all])
  })

  it('are the first of each period, then the second ones, in the order given', () => {
    expect(layersOf(['b1', 'a1', 'b2', 'c1', 'b3', 'a2'], at)).toEqual([['b1', 'a1', 'c1'], ['b2', 'a2'], ['b3']])
  })

  it('are put in order of time unless they are', () => {
    const sorted = monthly([1, 2, 3])
    expect(inOrder(sorted)).toBe(sorted)
    const twice = [...sorted, { at: '2025-03', value: 4 }]
    expect(inOrder(twice)).toBe(twice)
    expect(inOrder(sorted.toReversed())).toEqual(sorted)
    expect(inOrder([...twice.slice(1), ...sorted.slice(0, 1)])).toEqual(twice)
  })

  it('begin in a record at the first value of their time or later', () => {
    const record = monthly([1, 2, 3, 4])
    expect(['', '2025-01', '2025-03', '2025-04', '2025-05'].map((text) => indexFrom(record, text))).toEqual([
      0, 0, 2, 3, 4,
    ])
    expect(indexFrom([], '2025-01')).toBe(0)
  })
})

describe('a power of ten beside the record', () => {
  const held = (kind: ValueKind, from: readonly number[], to: readonly number[]) =>
    powerOfTenToRecord(seriesView(kind, monthly(to), monthly(from)))?.reason

  it('is held if three values are changed by it', () => {
    expect(held('amount', [1, 2, 3], [1000, 2000, 3000])).toBe('held_scale')
    expect(held('amount', [10, 20, 30], [1, 2, 3])).toBe('held_scale')
    expect(held('amount', [1, 2], [1000, 2000])).toBeUndefined()
    expect(held('amount', [1, 2, 3], [1.1, 2.2, 3.3])).toBeUndefined()
  })

  it('is held if as many values change as are repeated, and no fewer', () => {
    expect(held('amount', [1, 2, 3, 4, 5, 6], [10, 20, 30, 4, 5, 6])).toBe('held_scale')
    expect(held('amount', [1, 2, 3, 4, 5, 6, 7], [10, 20, 30, 4, 5, 6, 7])).toBeUndefined()
  })

  it('is held if nine tenths of the values that are not zero are near it', () => {
    const from = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    const tenfold = from.map((value) => 10 * value)
    expect(held('amount', from, tenfold.with(0, 12))).toBe('held_scale')
    expect(held('amount', from, tenfold.with(0, 12).with(1, 25))).toBeUndefined()
    expect(held('amount', [...from, 0], [...tenfold, 5])).toBe('held_scale')
    expect(held('amount', [...from, 5], [...tenfold, 0])).toBe('held_scale')
    // 10 % from the power is not near it.
    expect(held('amount', [1, 1, 1], [11, 11, 11])).toBeUndefined()
    expect(held('amount', [1, 1, 1], [10.9, 10.9, 10.9])).toBe('held_scale')
  })

  it('of shares and rates must be more than a point', () => {
    expect(held('share', [0.1, 0.1, 0.1], [1, 1, 1])).toBeUndefined()
    expect(held('share', [0.2, 0.2, 0.2], [2, 2, 2])).toBe('held_scale')
    expect(held('amount', [0.1, 0.1, 0.1], [1, 1, 1])).toBe('held_scale')
  })
})

describe('a ratio to another source', () => {
  const other = (record: readonly Value[], over: Partial<Other> = {}): Other => ({
    id: 'OTHER',
    record,
    rate: 1,
    ...over,
  })
  const held = (kind: ValueKind, stated: readonly Value[], others: readonly Other[], record: readonly Value[] = []) =>
    ratioToOther(seriesView(kind, stated, record, { others: () => others }))?.detail

  it('is judged of common periods, at the rate of the judged series', () => {
    expect(held('amount', monthly([31, 31, 31]), [other(monthly([10, 10, 10]))])).toBe(
      '3 values are about 3.1 times those of OTHER.',
    )
    expect(held('amount', monthly([29, 29, 29]), [other(monthly([10, 10, 10]))])).toBeUndefined()
    expect(held('amount', monthly([3, 3, 3]), [other(monthly([10, 10, 10]))])).toMatch(/about 0.3 times/)
    expect(held('amount', monthly([31]), [other(monthly([10]), { rate: 2 })])).toBeUndefined()
  })

  it('is not judged of rates, of what is on record, of zeros, or without another source', () => {
    const far = [other(monthly([10]))]
    expect(held('rate', monthly([99]), far)).toBeUndefined()
    expect(held('amount', monthly([99]), far, monthly([1]))).toBeUndefined()
    expect(held('amount', monthly([0]), far)).toBeUndefined()
    expect(held('amount', monthly([99]), [other(monthly([0]))])).toBeUndefined()
    expect(held('amount', monthly([99]), [])).toBeUndefined()
  })

  it('of shares must be some points, too', () => {
    expect(held('share', monthly([2.4]), [other(monthly([0.5]))])).toBeUndefined()
    expect(held('share', monthly([2.6]), [other(monthly([0.5]))])).toMatch(/5.2 times/)
  })

  it('agrees with one source if it contradicts another', () => {
    expect(held('amount', monthly([99]), [other(monthly([10])), other(monthly([90]))])).toBeUndefined()
  })

  it('is judged beside the nearest value where no period is common, with more room a year', () => {
    const stated = monthly([59, 100], '2026-01')
    const before = other(monthly([10], '2025-01'))
    // After one year the bound is 6.
    expect(held('amount', stated, [before])).toBeUndefined()
    expect(held('amount', monthly([61, 100], '2026-01'), [before])).toBe(
      'The first or last value is about 6.1 times the nearest of OTHER.',
    )
    expect(held('amount', monthly([100, 61], '2026-01'), [other(monthly([10], '2027-02'))])).toMatch(/6.1 times/)
    expect(held('amount', monthly([61], '2026-01'), [other(monthly([5], '2025-01'), { rate: 2 })])).toMatch(/6.1 times/)
  })

  it('is judged by the sources with the fewest years between', () => {
    const near = other(monthly([10], '2025-12'), { id: 'NEAR' })
    const far = other(monthly([60], '2015-01'), { id: 'FAR' })
    expect(held('amount', monthly([61], '2026-01'), [far, near])).toMatch(/of NEAR/)
    expect(held('amount', monthly([61], '2026-01'), [near, other(monthly([60], '2026-01'))])).toBeUndefined()
  })
})
