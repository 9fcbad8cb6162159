import { type ExpectedOnBasis, endedUndatedDays } from '../contracts/catalog.ts'
import type { Release, ReleasedOnBasis } from '../contracts/records.ts'
import { addDays, daysBetween } from './day.ts'
import { firstIndex } from './first-index.ts'
import { median } from './median.ts'
import { endOfPeriod, frequencyOf, shiftPeriod } from './period.ts'
import { isWithdrawn } from './prints.ts'

/**
 * When figures were first published, and when the next ones are expected. Without an announcement of the publisher
 * (announced-days.ts) the expected day is an estimate: the end of the period and the usual lag of the series, which is
 * the median of its latest first prints.
 */

/** The first print of the newest period of a series on a day. */
export type Publication = {
  readonly period: string
  readonly release_id: string
  readonly released_on: string
  readonly released_on_basis: ReleasedOnBasis
}

/** Dated first prints that a usual lag needs. One or two may be the days on which a whole dataset was updated. */
const LEAST_DATED = 3
/** Bases of a date that is that of a publication. A copy may have been made long after it. */
const datedBy: ReadonlySet<ReleasedOnBasis> = new Set(['publisher', 'dataset'])
/** First prints that a usual lag is the median of, because a publisher's habits change over the years. */
const MOST_DATED = 24
/** Days, about two years. A series whose next figure is later than that has probably ended. */
const ENDED_DAYS = 731

/**
 * Adds a release to the publications of its series, in the order of periods and of dates, in place. Only first prints count, and
 * of a period the earliest on record: a print that was read first is none once an earlier one is known, also if its date is
 * bettered afterwards. Of several periods that have one date, only the newest counts, because the earlier ones came out before: a
 * dataset that is read for the first time has its whole past under one date. The exception is the publisher's own date of later
 * first prints, which is each period's true one. One that is voided never was: a first print that is true follows it.
 */
export function notePublication(publications: Publication[], release: Release): void {
  const { period, revises, released_on, released_on_basis, voids } = release
  if (voids !== null) {
    const untrue = publications.findIndex(({ release_id }) => release_id === voids)
    if (untrue >= 0) publications.splice(untrue, 1)
    return
  }
  if (revises !== null || isWithdrawn(release)) return
  let index = publications.length
  while ((publications[index - 1]?.period ?? '') >= period) index--
  const known = publications[index]
  const isKnown = known?.period === period
  if (isKnown && known.released_on < released_on && known.release_id !== release.redates) return
  const next = publications[isKnown ? index + 1 : index]
  // Two dates in the wrong order: that of the earlier period is not that of a first print.
  if (next && next.released_on < released_on) return
  let before = index
  while ((publications[before - 1]?.released_on ?? '') > released_on) before--
  const isOwnDate = released_on_basis === 'publisher' && before > 1
  if (publications[before - 1]?.released_on === released_on && !isOwnDate) before--
  const isNextAlone = next?.released_on === released_on && (next.released_on_basis !== 'publisher' || before === 0)
  const added = isNextAlone ? [] : [publicationOf(release)]
  publications.splice(before, index - before + (isKnown ? 1 : 0), ...added)
}

/** Whether the date of a publication is the day on which it came out, and not a later one on which it was found. */
export const isDated = ({ released_on_basis }: Publication): boolean => datedBy.has(released_on_basis)

/**
 * Days from the end of a period to its first print, as the latest dated of the first `count` publications had it: their
 * median, and the longer one of two in the middle. Undefined if fewer than three are dated by the publisher or the dataset.
 */
export function usualLag(publications: readonly Publication[], count = publications.length): number | undefined {
  const lags: number[] = []
  for (let i = count - 1; i >= 0 && lags.length < MOST_DATED; i--) {
    const publication = publications[i]
    if (publication && isDated(publication))
      lags.push(daysBetween(endOfPeriod(publication.period), publication.released_on))
  }
  return lags.length < LEAST_DATED ? undefined : median(lags)
}

/** Number of publications before a period: they are in the order of periods. */
const countBefore = (period: string, publications: readonly Publication[]): number =>
  firstIndex(publications.length, (i) => (publications[i]?.period ?? '') < period)

/** The day on which a period's figure is expected, `YYYY-MM-DD`; null if the usual lag is unknown. */
export const expectedOn = (period: string, lag: number | undefined): string | null =>
  lag === undefined ? null : addDays(endOfPeriod(period), lag)

/** The day on which a period's figure was expected by what was published before it; null if no lag was known then. */
export const estimateOf = (period: string, publications: readonly Publication[]): string | null =>
  expectedOn(period, usualLag(publications, countBefore(period, publications)))

/** Whole days by which something is late on a day; 0 up to the expected day, null if that is unknown. */
export const daysLate = (expected: string | null, on: string): number | null =>
  expected === null ? null : Math.max(0, daysBetween(expected, on))

/** When a release is expected. All members are null if that is unknown. */
export type ExpectedDay = {
  readonly expected_on: string | null
  /** The instant, ISO 8601 UTC; null if it was not announced. */
  readonly expected_at: string | null
  readonly expected_on_basis: ExpectedOnBasis | null
}

export const unknownDay: ExpectedDay = { expected_on: null, expected_at: null, expected_on_basis: null }

/** The day of an estimate by the usual lag. */
export const estimatedDay = (expected_on: string | null): ExpectedDay =>
  expected_on === null ? unknownDay : { expected_on, expected_at: null, expected_on_basis: 'lag' }

/**
 * Whether a series has probably ended, by its next period and the day on which that is expected: it is more than two years
 * late, or, if no day is known, the period is over for half a year (a month), three quarters or two years.
 */
export function hasEnded(nextPeriod: string, expected: string | null, today: string): boolean {
  const limit = expected === null ? endedUndatedDays[frequencyOf(nextPeriod) ?? 'A'] : ENDED_DAYS
  return daysBetween(expected ?? endOfPeriod(nextPeriod), today) > limit
}

type PendingRelease = ExpectedDay & { readonly period: string; readonly days_late: number | null }

/**
 * The releases of a series that are not on record on the day `today`: those that are late, oldest first, then the next
 * one expected. Those that `isGap` names are passed over. After the first without an expected day none is given, because
 * it is not known to be late. There are none if the series has probably ended.
 */
export function pendingReleases(
  lastPeriod: string,
  expected: (period: string) => ExpectedDay,
  today: string,
  isGap: (period: string) => boolean = () => false,
): PendingRelease[] {
  const pending: PendingRelease[] = []
  for (let period = shiftPeriod(lastPeriod, 1); ; period = shiftPeriod(period, 1)) {
    if (isGap(period)) continue
    const day = expected(period)
    const { expected_on } = day
    const days_late = daysLate(expected_on, today)
    if (pending.length === 0 && hasEnded(period, expected_on, today)) return []
    pending.push({ period, ...day, days_late })
    if (!days_late) return pending
  }
}

export const publicationOf = ({ period, release_id, released_on, released_on_basis }: Release): Publication => ({
  period,
  release_id,
  released_on,
  released_on_basis,
})
