import { expect, it } from 'vitest'
import { shiftPeriod } from '../../../domain/period.ts'
import { judge } from '../../../domain/plausibility/checks.ts'
import { seriesView, type Value } from '../../../domain/plausibility/view.ts'

/** 100, 101, 102 … of consecutive months. */
const months = (count: number, from = 0): Value[] =>
  Array.from({ length: count }, (_, i) => ({ at: shiftPeriod('2020-01', from + i), value: 100 + from + i }))
/** Why figures are held if another indicator has some figures on record. */
const heldBeside = (other: readonly Value[], stated: readonly Value[]) =>
  judge(seriesView('amount', stated, [], { mistakable: () => [{ id: 'OTHER', record: other, rate: 1 }] })).map(
    ({ reason, detail, periods }) => [reason, detail, periods],
  )
/** Figures with some of the first ones a tenth higher. */
const differing = (count: number, values: readonly Value[]): Value[] =>
  values.map(({ at, value }, i) => ({ at, value: i < count ? value * 1.1 : value }))

it('eight figures of another indicator are held, and seven are not', () => {
  expect(heldBeside(months(8), months(8))).toEqual([
    ['held_contradiction', '8 of 8 figures are those of OTHER.', 'all'],
  ])
  expect(heldBeside(months(7), months(7))).toEqual([])
  expect(heldBeside(months(7), months(8))).toEqual([])
})

it('figures are held if 95 % of those that both have are the same', () => {
  expect(heldBeside(months(20), differing(1, months(20)))).toEqual([
    ['held_contradiction', '19 of 20 figures are those of OTHER.', 'all'],
  ])
  expect(heldBeside(months(20), differing(2, months(20)))).toEqual([])
})

it('figures of periods that the other indicator does not have count for nothing', () => {
  expect(heldBeside(months(8, 12), months(30))).toEqual([
    ['held_contradiction', '8 of 8 figures are those of OTHER.', 'all'],
  ])
})
