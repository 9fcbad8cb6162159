import type { CalendarEntry } from '../contracts/calendar.ts'
import { pendingReleases, publishedReleases, usualLag } from './release-calendar.ts'
import type { SeriesRecord } from './release-ledger.ts'

/** An entry of the calendar, with what its order and its iCalendar event need. */
export type DatedEntry = CalendarEntry & {
  /** Text that sorts as the calendar is read: by day, entries without one last. Each entry has its own. */
  readonly place: string
  /** The day on which it stands in the calendar; null if unknown. */
  readonly day: string | null
  /** When it became what it is now, ISO 8601. */
  readonly changed_at: string
}

/** The entries of a series on the day `today`: its publications, then what is late and what is expected next. */
export function calendarEntries({ series, publications, lastPeriod }: SeriesRecord, today: string): DatedEntry[] {
  const { id, country, indicator } = series
  const entryOf = (own: Pick<CalendarEntry, 'period' | 'expected_on' | 'days_late'>) => ({
    country,
    indicator,
    series: id,
    period: own.period,
    expected_on: own.expected_on,
    expected_on_basis: own.expected_on === null ? null : ('lag' as const),
    days_late: own.days_late,
  })
  const placeOf = (day: string | null, period: string) => `${day ?? 'unknown'} ${country} ${indicator} ${period}`
  const published = publishedReleases(publications).map((publication) => ({
    ...entryOf(publication),
    status: 'published' as const,
    published_on: publication.released_on,
    published_on_basis: publication.released_on_basis,
    release_id: publication.release_id,
    day: publication.released_on,
    place: placeOf(publication.released_on, publication.period),
    changed_at: publication.recorded_at,
  }))
  const newest = publications.at(-1)?.recorded_at ?? ''
  const pending = pendingReleases(lastPeriod, usualLag(publications), today).map((release) => ({
    ...entryOf(release),
    status: release.days_late ? ('late' as const) : ('expected' as const),
    published_on: null,
    published_on_basis: null,
    release_id: null,
    day: release.expected_on,
    place: placeOf(release.expected_on, release.period),
    changed_at: release.expected_on && release.days_late ? later(newest, dayAfter(release.expected_on)) : newest,
  }))
  return [...published, ...pending]
}

const later = (a: string, b: string): string => (a > b ? a : b)
const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString()
