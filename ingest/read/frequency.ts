import type { Frequency } from '../../contracts/records.ts'
import { isDate } from '../../domain/day.ts'
import { isPeriodOf, startOfPeriod } from '../../domain/period.ts'

/** Returns the period of a frequency that begins on a date; undefined if none does. */
export function periodBeginning(frequency: Frequency, date: string): string | undefined {
  const [year = '', month = ''] = date.split('-')
  const quarter = `${year}-Q${(Number(month) + 2) / 3}`
  const period = frequency === 'A' ? year : frequency === 'Q' ? quarter : `${year}-${month}`
  return isPeriodOf(frequency, period) && startOfPeriod(period) === date ? period : undefined
}

/** Months from the beginning of one period to that of the next. */
const monthsOf: Readonly<Record<Frequency, number>> = { M: 1, Q: 3, A: 12 }

/**
 * Number of months that divides every distance between the dates: 1 for months, 3 for quarters, 12 for years, also where
 * some are left out. 0 for fewer than two different dates. Texts that are no date are left out.
 */
function monthsApart(dates: Iterable<string>): number {
  let [first, common]: [number | undefined, number] = [undefined, 0]
  for (const date of dates) {
    if (!isDate(date)) continue
    const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7))
    first ??= month
    common = greatestDivisor(common, Math.abs(month - first))
  }
  return common
}

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b))

/** Frequency of a series whose dates are as far apart as these; undefined if they are those of no frequency. */
export function frequencyOfDates(dates: Iterable<string>): Frequency | undefined {
  const months = monthsApart(dates)
  return (['M', 'Q', 'A'] as const).find((frequency) => monthsOf[frequency] === months)
}

/** Fewest dates that show another frequency. Two months a quarter apart may be what is left of a longer list. */
const FEWEST_DATES = 3

/**
 * Returns the months between the dates if every distance is one of longer periods: of quarters or years, where `frequency`
 * is that of months. Undefined if the dates may be of that frequency, with gaps or without, or are too few to tell.
 */
export function monthsOfLongerPeriods(frequency: Frequency, dates: Iterable<string>): number | undefined {
  const different = new Set(Array.from(dates).filter(isDate))
  if (different.size < FEWEST_DATES) return undefined
  const months = monthsApart(different)
  return months > monthsOf[frequency] && months % monthsOf.Q === 0 ? months : undefined
}
