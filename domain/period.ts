import type { Frequency } from '../contracts/records.ts'

/** Periods are strings: `2025`, `2025-Q3`, `2025-09`. Within one frequency they sort as text. */

const shapes: Readonly<Record<Frequency, RegExp>> = {
  A: /^\d{4}$/,
  Q: /^\d{4}-Q[1-4]$/,
  M: /^\d{4}-(?:0[1-9]|1[0-2])$/,
}
export const periodsAYear: Readonly<Record<Frequency, number>> = { A: 1, Q: 4, M: 12 }

/** The frequency of a period, told by its shape; undefined if the text is no period. */
export const frequencyOf = (period: string): Frequency | undefined =>
  shapes.M.test(period) ? 'M' : shapes.Q.test(period) ? 'Q' : shapes.A.test(period) ? 'A' : undefined

/**
 * Whether a figure can be of this period. The years 0000 and 9999 are mistakes of its source, or stand for no period, and none
 * follows the latter; a question may name them all the same.
 */
export const isPeriodOf = (frequency: Frequency, period: string): boolean =>
  shapes[frequency].test(period) && !/^(?:0000|9999)/.test(period)

export const yearOf = (period: string): string => period.slice(0, 4)

/** Number of the period within its year, from 1. */
export const positionInYear = (period: string): number => Number(period.replace('Q', '').slice(5) || '1')

/** Number of the period among all of its frequency, from the year 0. */
export const periodNumber = (frequency: Frequency, period: string): number =>
  Number(yearOf(period)) * periodsAYear[frequency] + positionInYear(period) - 1

/** The period among `known` that is fewest periods away, and the later of two equally near. All are of `frequency`. */
export function nearestPeriod(frequency: Frequency, period: string, known: readonly string[]): string | undefined {
  const distance = (other: string) => Math.abs(periodNumber(frequency, other) - periodNumber(frequency, period))
  return known.toSorted((a, b) => distance(a) - distance(b) || (a < b ? 1 : -1))[0]
}

/** The period `by` steps later (earlier if negative), at its own frequency. */
export function shiftPeriod(period: string, by: number): string {
  const frequency = frequencyOf(period)
  if (!frequency) throw new RangeError(`not a period: ${JSON.stringify(period)}`)
  const index = periodNumber(frequency, period) + by
  return periodAt(frequency, Math.floor(index / periodsAYear[frequency]), (index % periodsAYear[frequency]) + 1)
}

const periodAt = (frequency: Frequency, year: number, number: number): string => {
  const y = String(year).padStart(4, '0')
  return frequency === 'A' ? y : frequency === 'Q' ? `${y}-Q${number}` : `${y}-${String(number).padStart(2, '0')}`
}

export const yearBefore = (period: string): string =>
  `${String(Number(yearOf(period)) - 1).padStart(4, '0')}${period.slice(4)}`

/** All periods of `frequency` in a year, in order. */
export const periodsOfYear = (frequency: Frequency, year: string): string[] =>
  Array.from({ length: periodsAYear[frequency] }, (_, i) => periodAt(frequency, Number(year), i + 1))

/** First day of the period, `YYYY-MM-DD`. */
export function startOfPeriod(period: string): string {
  const frequency = frequencyOf(period)
  if (frequency === 'M') return `${period}-01`
  const month = frequency === 'Q' ? (positionInYear(period) - 1) * 3 + 1 : positionInYear(period)
  return `${yearOf(period)}-${String(month).padStart(2, '0')}-01`
}

/** The period of a frequency in which a day, `YYYY-MM-DD`, lies. */
export const periodOfDay = (frequency: Frequency, day: string): string =>
  periodAt(frequency, Number(yearOf(day)), Math.ceil((Number(day.slice(5, 7)) * periodsAYear[frequency]) / 12))

/** Last day of the period, `YYYY-MM-DD`. */
export function endOfPeriod(period: string): string {
  const frequency = frequencyOf(period)
  if (!frequency) throw new RangeError(`not a period: ${JSON.stringify(period)}`)
  const year = yearOf(period)
  const month = (positionInYear(period) * 12) / periodsAYear[frequency]
  // The calendar repeats after 400 years, and Date.UTC takes the years before 100 for others.
  const day = new Date(Date.UTC(2000 + (Number(year) % 400), month, 0)).getUTCDate()
  return `${year}-${String(month).padStart(2, '0')}-${day}`
}

/** How many periods of the same frequency have ended before a day (YYYY-MM-DD), after one. */
export function periodsEndedSince(period: string, day: string): number {
  let count = 0
  for (let next = shiftPeriod(period, 1); endOfPeriod(next) < day; next = shiftPeriod(next, 1)) count++
  return count
}
