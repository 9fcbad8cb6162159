import { isPublic, isServed, lackingFigures } from '../contracts/indicators.ts'
import type { CalendarChange, Release, Series } from '../contracts/records.ts'
import type { ReleaseDates } from '../contracts/release-dates.ts'
import { type Expect, expectReleases } from './announced-days.ts'
import { type AnsweredSeries, answeredSeries } from './answered-series.ts'
import { stands, statementsBehind } from './calendar-gaps.ts'
import { type CalendarChanges, noChanges, notifiedDay, statementOn, takeChange } from './calendar-statements.ts'
import { frequencyOf, periodNumber } from './period.ts'
import { countPrint, firstAndLast, type PeriodCounts } from './period-counts.ts'
import { addPeriod, hasPeriod, type PeriodRuns, removePeriod } from './period-runs.ts'
import { isWithdrawn } from './prints.ts'
import { publisherDay, publisherDays } from './publisher-day.ts'
import { notePublication, type Publication, pendingReleases } from './release-calendar.ts'
import { announcedDays, newestReleaseDates, type ReleaseDatesByName, takeReleaseDates } from './release-dates.ts'

/**
 * What the calendar has announced, and what it is to announce next. Releases only say what is missing, and publishers’
 * calendars when it is expected. What was announced follows from the changes of the calendar alone, in their order, so a
 * rebuild that reads one topic after the other ends in the same state.
 */
export type WatchState = CalendarChanges & {
  readonly tracks: Map<string, Track>
  readonly dates: ReleaseDatesByName
  /** What is due on the days that publishers have, until a release or change comes. */
  due: { readonly days: string; readonly found: readonly Found[] } | undefined
}

type Track = {
  readonly series: Series
  readonly publications: Publication[]
  /** Prints of each period of a derived series, which alone can be voided. */
  readonly prints: PeriodCounts | undefined
  /** Periods that have a figure now. */
  readonly present: PeriodRuns
  lastPeriod: string
  recordedAt: string
}
/** A change to be recorded, not before `dueAt` (UTC ms). */
type Found = { readonly dueAt: number; readonly change: Omit<CalendarChange, 'recorded_at'> }

/**
 * Days after an estimated one from which a release is announced as late. The estimate is a median, so half of all
 * releases come after it. A release whose day was announced is late on the next.
 */
export const GRACE_DAYS = 3
/**
 * Time after the newest release of a series, and the newest record of a publisher’s calendar, before its calendar is
 * announced. Until then a history or several calendars may still be loading.
 */
export const QUIET_MS = 30_000
/** Most changes that are returned as due at once. */
const MOST_DUE = 500

export const nothingWatched = (): WatchState => ({
  tracks: new Map(),
  ...noChanges(),
  dates: new Map(),
  due: undefined,
})

export function watchRelease(state: WatchState, release: Release): void {
  const { series, period, recorded_at, redates, voids } = release
  const track = state.tracks.get(series.id) ?? opened(release)
  state.tracks.set(series.id, track)
  const { prints } = track
  const isFirst = prints?.size === 0
  if (prints && redates === null) countPrint(prints, period, voids === null ? 1 : -1)
  if (voids !== null) track.lastPeriod = (prints && firstAndLast(prints)?.last) ?? track.lastPeriod
  else if (isFirst || period > track.lastPeriod) track.lastPeriod = period
  if (recorded_at > track.recordedAt) track.recordedAt = recorded_at
  notePublication(track.publications, release)
  if (!release.late) notePresence(track.present, release)
  state.due = undefined
}

function notePresence(present: PeriodRuns, release: Release): void {
  const { series, period, figures, voids } = release
  const isGone = voids !== null || isWithdrawn(release) || lackingFigures(series.indicator, figures).length > 0
  const change = isGone ? removePeriod : addPeriod
  change(present, periodNumber(series.frequency, period))
}

export function watchDates(state: WatchState, dates: ReleaseDates): void {
  takeReleaseDates(state.dates, dates)
  state.due = undefined
}

const opened = ({ series, period, recorded_at }: Release): Track => ({
  series,
  publications: [],
  prints: series.derivation === '' ? undefined : new Map(),
  present: [],
  lastPeriod: period,
  recordedAt: recorded_at,
})

/** Takes a change from the journal. Returns whether it is news; a repeated one is not. */
export function watchChange(state: WatchState, change: CalendarChange): boolean {
  state.due = undefined
  return takeChange(state, change)
}

/** Whether the release that a change is about has arrived since, from whichever series. */
export function hasArrived({ tracks }: WatchState, { country, indicator, period }: CalendarChange): boolean {
  const frequency = frequencyOf(period)
  const isOfFigure = ({ series }: Track) =>
    series.indicator === indicator && series.country === country && series.frequency === frequency
  return tracks.values().some((track) => track.lastPeriod >= period && isOfFigure(track))
}

/** The changes to record at `now` (UTC ms) or soon after it. */
export function dueChanges(state: WatchState, now: number): readonly Found[] {
  const days = publisherDays(now)
  // Kept, because timers are asked every second.
  if (state.due?.days !== days) {
    const expect = expectReleases(
      state.tracks.values(),
      (country, indicator) => announcedDays(state.dates, country, indicator),
      isGapIn(state),
    )
    const found = [...answeredTracks(state)].flatMap((track) => changesOf(state, track, now, expect))
    state.due = { days, found: found.slice(0, MOST_DUE) }
  }
  return state.due.found
}

/** What answers for each indicator that is served and public. */
function answeredTracks({ tracks }: WatchState): Iterable<AnsweredSeries<Track>> {
  const isShown = ({ series: { country, indicator } }: Track) => isServed(indicator) && isPublic(indicator, country)
  return answeredSeries(tracks.values().filter(isShown)).values()
}

/**
 * Whether a release is a gap by a statement about it, or about one that it is computed from. A statement about a figure that has
 * come all the same says nothing any more, as for REST (`gapOf`).
 */
const isGapIn = (state: WatchState) => {
  const statementWithout = (country: string, indicator: string, period: string) => {
    const statement = statementOn(state.statements, country, indicator, period)
    return statement && !isPresent(state, country, indicator, period) ? statement : undefined
  }
  return (series: Series, period: string) => statementsBehind(statementWithout, series, period).some(stands)
}

/** Whether any series has a figure of that indicator for a period. */
function isPresent({ tracks }: WatchState, country: string, indicator: string, period: string): boolean {
  const frequency = frequencyOf(period)
  const hasIt = ({ series, present }: Track) =>
    series.country === country &&
    series.indicator === indicator &&
    series.frequency === frequency &&
    hasPeriod(present, periodNumber(frequency, period))
  return tracks.values().some(hasIt)
}

function changesOf(state: WatchState, track: AnsweredSeries<Track>, now: number, expect: Expect): Found[] {
  const { notices, dates } = state
  const { series, lastPeriod, recordedAt } = track
  const { country, indicator } = series
  const isGap = (period: string) => isGapIn(state)(series, period)
  const newest = Math.max(Date.parse(recordedAt), Date.parse(newestReleaseDates(dates) || recordedAt))
  const pending = pendingReleases(lastPeriod, (period) => expect(track, period), publisherDay(country, now), isGap)
  return pending.flatMap(({ period, days_late, ...expected }): Found[] => {
    const { expected_on, expected_on_basis } = expected
    const known = notices.get(`${country}/${indicator}/${period}`)
    const isAnnounced = expected_on_basis === 'publisher'
    const isLate = (days_late ?? 0) >= (isAnnounced ? 1 : GRACE_DAYS)
    // When a calendar is read for the first time, the days that have passed are no news.
    const isPast = isAnnounced && !known
    const isNew = isLate
      ? !isPast && !known?.late.includes(expected_on)
      : !days_late && (notifiedDay(known) ?? null) !== expected_on
    if (!isNew) return []
    const change = isLate ? ('late' as const) : ('expected' as const)
    const dueAt = newest + QUIET_MS
    return [{ dueAt, change: { change, country, indicator, period, series: series.id, ...expected, reason: null } }]
  })
}
