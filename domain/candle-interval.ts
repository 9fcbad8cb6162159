import type { CandleInterval } from '../contracts/candles.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Monday, 5 January 1970: weeks begin on Mondays. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** Intervals of equal length: `width` in milliseconds, and the begin of interval number 0, UTC milliseconds. */
type EvenInterval = { readonly width: number; readonly origin: number }

const even: Readonly<Record<Exclude<CandleInterval, '1M'>, EvenInterval>> = {
  '1m': { width: MINUTE_MS, origin: 0 },
  '5m': { width: 5 * MINUTE_MS, origin: 0 },
  '15m': { width: 15 * MINUTE_MS, origin: 0 },
  '30m': { width: 30 * MINUTE_MS, origin: 0 },
  '1h': { width: HOUR_MS, origin: 0 },
  '4h': { width: 4 * HOUR_MS, origin: 0 },
  '1d': { width: DAY_MS, origin: 0 },
  '1w': { width: 7 * DAY_MS, origin: FIRST_MONDAY_MS },
}

/** The width and origin of an interval; undefined for months, which differ in length and are numbered from year 0 on. */
export const evenInterval = (interval: CandleInterval): EvenInterval | undefined =>
  interval === '1M' ? undefined : even[interval]

/** Number of the interval in which an instant (UTC milliseconds) lies. */
export function intervalNumber(interval: CandleInterval, at: number): number {
  const same = evenInterval(interval)
  if (same) return Math.floor((at - same.origin) / same.width)
  const date = new Date(at)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** Begin of an interval by its number, UTC milliseconds. */
export function intervalStart(interval: CandleInterval, number: number): number {
  const same = evenInterval(interval)
  if (same) return same.origin + number * same.width
  // Date.UTC takes the years 0 to 99 for 1900 to 1999.
  return new Date(0).setUTCFullYear(Math.floor(number / 12), ((number % 12) + 12) % 12, 1)
}

/** Numbers of the intervals that begin within a range of instants, UTC milliseconds: those from `from` on and before `to`. */
export const intervalsWithin = (interval: CandleInterval, first: number, last: number) => ({
  from: firstIntervalFrom(interval, first),
  to: intervalNumber(interval, last) + 1,
})

/** Number of the first interval that begins at or after an instant. */
export function firstIntervalFrom(interval: CandleInterval, at: number): number {
  const number = intervalNumber(interval, at)
  return intervalStart(interval, number) < at ? number + 1 : number
}
