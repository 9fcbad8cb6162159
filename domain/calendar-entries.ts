import type { CalendarEntry } from '../contracts/calendar.ts'
import type { Expect } from './announced-days.ts'
import { type AnsweredSeries, firstPrintOf, type PublicationOf } from './answered-series.ts'
import { type GapFacts, gapOf, gapReason, statedPeriodsOf, statedYears, statementsBehind } from './calendar-gaps.ts'
import type { ReleaseStatement, StatementBoard } from './calendar-statements.ts'
import { needsOf } from './derive/derivations.ts'
import type { FigureBoard } from './figure-board.ts'
import { latest } from './instant.ts'
import { endOfPeriod, yearOf } from './period.ts'
import { endOfPublisherDay, publisherDay } from './publisher-day.ts'
import { daysLate, type ExpectedDay, estimateOf, pendingReleases, publicationOf } from './release-calendar.ts'
import type { ReleaseDatesBoard } from './release-dates.ts'
import type { ReleaseIndex, SeriesRecord } from './release-index.ts'
import { releaseTitle } from './release-title.ts'

/** What an entry has besides what follows from days: from the record of its series, and from prints. */
export type EntryFigures = Pick<
  CalendarEntry,
  'publisher' | 'unit' | 'figure' | 'actual' | 'previous' | 'previous_revised'
>

/** An entry of the calendar without figures, with what its order and its iCalendar event need. */
export type DatedEntry = Omit<CalendarEntry, keyof EntryFigures> & {
  /** Text that sorts as the calendar is read: by day, entries without one last. Each entry has its own. */
  readonly sortKey: string
  /** The day on which it stands in the calendar; null if unknown. */
  readonly day: string | null
  /** When it became what it is now, ISO 8601. It never gets earlier for a figure, as long as clocks agree. */
  readonly changed_at: string
}

const unpublished = { published_on: null, published_on_basis: null, release_id: null } as const
const unstated = { stated_at: null, reason: null } as const

/** What the entries of a series follow from besides its releases. */
export type CalendarFacts = GapFacts & {
  readonly figures: Pick<FigureBoard, 'at' | 'inHistory' | 'withdrawal'>
  readonly statements: Pick<StatementBoard, 'wasExpected'>
  readonly releaseIndex: Pick<ReleaseIndex, 'changedAt'>
  readonly releaseDates: Pick<ReleaseDatesBoard, 'changedAt'>
}

/** A series with all that its entries follow from. */
type Subject = {
  readonly record: AnsweredSeries<SeriesRecord>
  readonly facts: CalendarFacts
  /** The statements behind each period of a year about which there are any. */
  readonly statements: ReadonlyMap<string, readonly ReleaseStatement[]>
}

/**
 * The first prints behind the entries of a series, by year: its own, and those of others after its newest period. A year of
 * which there are only statements has none.
 */
export function firstPrintsByYear(record: AnsweredSeries<SeriesRecord>, facts: CalendarFacts) {
  const years = new Map<string, PublicationOf[]>(statedYears(facts, record.series).map((year) => [year, []]))
  const add = (publication: PublicationOf) => {
    const year = yearOf(publication.period)
    const known = years.get(year)
    if (known) known.push(publication)
    else years.set(year, [publication])
  }
  for (const publication of record.publications) add({ ...publication, seriesId: record.series.id })
  for (const publication of record.later) add(publication)
  return years
}

/**
 * The entries of a series and year that are not pending: publications, and what was cancelled or never published. A release
 * with figures is published, whatever was said of it before. One whose figures were withdrawn is what was said of it, and
 * published if nothing was.
 *
 * They follow from what is recorded of this year and of the one before it, about the indicators behind the series, and from
 * the first prints before. `firstPrints`: those of the year.
 */
export function entriesOfYear(
  record: AnsweredSeries<SeriesRecord>,
  year: string,
  firstPrints: readonly PublicationOf[],
  facts: CalendarFacts,
): DatedEntry[] {
  const find = facts.statements.find.bind(facts.statements)
  const periods = statedPeriodsOf(facts, record.series, year).filter((period) => period >= record.firstPeriod)
  const statements = new Map(periods.map((period) => [period, statementsBehind(find, record.series, period)]))
  const subject = { record, facts, statements }
  const gaps = gapEntries(subject)
  const isGap = new Set(gaps.map(({ period }) => period))
  const publications = firstPrints.map((publication) => answering(subject, publication))
  const onRecord = [...publications, ...arrivals(subject, publications)].filter(({ period }) => !isGap.has(period))
  return [...onRecord.map((publication) => publishedEntry(subject, publication)), ...gaps]
}

/** What entries of every status have. */
function entryOf(
  { record }: Subject,
  period: string,
  expected: ExpectedDay,
  days_late: number | null,
  day: string | null,
) {
  const { id, country, indicator } = record.series
  return {
    title: releaseTitle(indicator, country, period),
    country,
    indicator,
    series: id,
    period,
    ...expected,
    days_late,
    day,
    sortKey: `${day ?? 'unknown'} ${country} ${indicator} ${period}`,
  }
}

/** The figures behind one: itself, and all from which it is computed. */
const figuresBehind = ({ record: { series } }: Subject, period: string) => [
  { indicator: series.indicator, period },
  ...needsOf(series, period),
]

/** When a release that is no longer pending became what it is, by what is on record about the figures behind it. */
function decidedAt(subject: Subject, period: string): string {
  const { record, facts, statements } = subject
  return latest(
    ...figuresBehind(subject, period).map((one) =>
      facts.releaseIndex.changedAt(record.series.country, one.indicator, one.period),
    ),
    ...(statements.get(period) ?? []).map(({ changedAt }) => changedAt),
  )
}

/**
 * When a pending release became what it is. Its day follows from all that is on record about the indicators behind it, also
 * about other periods. So the newest record counts, even if it left this release as it was.
 */
function pendingSince(subject: Subject, period: string): string {
  const { country } = subject.record.series
  const { releaseIndex, releaseDates, statements } = subject.facts
  const indicators = new Set(figuresBehind(subject, period).map(({ indicator }) => indicator))
  return latest(
    ...[...indicators].flatMap((indicator) => [
      releaseIndex.changedAt(country, indicator),
      releaseDates.changedAt(country, indicator),
      ...statements.of(country, indicator).map(({ changedAt }) => changedAt),
    ]),
  )
}

/** When a release was expected that no longer is. */
function wasExpected({ record: { series, publications }, facts }: Subject, period: string): ExpectedDay {
  const estimate = estimateOf(period, publications)
  return facts.statements.wasExpected(series.country, series.indicator, period, estimate)
}

/** What was cancelled or never published. */
function gapEntries(subject: Subject): DatedEntry[] {
  const { record, facts, statements } = subject
  const { series } = record
  return [...statements.keys()].flatMap((period) => {
    const gap = gapOf(facts, series, period)
    if (!gap) return []
    const expected = wasExpected(subject, period)
    // Without an expected day a reader of days, such as the feed, would never see it.
    const otherDay =
      gap.status === 'cancelled' ? publisherDay(series.country, Date.parse(gap.recordedAt)) : endOfPeriod(period)
    return [
      {
        ...entryOf(subject, period, expected, null, expected.expected_on ?? otherDay),
        ...unpublished,
        status: gap.status,
        stated_at: gap.recordedAt,
        reason: gapReason(gap, { indicator: series.indicator, period }),
        changed_at: decidedAt(subject, period),
      },
    ]
  })
}

/** The first print of the series that answers the period: another one if that of the publication has withdrawn its figures. */
function answering({ record, facts }: Subject, publication: PublicationOf): PublicationOf {
  const { country, indicator } = record.series
  const release = facts.figures.at(country, indicator, publication.period)
  if (!release || release.series.id === publication.seriesId) return publication
  const { id } = release.series
  return firstPrintOf(record, id, publication.period) ?? { ...publicationOf(release), seriesId: id }
}

/** Releases that came although they were cancelled or never published, and that are not among the publications. */
function arrivals(
  { record: { series }, facts, statements }: Subject,
  publications: readonly PublicationOf[],
): PublicationOf[] {
  const shown = new Set(publications.map(({ period }) => period))
  return [...statements].flatMap(([period, ofPeriod]) => {
    const isStated = ofPeriod.some((one) => one.status !== null && one.period === period)
    const release = isStated && !shown.has(period) && facts.figures.at(series.country, series.indicator, period)
    return release ? [{ ...publicationOf(release), seriesId: release.series.id }] : []
  })
}

function publishedEntry(subject: Subject, publication: PublicationOf): DatedEntry {
  const { period, released_on, released_on_basis, release_id, seriesId } = publication
  const expected = wasExpected(subject, period)
  return {
    ...entryOf(subject, period, expected, daysLate(expected.expected_on, released_on), released_on),
    ...withdrawn(subject, period),
    series: seriesId,
    status: 'published',
    published_on: released_on,
    published_on_basis: released_on_basis,
    release_id,
    changed_at: decidedAt(subject, period),
  }
}

/** What is said of a figure that was published, and of which nothing is left. */
function withdrawn({ record: { series }, facts: { figures } }: Subject, period: string) {
  const { country, indicator } = series
  const isLeft = figures.inHistory(country, indicator, period) !== undefined
  const release = isLeft ? undefined : figures.withdrawal(country, indicator, period)
  return release ? { stated_at: release.recorded_at, reason: `withdrawn on ${release.released_on}` } : unstated
}

/** The entries of a series that is late or expected next, at `now` (UTC ms). */
export function pendingEntries(
  record: AnsweredSeries<SeriesRecord>,
  now: number,
  expect: Expect,
  facts: CalendarFacts,
): DatedEntry[] {
  const subject = { record, facts, statements: new Map() }
  const today = publisherDay(record.series.country, now)
  const isGap = (period: string) => gapOf(facts, record.series, period) !== undefined
  const pending = pendingReleases(record.lastPeriod, (period) => expect(record, period), today, isGap)
  return pending.map(({ period, days_late, ...expected }) => {
    const { expected_on } = expected
    const lateAt = expected_on && days_late ? endOfPublisherDay(record.series.country, expected_on) : ''
    return {
      ...entryOf(subject, period, expected, days_late, expected_on),
      ...unpublished,
      ...unstated,
      status: days_late ? 'late' : 'expected',
      changed_at: latest(pendingSince(subject, period), lateAt),
    }
  })
}
