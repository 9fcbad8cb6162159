import { isPublic, isServed } from '../contracts/indicators.ts'
import type { CalendarChange, Release, Series } from '../contracts/records.ts'
import { stands, statementsBehind } from './calendar-gaps.ts'
import { type ReleaseStatements, statementOn, takeStatement } from './calendar-statements.ts'
import { notePublication, type Publication, pendingReleases, usualLag } from './release-calendar.ts'
import { compareForServing } from './served-series.ts'

/**
 * What the calendar has announced, and what it is to announce next. Releases only say what is missing. What was
 * announced follows from the changes of the calendar alone, in their order, so a rebuild that reads one topic after the
 * other ends in the same state.
 */
export type WatchState = {
  readonly tracks: Map<string, Track>
  readonly statements: ReleaseStatements
  /** By `COUNTRY/indicator/period`. */
  readonly announced: Map<string, { readonly expectedOn: string | null; readonly isLate: boolean }>
  /** What is due on a day, until a release or change comes. */
  due: { readonly day: string; readonly found: readonly Found[] } | undefined
}

type Track = { readonly series: Series; readonly publications: Publication[]; lastPeriod: string; recordedAt: string }
/** A change to be recorded, not before `dueAt` (UTC ms). */
type Found = { readonly dueAt: number; readonly change: Omit<CalendarChange, 'recorded_at'> }

/**
 * Days after the expected one from which a release is announced as late. The expected day is a median, so half of all
 * releases come after it.
 */
export const GRACE_DAYS = 3
/** Time after the newest release of a series before its calendar is announced. Until then a history may still be loading. */
export const QUIET_MS = 30_000
/** Most changes that are returned as due at once. */
const MOST_DUE = 500

export const nothingWatched = (): WatchState => ({
  tracks: new Map(),
  statements: new Map(),
  announced: new Map(),
  due: undefined,
})

export function watchRelease(state: WatchState, release: Release): void {
  const { series, period, recorded_at } = release
  const track = state.tracks.get(series.id) ?? { series, publications: [], lastPeriod: period, recordedAt: recorded_at }
  state.tracks.set(series.id, track)
  if (period > track.lastPeriod) track.lastPeriod = period
  if (recorded_at > track.recordedAt) track.recordedAt = recorded_at
  notePublication(track.publications, release)
  state.due = undefined
}

/** Takes a change from the journal. Returns whether it is news; a repeated one is not. */
export function watchChange(state: WatchState, change: CalendarChange): boolean {
  state.due = undefined
  const { country, indicator, period, expected_on: expectedOn } = change
  const release = `${country}/${indicator}/${period}`
  const known = state.announced.get(release)
  switch (change.change) {
    case 'cancelled':
    case 'never_published':
      return takeStatement(state.statements, change)
    case 'restored':
      if (!takeStatement(state.statements, change)) return false
      // Subscribers were told of the cancellation since, so they are told again when it is expected.
      state.announced.delete(release)
      return true
    case 'expected':
    case 'late': {
      const isLate = change.change === 'late'
      const isKnown = isLate ? known?.isLate : known?.expectedOn === expectedOn
      if (isKnown || statementOn(state.statements, country, indicator, period)?.status) return false
      state.announced.set(release, { expectedOn, isLate: isLate || (known?.isLate ?? false) })
      return true
    }
    default:
      // A newer node may write changes that this release does not know.
      return false
  }
}

/** Whether the release that a change is about has arrived since. */
export const hasArrived = ({ tracks }: WatchState, { series, period }: CalendarChange): boolean =>
  (tracks.get(series)?.lastPeriod ?? '') >= period

/** The changes to record at `now` (UTC ms) or soon after it. */
export function dueChanges(state: WatchState, now: number): readonly Found[] {
  const day = new Date(now).toISOString().slice(0, 10)
  // Kept, because timers are asked ten times a second.
  if (state.due?.day !== day) {
    const found = servedTracks(state).flatMap((track) => changesOf(state, track, day))
    state.due = { day, found: found.slice(0, MOST_DUE) }
  }
  return state.due.found
}

/** The tracks of the series that are served and public. */
function servedTracks({ tracks }: WatchState): Track[] {
  const best = new Map<string, Track>()
  for (const track of tracks.values()) {
    const { country, indicator, frequency } = track.series
    if (!isServed(indicator) || !isPublic(indicator, country)) continue
    const place = `${country}/${indicator}/${frequency}`
    const other = best.get(place)
    if (!other || compareForServing(track.series, other.series) < 0) best.set(place, track)
  }
  return [...best.values()]
}

const findIn = (statements: ReleaseStatements) => (country: string, indicator: string, period: string) =>
  statementOn(statements, country, indicator, period)

function changesOf({ statements, announced }: WatchState, track: Track, day: string): Found[] {
  const { series, publications, lastPeriod, recordedAt } = track
  const { country, indicator } = series
  const lag = usualLag(publications)
  // What is derived from a cancelled release is not announced either.
  const isOff = (period: string) => statementsBehind(findIn(statements), series, period).some(stands)
  return pendingReleases(lastPeriod, lag, day, isOff).flatMap(({ period, expected_on, days_late }): Found[] => {
    const known = announced.get(`${country}/${indicator}/${period}`)
    const isLate = (days_late ?? 0) >= GRACE_DAYS
    const isNew = isLate ? !known?.isLate : days_late === 0 && known?.expectedOn !== expected_on
    if (!isNew) return []
    const change = isLate ? ('late' as const) : ('expected' as const)
    const dueAt = Date.parse(recordedAt) + QUIET_MS
    return [{ dueAt, change: { change, country, indicator, period, series: series.id, expected_on, reason: null } }]
  })
}
