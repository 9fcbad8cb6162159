import type { ReleaseDates } from '../../contracts/release-dates.ts'
import { DocumentError } from '../source.ts'
import type { CalendarRelease, PublisherCalendar } from './calendars.ts'

export type CalendarDate = {
  /** Name or number of the release, as in the table of calendars. */
  readonly release: string
  /** In the publisher's time zone, `YYYY-MM-DD`. */
  readonly day: string
  /** UTC milliseconds; undefined if the calendar states the day only. */
  readonly instant: number | undefined
  /** Location in the document, for people. */
  readonly location: string
}

/** Reads the dates of the releases that `find` knows from the text of a calendar. Throws `DocumentError`. */
export type CalendarReader = (text: string, calendar: PublisherCalendar, find: FindRelease) => Iterable<CalendarDate>

/** Returns the row of a release by its name in the calendar; undefined for a release of which nothing is served. */
export type FindRelease = (name: string) => CalendarRelease | undefined

export type CalendarDates = Pick<ReleaseDates, 'release' | 'covers' | 'dates' | 'times'>

/**
 * Puts the dates of each release in order, in the order of the rows. A repeated date counts once. If one date of a release
 * has no time, all of them are stated as days. Throws `DocumentError`: `bad_date` for a year that no calendar means,
 * `two_times` for two times of a release on one day.
 */
export function datesOfReleases(rows: readonly CalendarRelease[], stated: Iterable<CalendarDate>): CalendarDates[] {
  const all = Map.groupBy(stated, ({ release }) => release)
  return rows.flatMap(({ release, covers }) => {
    const days = new Map<string, CalendarDate>()
    for (const date of all.get(release) ?? []) {
      // A placeholder, such as the year 0 or 9999. A time zone may take it out of the years with four digits.
      if (!/^(?:19|20)\d{2}-/.test(date.day)) {
        const message = `${date.day} is not a day of the years 1900 to 2099.`
        throw new DocumentError('bad_date', message, date.location)
      }
      const first = days.get(date.day)
      if (first?.instant !== undefined && date.instant !== undefined && first.instant !== date.instant) {
        const times = [first, date].map(({ instant = 0 }) => new Date(instant).toISOString()).join(' and ')
        throw new DocumentError('two_times', `${release} has two times on one day: ${times}.`, date.location)
      }
      if (!first || first.instant === undefined) days.set(date.day, date)
    }
    if (days.size === 0) return []
    const ordered = [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
    const times = ordered.flatMap(({ instant }) => (instant === undefined ? [] : [new Date(instant).toISOString()]))
    return [
      {
        release,
        covers: [...covers],
        dates: ordered.map(({ day }) => day),
        times: times.length === ordered.length ? times : [],
      },
    ]
  })
}
