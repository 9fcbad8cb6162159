import { expect, it } from 'vitest'
import { isDate } from '../../domain/day.ts'

it('a date is a day of the calendar', () => {
  expect(isDate('2024-02-29')).toBe(true)
  for (const text of ['2023-02-29', '2024-2-9', '2024-02-30', '24-02-01', '']) expect(isDate(text), text).toBe(false)
})
