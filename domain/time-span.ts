/**
 * Times as SDMX writes them: `2024`, `2024-01`, `2024-01-15`, `2024-01-15T10:00:00Z`, and reporting periods such as `2024-A1`,
 * `2024-S1`, `2024-T1`, `2024-Q1`, `2024-M01`, `2024-W01` and `2024-D001`.
 * Source: SDMX 2.1, section 6 (technical notes), time formats.
 */

import { addDays, isDate } from './day.ts'
import { endOfPeriod, shiftPeriod } from './period.ts'
import type { MonthRange } from './period-range.ts'

/** First and last day, YYYY-MM-DD. */
export type TimeSpan = { readonly first: string; readonly last: string }

const gregorian = /^(\d{4}(?:-\d\d)?)(-\d\d)?(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?$/
const reporting = /^(\d{4})-([ASTQMWD])(\d{1,3})$/
/** Months of the reporting periods that are made of months. */
const monthsOf: Readonly<Record<string, number>> = { A: 12, S: 6, T: 4, Q: 3, M: 1 }

/** The days of a time; undefined if the text is none. Of an instant it is the day as it is written. */
export function timeSpan(text: string): TimeSpan | undefined {
  const [, year, unit = '', digits] = reporting.exec(text) ?? []
  if (year !== undefined) return reportingSpan(year, unit, Number(digits))
  const [, period = '', day = ''] = gregorian.exec(text) ?? []
  if (day !== '') return isDate(period + day) ? { first: period + day, last: period + day } : undefined
  // An instant has a day.
  if (text !== period || !isDate(`${period.padEnd('YYYY-MM'.length, '-01')}-01`)) return undefined
  return period.length === 4
    ? { first: `${period}-01-01`, last: `${period}-12-31` }
    : { first: `${period}-01`, last: endOfPeriod(period) }
}

function reportingSpan(year: string, unit: string, number: number): TimeSpan | undefined {
  const months = monthsOf[unit]
  if (months !== undefined) {
    const [first, last] = [(number - 1) * months + 1, number * months]
    return number >= 1 && last <= 12 ? { first: `${monthOf(first)}-01`, last: endOfPeriod(monthOf(last)) } : undefined
  }
  if (unit === 'D') {
    const day = addDays(`${year}-01-01`, number - 1)
    return day.startsWith(year) ? { first: day, last: day } : undefined
  }
  // Week 1 has the first Thursday (ISO 8601).
  const thursday = addDays(firstThursday(year), (number - 1) * 7)
  if (!thursday.startsWith(year)) return undefined
  const last = addDays(thursday, 3)
  // The last week ends in the year 10000, which cannot be written.
  return { first: addDays(thursday, -3), last: last.startsWith('+') ? '9999-12-31' : last }

  function monthOf(month: number): string {
    return `${year}-${String(month).padStart(2, '0')}`
  }
}

function firstThursday(year: string): string {
  const weekday = new Date(`${year}-01-01T00:00:00Z`).getUTCDay()
  return addDays(`${year}-01-01`, (4 - weekday + 7) % 7)
}

/** The first and the last month that can be written. No figure is of either. */
const [FIRST_MONTH, LAST_MONTH] = ['0000-01', '9999-12']

/** The months that lie entirely within days; an empty day means no bound. */
export const monthsWithin = ({ first, last }: TimeSpan): MonthRange => ({
  start: first && (first.endsWith('-01') ? monthOf(first) : monthAfter(monthOf(first))),
  end: last && (endOfPeriod(monthOf(last)) === last ? monthOf(last) : monthBefore(monthOf(last))),
})
const monthAfter = (month: string): string => (month === LAST_MONTH ? month : shiftPeriod(month, 1))
const monthBefore = (month: string): string => (month === FIRST_MONTH ? month : shiftPeriod(month, -1))
const monthOf = (day: string): string => day.slice(0, 'YYYY-MM'.length)
