import { expect, it } from 'vitest'
import { noticed, unnoticed } from './planted.ts'

it('a planted function is tested at each of its bounds', () => {
  const pairs = [
    [1, 2],
    [2, 2],
    [9, 10],
    [3, 2],
  ] as const
  expect(pairs.map(([a, b]) => noticed(a, b))).toEqual([true, false, false, false])
})

it('a planted function is called, and its answer is not looked at', () => {
  expect(typeof unnoticed(1)).toBe('boolean')
})
