import { addDays, daysBetween } from '../../domain/day.ts'

/** Holidays of a publisher, besides Saturdays and Sundays. Days are `YYYY-MM-DD` of the publisher's own calendar. */
export type Holidays = 'none' | 'TARGET'

export function isWorkingDay(day: string, holidays: Holidays): boolean {
  const weekday = new Date(day).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !(holidays === 'TARGET' && isTargetHoliday(day))
}

/** Returns 1 for the first working day of its month, and so on; undefined if the day is no working day. */
export function workingDayOfMonth(day: string, holidays: Holidays): number | undefined {
  if (!isWorkingDay(day, holidays)) return undefined
  const days = Array.from({ length: Number(day.slice(8)) }, (_, before) => addDays(day, -before))
  return days.filter((each) => isWorkingDay(each, holidays)).length
}

/**
 * Days on which TARGET, the payment system of the euro area, is closed; the ECB then publishes no reference rates.
 * Source: https://www.ecb.europa.eu/paym/target/html/index.en.html (the same days since 2002).
 */
function isTargetHoliday(day: string): boolean {
  if (['01-01', '05-01', '12-25', '12-26'].includes(day.slice(5))) return true
  const fromEaster = daysBetween(easterSunday(Number(day.slice(0, 4))), day)
  return fromEaster === -2 || fromEaster === 1
}

/** Day of Easter Sunday, Gregorian calendar. Source: J. Meeus, Astronomical Algorithms, chapter 8. */
export function easterSunday(year: number): string {
  const a = year % 19
  const century = Math.floor(year / 100)
  const c = year % 100
  const g = Math.floor((8 * century + 13) / 25)
  const h = (19 * a + century - Math.floor(century / 4) - g + 15) % 30
  const l = (32 + 2 * (century % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return addDays(`${year}-${String(Math.floor(n / 31)).padStart(2, '0')}-01`, n % 31)
}
