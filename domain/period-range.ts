import type { Frequency } from '../contracts/records.ts'
import { endOfPeriod, frequencyOf, shiftPeriod, startOfPeriod, yearOf } from './period.ts'

/** Months from `start` to `end`, inclusive, YYYY-MM. An empty text means no bound. */
export type MonthRange = { readonly start: string; readonly end: string }

/**
 * The months from `start` to `end`, each a year, a quarter or a month: from the first month of `start` to the last month of
 * `end`.
 */
export const monthRange = (start: string | undefined, end: string | undefined): MonthRange => ({
  start: start ? startOfPeriod(start).slice(0, 7) : '',
  end: end ? endOfPeriod(end).slice(0, 7) : '',
})

/**
 * Bounds, as text, of the periods of a frequency that lie entirely within a range of months; empty: no bound. A bound need not
 * be a period itself: `2024-Q5` lies between 2024-Q4 and 2025-Q1, and `2024-02` between 2024 and 2025.
 */
export function periodsWithin(frequency: Frequency, { start, end }: MonthRange): MonthRange {
  if (frequency === 'M') return { start, end }
  return frequency === 'A'
    ? { start: start.replace(/-01$/, ''), end: end.endsWith('-12') ? yearOf(end) : beforeYear(end) }
    : { start: start && quarter(start, Math.ceil((number(start) + 2) / 3)), end: end && quarter(end, number(end) / 3) }
}

const number = (month: string): number => Number(month.slice(5))
const quarter = (month: string, which: number): string => `${yearOf(month)}-Q${Math.floor(which)}`
const beforeYear = (month: string): string => month && `${String(Number(yearOf(month)) - 1).padStart(4, '0')}-12`

/** Month before which nothing is needed to compute a range from `start` (YYYY-MM) that looks so far back; empty: no bound. */
export function monthToReadFrom(start: string, monthsBack: number): string {
  const isMonth = frequencyOf(start) === 'M'
  return isMonth && Number(start.slice(0, 4)) * 12 > monthsBack ? shiftPeriod(start, -monthsBack) : ''
}
