/**
 * The days of the calendar: which of them a week, a month or a list has, and what comes out on each.
 *
 * @import { CalendarEntry } from './bodies.d.ts'
 */
import { dayName, daysName, lastDayOf, periodName, timeUnderDay } from './periods.js'

const DAY_MS = 86_400_000
/** @param {string} day @param {number} by */
export const shiftDay = (day, by) => new Date(Date.parse(day) + by * DAY_MS).toISOString().slice(0, 10)

/**
 * The first and the last day that are shown.
 *
 * @param {string} show `week` begins on Monday
 * @param {string} on a day in it; of a list, the day on which what is to come begins
 */
export function shownDays(show, on) {
  if (show === 'month') return { start: `${on.slice(0, 7)}-01`, end: lastDayOf(on.slice(0, 7)) }
  if (show === 'week') {
    const start = shiftDay(on, -weekday(on))
    return { start, end: shiftDay(start, 6) }
  }
  return { start: shiftDay(on, -45), end: shiftDay(on, 90) }
}

/** Monday is 0. @param {string} day */
export const weekday = (day) => (new Date(day).getUTCDay() + 6) % 7

/** @param {string} start @param {string} end */
export function daysFrom(start, end) {
  const days = [start]
  for (let day = start; day < end; days.push(day)) day = shiftDay(day, 1)
  return days
}

/** `November 2026` or `23 Nov to 29 Nov 2026`. @param {string} show @param {{ start: string, end: string }} range */
export const shownDaysName = (show, { start, end }) =>
  show === 'month'
    ? new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(Date.parse(start))
    : start === end
      ? dayName(start)
      : `${dayName(start)} to ${dayName(end)}`

/**
 * The day under which an entry stands: when it came or should, the last day of a period that was never published, or when
 * it was said that it will not come. Entries without a day are no part of a range.
 *
 * @param {CalendarEntry} entry
 */
export const dayOfEntry = ({ published_on, expected_on, stated_at, status, period }) =>
  published_on ?? expected_on ?? (status === 'never_published' ? lastDayOf(period) : (stated_at ?? '').slice(0, 10))

/** The statuses of entries, in the order in which they are counted. */
export const statuses = ['expected', 'late', 'published', 'cancelled', 'never_published']

/** How many entries there are of each status, in words. @param {readonly CalendarEntry[]} entries */
export const countsText = (entries) =>
  statuses
    .flatMap((name) => {
      const count = entries.filter(({ status }) => status === name).length
      return count > 0 ? [`${count} ${statusWords(name)}`] : []
    })
    .join(', ')

/**
 * Entries by week, each under its Monday.
 *
 * @param {readonly CalendarEntry[]} entries
 */
export const weeksOf = (entries) =>
  Map.groupBy(entries, (entry) => shiftDay(dayOfEntry(entry), -weekday(dayOfEntry(entry))))

/** Entries that a cell of a month shows at most. */
const IN_CELL = 6

/**
 * The entries that a cell of a month shows, in their order: of many, first those that are late, cancelled or never published.
 *
 * @param {readonly CalendarEntry[]} entries of a day
 */
export function firstEntries(entries) {
  const isUsual = (/** @type {CalendarEntry} */ { status }) => status === 'expected' || status === 'published'
  const first = [...entries.filter((entry) => !isUsual(entry)), ...entries.filter(isUsual)].slice(0, IN_CELL)
  return entries.filter((entry) => first.includes(entry))
}

/** A status as a person reads it. @param {string} status */
export const statusWords = (status) => status.replace('_', ' ')

/** What is to be said of the day of a release. @param {CalendarEntry} entry */
export function stateText({ status, days_late, expected_on, expected_on_basis, expected_at }) {
  if (status === 'late') return `late, ${daysName(days_late ?? 0)}`
  if (status !== 'expected') return statusWords(status)
  if (expected_on_basis === 'standard') return 'at the latest, by the IMF’s standard'
  if (expected_on_basis !== 'publisher') return 'day estimated'
  return `announced${expected_at === null ? '' : `, ${timeUnderDay(expected_at, expected_on ?? '')}`}`
}

/**
 * What stands for an entry in its cell of a month: `AUS Mar`, `AUS May late`. A year is said if it is not that of the day.
 *
 * @param {CalendarEntry} entry
 */
export function cellText(entry) {
  const period = periodName(entry.period).replace(` ${dayOfEntry(entry).slice(0, 4)}`, '')
  const state = ['published', 'expected'].includes(entry.status) ? '' : ` ${statusWords(entry.status)}`
  return `${entry.country} ${period}${state}`
}

/**
 * The entries of one release: what a publisher brings out on a day. What differs in what is to be said of the day stands apart.
 *
 * @param {readonly CalendarEntry[]} entries of a day
 */
export const releasesOf = (entries) => [
  ...Map.groupBy(entries, (entry) => `${entry.publisher} ${stateText(entry)}`).values(),
]

/**
 * Late releases by series, the longest wait first: the last entry of each, and what is missing in words.
 *
 * @param {readonly CalendarEntry[]} entries
 */
export const lateSeries = (entries) =>
  [...Map.groupBy(entries, ({ series }) => series).values()]
    .map((own) => {
      const [first, last] = [own[0]?.period ?? '', own.at(-1)?.period ?? '']
      const periods = first === last ? periodName(first) : `${periodName(first)} to ${periodName(last)}`
      return { own, periods, days: own[0]?.days_late ?? 0 }
    })
    .sort((a, b) => b.days - a.days)

/** The title without its period. @param {CalendarEntry} entry */
export const titleOfSeries = ({ title }) => title.slice(0, title.lastIndexOf(', '))

const large = new Intl.NumberFormat('en', { notation: 'compact', compactDisplay: 'long', maximumSignificantDigits: 4 })

/**
 * A figure in its unit, as a person says it: `2.6 %`, `32.48 trillion USD`.
 *
 * @param {string} value
 * @param {string} unit
 */
export function figureText(value, unit) {
  const text = value.replace('-', '−')
  if (unit === 'index') return text
  return unit === 'percent' ? `${text} %` : `${large.format(Number(value)).replace('-', '−')} ${unit}`
}
