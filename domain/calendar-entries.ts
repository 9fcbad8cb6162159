import type { CalendarEntry } from '../contracts/calendar.ts'
import type { Expect } from './announced-days.ts'
import { type GapFacts, gapOf, gapReason, statedPeriods, statementsBehind } from './calendar-gaps.ts'
import { isOtherDay, type ReleaseStatement, type StatementBoard } from './calendar-statements.ts'
import { endOfPeriod } from './period.ts'
import {
  addDays,
  daysLate,
  type ExpectedDay,
  estimateOf,
  type Publication,
  pendingReleases,
  publicationOf,
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
  readonly statements: Pick<StatementBoard, 'notices' | 'wasExpected'>
  readonly expect: Expect
  /** When the newest record of a publisher’s calendar was recorded. */
  readonly datesRecordedAt: string
}

/** A series with all that its entries follow from. */
type Subject = {
  readonly record: SeriesRecord
  readonly facts: CalendarFacts
  /** The statements behind each period about which there are any. */
  readonly said: ReadonlyMap<string, readonly ReleaseStatement[]>
}

/**
 * The entries of a series on the day `today`: its publications, what was cancelled or never published, then what is late
 * and what is expected next. A release with figures is published, whatever was said of it before. One whose figures were
 * withdrawn is what was said of it, and published if nothing was.
 */
export function calendarEntries(record: SeriesRecord, today: string, facts: CalendarFacts): DatedEntry[] {
  const find = facts.statements.find.bind(facts.statements)
  const periods = statedPeriods(facts, record.series).filter((period) => period >= record.firstPeriod)
  const said = new Map(periods.map((period) => [period, statementsBehind(find, record.series, period)]))
  const subject = { record, facts, said }
  const gaps = gapEntries(subject)
  const isGap = new Set(gaps.map(({ period }) => period))
  const onRecord = [...record.publications, ...arrivals(subject)].filter(({ period }) => !isGap.has(period))
  const published = onRecord.map((publication) => publishedEntry(subject, publication))
  return [...published, ...gaps, ...pendingEntries(subject, today)]
}

/** What entries of every status have. */
function entryOf(
  { record, facts, said }: Subject,
  period: string,
  expected: ExpectedDay,
  days_late: number | null,
  day: string | null,
) {
  const { id, country, indicator } = record.series
  const moves = facts.statements.notices(country, indicator, period)?.moves ?? 0
  return {
    country,
    indicator,
    series: id,
    period,
    ...expected,
    days_late,
    day,
    place: `${day ?? 'unknown'} ${country} ${indicator} ${period}`,
    changes: (said.get(period) ?? []).reduce((sum, one) => sum + one.changes, moves),
    isMoving: false,
  }
}

/** When a release was expected that no longer is. */
function wasExpected({ record: { series, publications }, facts }: Subject, period: string): ExpectedDay {
  const estimate = estimateOf(period, publications)
  return facts.statements.wasExpected(series.country, series.indicator, period, estimate)
}

/** What was cancelled or never published. */
function gapEntries(subject: Subject): DatedEntry[] {
  const { record, facts, said } = subject
  const { series } = record
  return [...said.keys()].flatMap((period) => {
    const gap = gapOf(facts, series, period)
    if (!gap) return []
    const expected = wasExpected(subject, period)
    // Without an expected day a reader of days, such as the feed, would never see it.
    const otherDay = gap.status === 'cancelled' ? gap.recordedAt.slice(0, 10) : endOfPeriod(period)
    return [
      {
        ...entryOf(subject, period, expected, null, expected.expected_on ?? otherDay),
        ...unpublished,
        status: gap.status,
        stated_at: gap.recordedAt,
        reason: gapReason(gap, { indicator: series.indicator, period }),
        changed_at: gap.recordedAt,
      },
    ]
  })
}

/** Releases that came although they were cancelled or never published, and that are not among the publications. */
function arrivals({ record: { series, publications }, facts, said }: Subject): Publication[] {
  const shown = new Set(publications.map(({ period }) => period))
  return [...said].flatMap(([period, statements]) => {
    const isStated = statements.some((one) => one.status !== null && one.period === period)
    const release = isStated && !shown.has(period) && facts.figures.at(series.country, series.indicator, period)
    return release ? [publicationOf(release)] : []
  })
}

function publishedEntry(subject: Subject, publication: Publication): DatedEntry {
  const { period, released_on, released_on_basis, release_id, recorded_at } = publication
  const expected = wasExpected(subject, period)
  return {
    ...entryOf(subject, period, expected, daysLate(expected.expected_on, released_on), released_on),
    ...unstated,
    status: 'published',
    published_on: released_on,
    published_on_basis: released_on_basis,
    release_id,
    changed_at: recorded_at,
  }
}

/** What is late, and what is expected next. */
function pendingEntries(subject: Subject, today: string): DatedEntry[] {
  const { record, facts, said } = subject
  const { series, publications, lastPeriod } = record
  const newest = publications.at(-1)?.recorded_at ?? ''
  const isOff = (period: string) => gapOf(facts, series, period) !== undefined
  const pending = pendingReleases(lastPeriod, (period) => facts.expect(record, period), today, isOff)
  return pending.map(({ period, days_late, ...expected }) => {
    const { expected_on } = expected
    const told = facts.statements.notices(series.country, series.indicator, period)
    const isMoving = isOtherDay(told, expected_on)
    const movedAt = isMoving ? facts.datesRecordedAt : (told?.movedAt ?? '')
    const stated = (said.get(period) ?? []).map(({ recordedAt }) => recordedAt)
    const lateAt = expected_on && days_late ? `${addDays(expected_on, 1)}T00:00:00.000Z` : ''
    return {
      ...entryOf(subject, period, expected, days_late, expected_on),
      isMoving,
      ...unpublished,
      ...unstated,
      status: days_late ? 'late' : 'expected',
      changed_at: [newest, movedAt, ...stated, lateAt].sort().at(-1) ?? '',
    }
  })
}
