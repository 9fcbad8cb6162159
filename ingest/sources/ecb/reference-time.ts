import { isDate } from '../../../domain/day.ts'
import { instantOfLocalTime } from '../../../domain/time-zone.ts'
import { monthNames } from '../shared/months.ts'

/** Returns `2026-04-13` for itself and for `13 April 2026`, the daily CSV's form; undefined for any other text. */
export function readDate(text: string): string | undefined {
  const [, day = '', month = '', year] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? []
  const number = monthNames.indexOf(month) + 1
  const date = year === undefined ? text : `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(date) ? date : undefined
}

/**
 * Time of observation of a day's (`YYYY-MM-DD`) reference rates: 14:15 in Frankfurt, as UTC in ISO 8601. Central banks
 * agree on the rates about then; the ECB publishes them about 16:00, on TARGET days only.
 * Source: https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/
 */
export const referenceTime = (date: string): string =>
  new Date(instantOfLocalTime(Date.parse(`${date}T14:15:00Z`), 'Europe/Berlin')).toISOString()
