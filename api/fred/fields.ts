/** Query parameters of the FRED-style surface, which FRED calls variables: lists, days and real-time windows. */

import { sortOrders } from '../../contracts/transformations.ts'
import { isDate, latestDay } from '../../domain/day.ts'
import { type DayWindow, OPEN_END } from '../../domain/real-time.ts'
import type { OperationInput } from '../execute.ts'
import { Fields, refusalOf } from '../fields.ts'

const words = { parameter: 'variable', value: 'value of variable' }

export const refused = refusalOf(words)

/** Reads the parameters of an address besides those that every one takes: the key and the form of the answer. */
export const fieldsOf = ({ query }: OperationInput, own: readonly string[]): Fields =>
  new Fields(query, { known: [...own, 'api_key', 'file_type'], words })

function integer(
  fields: Fields,
  name: string,
  { least, most, initial }: { readonly least: number; readonly most: number; readonly initial: number },
): number {
  const value = fields.get(name)
  if (value === undefined) return initial
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (number >= least && number <= most) return number
  throw refused(name, value, `Use an integer from ${least} to ${most}.`)
}

/** The part of a list that is asked for: `most` entries without `limit`, and at most. */
export const listPartOf = (fields: Fields, most: number, initialOrder: (typeof sortOrders)[number] = 'asc') => ({
  limit: integer(fields, 'limit', { least: 1, most, initial: most }),
  offset: integer(fields, 'offset', { least: 0, most: 999_999_999, initial: 0 }),
  order: fields.chosen('sort_order', sortOrders, initialOrder),
})

export function day(fields: Fields, name: string, initial: string): string {
  const value = fields.get(name)
  return value === undefined ? initial : validDay(name, value)
}

function validDay(name: string, value: string): string {
  if (isDate(value)) return value
  throw refused(name, value, 'Use a day of the calendar as YYYY-MM-DD.')
}

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

/** The days of `vintage_dates`, separated by commas: in the order of time, each once; undefined if there are none. */
export function vintageDaysOf(fields: Fields, now: Date): string[] | undefined {
  const given = fields
    .get('vintage_dates')
    ?.split(',')
    .map((each) => validDay('vintage_dates', each))
  for (const each of given ?? []) requireCome('vintage_dates', each, now)
  return given && [...new Set(given)].sort()
}

export function requireCome(name: string, value: string, now: Date): void {
  const { end } = today(now)
  if (value <= end || value === OPEN_END) return
  throw refused(name, value, `The latest day is ${end}; ${OPEN_END} stands for an open end.`)
}

export function observationDays(fields: Fields, startName: string, endName: string): DayWindow {
  const start = day(fields, startName, FIRST_DAY)
  const end = day(fields, endName, OPEN_END)
  return inOrder([startName, endName], { start, end })
}

function inOrder([startName, endName]: readonly [string, string], days: DayWindow): DayWindow {
  if (days.start > days.end) throw refused(startName, days.start, `It is after ${endName}, ${days.end}.`)
  return days
}
