import { isDate } from '../../../domain/day.ts'
import { monthNames } from '../shared/months.ts'

const offset = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', timeZoneName: 'longOffset' })

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
export function referenceTime(date: string): string {
  // Summer time changes at night, so the offset at noon UTC is that of the afternoon.
  const zone = offset.formatToParts(new Date(`${date}T12:00:00Z`)).find(({ type }) => type === 'timeZoneName')
  return new Date(`${date}T14:15:00${zone?.value.replace('GMT', '')}`).toISOString()
}
