import { ProblemError } from '../contracts/problems.ts'

/** Months from `start` to `end`, inclusive, YYYY-MM. An empty text means no bound. */
export type MonthRange = { readonly start: string; readonly end: string }

/** The range from `start` to `end`, each a year or a month. A year as `start` means its January, as `end` its December. */
export function monthRange(start: string | undefined, end: string | undefined): MonthRange {
  const range = { start: month(start, '01'), end: month(end, '12') }
  if (range.start && range.end && range.start > range.end) {
    throw new ProblemError('invalid_query', `query parameter start: "${start}" is after end "${end}"`)
  }
  return range
}

/** The years that lie entirely within a range of months. */
export const annualRange = ({ start, end }: MonthRange): MonthRange => ({
  start: start.endsWith('-01') || start === '' ? start.slice(0, 4) : year(start, 1),
  end: end.endsWith('-12') || end === '' ? end.slice(0, 4) : year(end, -1),
})

const month = (period: string | undefined, ofYear: string): string =>
  period === undefined || period === '' ? '' : period.length === 4 ? `${period}-${ofYear}` : period

const year = (of: string, by: number): string =>
  String(Math.min(Math.max(Number(of.slice(0, 4)) + by, 0), 9999)).padStart(4, '0')
