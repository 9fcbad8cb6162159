import { expect, it } from 'vitest'
import { shiftPeriod } from '../../../domain/period.ts'
import { judge } from '../../../domain/plausibility/checks.ts'
import { seriesView, type Value, type ValueKind } from '../../../domain/plausibility/view.ts'

/** Values of consecutive months. */
const monthly = (values: readonly number[], from = 0): Value[] =>
  values.map((value, i) => ({ at: shiftPeriod('2000-01', from + i), value }))
/** Which of the stated values are held as a long step; an error if any is held for another reason. */
const heldIn = (kind: ValueKind, stated: readonly Value[], record: readonly Value[] = []) =>
  judge(seriesView(kind, stated, record)).flatMap(({ reason, periods }) => {
    expect(reason).toBe('held_jump')
    return stated.flatMap(({ at }, i) => (periods.includes(at) ? [i] : []))
  })

it.each<[ValueKind, longestFall: number, from: number, longestRise: number, by: number]>([
  ['index', 100, 150, 375, 0.1],
  ['amount', 20, 100, 500, 0.1],
  ['price', 20, 100, 500, 0.1],
  ['share', 10, 30, 50, 0.1],
  ['rate', -48, 2, 52, 0.1],
])('the step of a calm %s is held if it is longer than the longest that was measured', (kind, fall, from, rise, by) => {
  const record = monthly([from, from, from])
  const after = (value: number) => heldIn(kind, monthly([value], 3), record)
  expect([fall, rise].map(after)).toEqual([[], []])
  expect([fall - by, rise + by].map(after)).toEqual([[0], [0]])
})

it('is found beside the last value on record, if an earlier one is stated too', () => {
  const record = monthly([...Array.from({ length: 13 }, () => 100), 30])
  const stated = [...monthly([101], 1), ...monthly([160], 14)]
  expect(heldIn('price', stated, record)).toEqual([1])
  expect(heldIn('price', [...monthly([101], 1), ...monthly([140], 14)], record)).toEqual([])
})

it('may correct a value on record at whatever level that is, and may not leave that level', () => {
  const record = monthly([100, 101, 102, 1_000, 1_010, 1_020])
  expect(heldIn('price', monthly([1_005], 3), record)).toEqual([])
  expect(heldIn('price', monthly([1_005], 2), record)).toEqual([0])
})

it('may be new, or the oldest of all, if the next value is on record at its level', () => {
  const [before, after] = [monthly([100, 101]), monthly([1_000, 1_010], 3)]
  expect(heldIn('price', monthly([1_000], 2), [...before, ...after])).toEqual([])
  expect(heldIn('price', monthly([1_000]), monthly([100, 1_000, 1_010]))).toEqual([])
})

it('is judged from the first values on if nothing is on record, of an even number without the last', () => {
  expect(heldIn('price', monthly([100, 1_000]))).toEqual([1])
  expect(heldIn('price', monthly([1_000, 100]))).toEqual([1])
  expect(heldIn('price', monthly([100, 101, 1_000, 1_001]))).toEqual([2, 3])
})

it('of shares and rates may lead to 0', () => {
  expect(heldIn('rate', [...monthly([0], 2), ...monthly([0, 90], 4)], monthly([1, 2, 1, 2]))).toEqual([2])
})

it('is believed where a crisis begins or ends', () => {
  const swings = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 100 : 600))
  const calm = Array.from({ length: 10 }, (_, i) => 100 + i)
  expect(heldIn('amount', monthly([...swings, ...calm]))).toEqual([])
  expect(heldIn('amount', monthly([...calm, 600, ...swings]))).toEqual([])
  expect(heldIn('amount', monthly([...calm, 600, ...calm]))).toEqual([10])
})

it('may be twice as long over a gap as all usual steps in it', () => {
  const record = monthly(Array.from({ length: 13 }, (_, i) => 100 * 1.05 ** i))
  // Twenty months at twice 5 % a month, compounded: seven times.
  const after = (times: number) => heldIn('amount', monthly([100 * 1.05 ** 12 * times], 32), record)
  expect([6.5, 7.6].map(after)).toEqual([[], [0]])
})

it.each<[string, number[], number[]]>([
  ['rises by any factor', [100, 740, 745, 750], []],
  ['rises by about a power of ten', [100, 760, 765, 770], [0]],
  ['rises by a power of ten', [50, 500, 501, 502], [0]],
  ['falls', [100, 30, 31, 32], [0]],
  ['rises, and a later value falls back', [100, 703, 710, 712, 714, 300, 720, 722, 724], [0, 5]],
  ['rises, and a later one rises too', [100, 703, 710, 711, 712, 5_000, 5_010, 5_020], [5, 6, 7]],
])('of an index that %s at its beginning is %j: held are %j', (_, values, held) => {
  expect(heldIn('index', monthly(values))).toEqual(held)
})

it('of a price may not rise by any factor at its beginning', () => {
  expect(heldIn('price', monthly([100, 740, 745, 750]))).toEqual([0])
})
