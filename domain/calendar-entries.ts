import type { CalendarEntry } from '../contracts/calendar.ts'
import type { Expect } from './announced-days.ts'
import { type GapFacts, gapOf, gapReason, statedPeriods, statementsBehind } from './calendar-gaps.ts'
import type { StatementBoard } from './calendar-statements.ts'
import { endOfPeriod } from './period.ts'
import {
  daysLate,
  type ExpectedDay,
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
  /** Number of statements about it and about what it is computed from, and of moves of its expected day. */
  readonly changes: number
  /** Whether it is expected on another day than was last announced. That is announced soon. */
  readonly isMoving: boolean
}

const unpublished = { published_on: null, published_on_basis: null, release_id: null } as const
const unstated = { stated_at: null, reason: null } as const

/** What the entries of a series follow from besides its releases. */
type CalendarFacts = GapFacts & {
  readonly statements: Pick<StatementBoard, 'announced' | 'wasExpected'>
  readonly expect: Expect
  /** When the newest record of a publisher’s calendar was recorded. */
  readonly datesRecordedAt: string
}

/**
 * The entries of a series on the day `today`: its publications, what was cancelled or never published, then what is late
 * and what is expected next. A release with figures is published, whatever was said of it before. One whose figures were
 * withdrawn is what was said of it, and published if nothing was.
 */
export function calendarEntries(record: SeriesRecord, today: string, facts: CalendarFacts): DatedEntry[] {
  const { series, publications, firstPeriod, lastPeriod } = record
  const { id, country, indicator } = series
  const said = new Map(
    statedPeriods(facts, series)
      .filter((period) => period >= firstPeriod)
      .map((period) => [period, statementsBehind(facts.statements.find.bind(facts.statements), series, period)]),
  )
  const announcedOn = (period: string) => facts.statements.announced(country, indicator, period)
  const wasExpected = (period: string, estimate: string | null) =>
    facts.statements.wasExpected(country, indicator, period, estimate)
  const entryOf = (period: string, expected: ExpectedDay, days_late: number | null, day: string | null) => ({
    country,
    indicator,
    series: id,
    period,
    ...expected,
    days_late,
    day,
    place: `${day ?? 'unknown'} ${country} ${indicator} ${period}`,
    changes: (said.get(period) ?? []).reduce((sum, one) => sum + one.changes, announcedOn(period)?.moves ?? 0),
    isMoving: false,
  })
  const before = (period: string) => usualLag(publications.filter((publication) => publication.period < period))
  const shown = new Set(publications.map(({ period }) => period))

  const gaps: DatedEntry[] = []
  const arrived: PublishedRelease[] = []
  for (const [period, statements] of said) {
    const gap = gapOf(facts, series, period)
    if (gap) {
      const expected = wasExpected(period, expectedOn(period, before(period)))
      // Without an expected day a reader of days, such as the feed, would never see it.
      const otherDay = gap.status === 'cancelled' ? gap.recordedAt.slice(0, 10) : endOfPeriod(period)
      gaps.push({
        ...entryOf(period, expected, null, expected.expected_on ?? otherDay),
        ...unpublished,
        status: gap.status,
        stated_at: gap.recordedAt,
        reason: gapReason(gap, { indicator, period }),
        changed_at: gap.recordedAt,
      })
      continue
    }
    const release = shown.has(period) ? undefined : facts.figures.at(country, indicator, period)
    if (release && statements.some((one) => one.status !== null && one.period === period))
      arrived.push(publishedRelease(publicationOf(release), before(period)))
  }
  const isGap = new Set(gaps.map(({ period }) => period))
  const onRecord = [...publishedReleases(publications), ...arrived].filter(({ period }) => !isGap.has(period))
  const published = onRecord.map(
    ({ period, expected_on, released_on, released_on_basis, release_id, recorded_at }): DatedEntry => {
      const expected = wasExpected(period, expected_on)
      return {
        ...entryOf(period, expected, daysLate(expected.expected_on, released_on), released_on),
        ...unstated,
        status: 'published',
        published_on: released_on,
        published_on_basis: released_on_basis,
        release_id,
        changed_at: recorded_at,
      }
    },
  )
  const newest = publications.at(-1)?.recorded_at ?? ''
  const isOff = (period: string) => gapOf(facts, series, period) !== undefined
  const pending = pendingReleases(lastPeriod, (period) => facts.expect(record, period), today, isOff).map(
    ({ period, days_late, ...expected }): DatedEntry => {
      const { expected_on } = expected
      const told = announcedOn(period)
      const isMoving = told !== undefined && told.expected_on !== expected_on
      const movedAt = isMoving ? facts.datesRecordedAt : (told?.movedAt ?? '')
      const since = (said.get(period) ?? []).reduce(
        (at, { recordedAt }) => later(at, recordedAt),
        later(newest, movedAt),
      )
      return {
        ...entryOf(period, expected, days_late, expected_on),
        isMoving,
        ...unpublished,
        ...unstated,
        status: days_late ? 'late' : 'expected',
        changed_at: expected_on && days_late ? later(since, dayAfter(expected_on)) : since,
      }
    },
  )
  return [...published, ...gaps, ...pending]
}

const later = (a: string, b: string): string => (a > b ? a : b)
const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString()
