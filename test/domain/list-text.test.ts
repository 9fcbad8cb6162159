import { expect, it } from 'vitest'
import { listText } from '../../domain/list-text.ts'

it('says how many items of a list are not shown, if there are any', () => {
  expect(listText(['a', 'b'], 5)).toBe('a, b, and 3 more')
  expect(listText(['a', 'b'], 3, '; ')).toBe('a; b; and 1 more')
  expect(listText(['a', 'b'], 2)).toBe('a, b')
  expect(listText([], 0)).toBe('')
})
