import { expect, it } from 'vitest'
import { shiftPeriod } from '../../../domain/period.ts'
import { judge } from '../../../domain/plausibility/checks.ts'
import { seriesView, type Value } from '../../../domain/plausibility/view.ts'

const record: Value[] = Array.from({ length: 20 }, (_, i) => ({ at: shiftPeriod('2020-01', i), value: 100 + i }))
/** Why a document is held that states the first values on record times some factors. */
const held = (factors: readonly number[]) =>
  judge(
    seriesView(
      'index',
      record.slice(0, factors.length).map(({ at, value }, i) => ({ at, value: value * (factors[i] ?? 1) })),
      record,
    ),
  ).map(({ reason, periods }) => [reason, periods])
const times = (count: number, factor: number): number[] => Array.from({ length: count }, () => factor)
const ofAnotherBase = [['held_base', 'all']]

it('six values of an index at another level are held, and five are not', () => {
  expect(held(times(6, 0.84))).toEqual(ofAnotherBase)
  expect(held(times(5, 0.84))).toEqual([])
})

it('values at another level are held if as many are changed as are repeated', () => {
  expect(held([...times(6, 0.84), ...times(6, 1)])).toEqual(ofAnotherBase)
  expect(held([...times(6, 0.84), ...times(7, 1)])).toEqual([])
})

it('values at another level are held if nine tenths of them have the same ratio', () => {
  expect(held([...times(9, 0.84), 0.9])).toEqual(ofAnotherBase)
  expect(held([...times(8, 0.84), 0.9, 0.9])).toEqual([])
})

it('ratios are the same that differ by less than half a percent', () => {
  expect(held([...times(8, 0.84), 0.84 * 1.004, 0.9])).toEqual(ofAnotherBase)
  expect(held([...times(8, 0.84), 0.84 * 0.996, 0.9])).toEqual(ofAnotherBase)
  expect(held([...times(8, 0.84), 0.84 * 1.006, 0.9])).toEqual([])
  expect(held([...times(8, 0.84), 0.84 * 0.994, 0.9])).toEqual([])
})

it('a revision by less than a percent is no other base', () => {
  expect([1.011, 0.989].map((factor) => held(times(8, factor)))).toEqual([ofAnotherBase, ofAnotherBase])
  expect([1.009, 0.991].map((factor) => held(times(8, factor)))).toEqual([[], []])
})
