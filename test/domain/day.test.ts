import { expect, it } from 'vitest'
import { isDate } from '../../domain/day.ts'

it('a date is a day of the calendar', () => {
  expect(isDate('2024-02-29')).toBe(true)
  for (const text of ['2023-02-29', '2024-2-9', '2024-02-30', '24-02-01', '']) expect(isDate(text), text).toBe(false)
  // Whichever of the two ways tells a day: nothing may stand before or after it.
  for (const day of ['2024-02-05', '2024-12-31'])
    for (const text of [`0${day}`, `${day}0`, `x${day}`, `${day}T00:00`, day.replace('2024', 'year')])
      expect(isDate(text), text).toBe(false)
  for (const month of ['01', '09', '10', '12'])
    for (const day of ['01', '09', '10', '19', '20', '28', '31'])
      expect(isDate(`2024-${month}-${day}`)).toBe(day !== '31' || month !== '09')
  for (const text of ['2024-00-05', '2024-13-05', '2024-05-00', '2024-05-32']) expect(isDate(text), text).toBe(false)
})

it.each(['0000', '1900', '2000', '2023', '2024', '9999'])('the days of %s are those of the calendar', (year) => {
  const two = (number: number) => String(number).padStart(2, '0')
  const texts = Array.from({ length: 14 * 33 }, (_, i) => `${year}-${two(Math.floor(i / 33))}-${two(i % 33)}`)
  const days = texts.filter((text) => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text))
  expect(texts.filter(isDate)).toEqual(days)
})
