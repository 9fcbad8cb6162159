import { isDate } from '../../../domain/day.ts'
import { monthNames } from './months.ts'

/** Day of `March 30, 2023`; undefined for anything else. */
export function dayOfEnglishDate(text: string): string | undefined {
  const [, name = '', day = '', year = ''] = /^([A-Z][a-z]+) (\d{1,2}), (\d{4})$/.exec(text) ?? []
  const month = monthNames.indexOf(name) + 1
  return dayOrNone(`${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`)
}

/** Day of `30/03/2023`, `30-03-2023` and `2023-03-30`; undefined for anything else. */
export const dayOfEuropeanDate = (text: string): string | undefined =>
  dayOrNone(text.replace(/^(\d{2})([/-])(\d{2})\2(\d{4})$/, '$4-$3-$1'))

const dayOrNone = (date: string): string | undefined => (isDate(date) ? date : undefined)
