import type { CalendarEntry } from '../contracts/calendar.ts'
import type { Release } from '../contracts/records.ts'
import type { ReleaseStatement } from './calendar-statements.ts'
import { frequencyOf } from './period.ts'
import {
  expectedOn,
  type PublishedRelease,
  pendingReleases,
  publicationOf,
  publishedRelease,
  publishedReleases,
  usualLag,
} from './release-calendar.ts'
import type { SeriesRecord } from './release-ledger.ts'

/** An entry of the calendar, with what its order and its iCalendar event need. */
export type DatedEntry = CalendarEntry & {
  /** Text that sorts as the calendar is read: by day, entries without one last. Each entry has its own. */
  readonly place: string
  /** The day on which it stands in the calendar; null if unknown. */
  readonly day: string | null
  /** When it became what it is now, ISO 8601. */
  readonly changed_at: string
  /** Number of times that it was cancelled or restored. */
  readonly statements: number
}

/** What else is known of the releases of a series. */
type Known = {
  /** What operators have said of its country and indicator. */
  readonly statements: readonly ReleaseStatement[]
  /** The release on record of a period, if any. */
  readonly releaseOf: (period: string) => Release | undefined
}

const unpublished = { published_on: null, published_on_basis: null, release_id: null } as const
const uncancelled = { cancelled_at: null, cancelled_reason: null } as const

/**
 * The entries of a series on the day `today`: its publications, what was cancelled, then what is late and what is
 * expected next. A release on record is published, whatever was said of it before.
 */
export function calendarEntries(
  { series: { id, country, indicator, frequency }, publications, lastPeriod }: SeriesRecord,
  today: string,
  { statements, releaseOf }: Known,
): DatedEntry[] {
  const said = new Map(statements.filter(({ period }) => frequencyOf(period) === frequency).map((s) => [s.period, s]))
  const entryOf = (period: string, expected_on: string | null, days_late: number | null, day: string | null) => ({
    country,
    indicator,
    series: id,
    period,
    expected_on,
    expected_on_basis: expected_on === null ? null : ('lag' as const),
    days_late,
    day,
    place: `${day ?? 'unknown'} ${country} ${indicator} ${period}`,
    statements: said.get(period)?.changes ?? 0,
  })
  const before = (period: string) => usualLag(publications.filter((publication) => publication.period < period))
  const shown = new Set(publications.map(({ period }) => period))

  const cancelled: DatedEntry[] = []
  const arrived: PublishedRelease[] = []
  for (const { period, isCancelled, recordedAt, reason } of said.values()) {
    if (!isCancelled || shown.has(period)) continue
    const release = releaseOf(period)
    if (release) arrived.push(publishedRelease(publicationOf(release), before(period)))
    else {
      const expected_on = expectedOn(period, before(period))
      cancelled.push({
        // Without an expected day a reader of days, such as the feed, would never see the cancellation.
        ...entryOf(period, expected_on, null, expected_on ?? recordedAt.slice(0, 10)),
        ...unpublished,
        status: 'cancelled',
        cancelled_at: recordedAt,
        cancelled_reason: reason,
        changed_at: recordedAt,
      })
    }
  }
  const published = [...publishedReleases(publications), ...arrived].map(
    ({ period, expected_on, days_late, released_on, released_on_basis, release_id, recorded_at }): DatedEntry => ({
      ...entryOf(period, expected_on, days_late, released_on),
      ...uncancelled,
      status: 'published',
      published_on: released_on,
      published_on_basis: released_on_basis,
      release_id,
      changed_at: recorded_at,
    }),
  )
  const newest = publications.at(-1)?.recorded_at ?? ''
  const isOff = (period: string) => said.get(period)?.isCancelled ?? false
  const pending = pendingReleases(lastPeriod, usualLag(publications), today, isOff).map(
    ({ period, expected_on, days_late }): DatedEntry => {
      const since = later(newest, said.get(period)?.recordedAt ?? '')
      return {
        ...entryOf(period, expected_on, days_late, expected_on),
        ...unpublished,
        ...uncancelled,
        status: days_late ? 'late' : 'expected',
        changed_at: expected_on && days_late ? later(since, dayAfter(expected_on)) : since,
      }
    },
  )
  return [...published, ...cancelled, ...pending]
}

const later = (a: string, b: string): string => (a > b ? a : b)
const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString()
