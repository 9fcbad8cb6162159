import { latestDay } from '../../domain/day-of-knowledge.ts'
import { type DayWindow, OPEN_END } from '../../domain/real-time.ts'
import type { Fields } from '../fields.ts'
import { day, days, refused } from './fields.ts'

/** First day of FRED, by which its clients ask for everything. */
const FIRST_DAY = '1776-07-04'

export const windowFields = ['realtime_start', 'realtime_end'] as const

/** All real-time periods. */
export const allTime: DayWindow = { start: FIRST_DAY, end: OPEN_END }

/** The window of what is known now: the newest day that has come. */
export function today(now: Date): DayWindow {
  const newest = latestDay(now)
  return { start: newest, end: newest }
}

/** The real-time window of a request; `initial` if it names none. Only the open end may lie in the future. */
export function windowOf(fields: Fields, now: Date, initial: DayWindow): DayWindow {
  const end = day(fields, 'realtime_end', initial.end)
  const [earlier = end] = [end, initial.start].sort()
  const start = day(fields, 'realtime_start', earlier)
  requireCome('realtime_start', start, now)
  requireCome('realtime_end', end, now)
  return inOrder(['realtime_start', 'realtime_end'], { start, end })
}

/** The days of `vintage_dates`, in the order of time, each once; undefined if there are none. */
export function vintageDaysOf(fields: Fields, now: Date): string[] | undefined {
  const given = days(fields, 'vintage_dates')
  for (const each of given ?? []) requireCome('vintage_dates', each, now)
  return given && [...new Set(given)].sort()
}

export function requireCome(name: string, value: string, now: Date): void {
  const { end } = today(now)
  if (value <= end || value === OPEN_END) return
  throw refused(name, value, `The latest day is ${end}; ${OPEN_END} stands for an open end.`)
}

/** The days of the observations that are asked for. */
export function observationDays(fields: Fields, startName: string, endName: string): DayWindow {
  const start = day(fields, startName, FIRST_DAY)
  const end = day(fields, endName, OPEN_END)
  return inOrder([startName, endName], { start, end })
}

function inOrder([startName, endName]: readonly [string, string], days: DayWindow): DayWindow {
  if (days.start > days.end) throw refused(startName, days.start, `It is after ${endName}, ${days.end}.`)
  return days
}
