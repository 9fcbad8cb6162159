import { isDate, latestDay } from './day.ts'

/** The day of an address `/asof/{day}`: what came later does not exist there. */

/**
 * The clock of a day, UTC: the last instant at which no place on earth has a later date. The publishers’ own dates are then
 * that day nearly everywhere, so ages and delays are those of the day.
 */
export const clockOf = (day: string): Date => new Date(`${day}T09:59:59.999Z`)

/** The end of a day, exclusive: UTC milliseconds. Prices are as of it by their own time. */
export const endOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) + 86_400_000

/** Why a text is no day that can be asked for, in words that follow its name; undefined if it is one. */
export function faultOfDay(text: string, now: Date): string | undefined {
  if (!isDate(text)) return 'is no day, which is written YYYY-MM-DD'
  const latest = latestDay(now)
  return text > latest ? `is in the future; the latest day is ${latest}` : undefined
}
