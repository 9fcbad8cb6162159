import { isDate } from '../../../domain/day.ts'
import { instantOfLocalTime } from '../../../domain/time-zone.ts'
import { monthNamed } from '../../read/printed-days.ts'
import { isWorkingDay } from '../../schedule/working-days.ts'

/** A day, `YYYY-MM-DD`, or a sentence for people that says why a text is none. */
type ReferenceDay = { readonly date: string } | { readonly fault: string }

/**
 * Reads the day of a reference rate: `2026-04-13`, or `13 April 2026`, the daily CSV's form. A Saturday or Sunday is a
 * fault, because the ECB publishes rates on TARGET days only. Holidays of TARGET are not: Good Friday and Easter Monday
 * of 1999 have rates.
 */
export function readReferenceDay(text: string): ReferenceDay {
  const [, day = '', month = '', year] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? []
  const date = year === undefined ? text : `${year}-${monthNamed(month)}-${day.padStart(2, '0')}`
  if (!isDate(date)) return { fault: `Not a date: ${JSON.stringify(text)}.` }
  if (!isWorkingDay(date, 'none'))
    return { fault: `${date} is a Saturday or Sunday, and the ECB publishes reference rates on TARGET days only.` }
  return { date }
}

/**
 * Time of observation of a day's (`YYYY-MM-DD`) reference rates: 14:15 in Frankfurt, as UTC in ISO 8601. Central banks
 * agree on the rates about then; the ECB publishes them about 16:00, on TARGET days only.
 * Source: https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/
 */
export const referenceTime = (date: string): string =>
  new Date(instantOfLocalTime(Date.parse(`${date}T14:15:00Z`), 'Europe/Berlin')).toISOString()
