import type { Series } from '../contracts/records.ts'
import { answeredSeries, type TrackedSeries } from './answered-series.ts'
import { addDays, daysBetween } from './day.ts'
import { rootsOf } from './derive/derivations.ts'
import { latest } from './instant.ts'
import { endOfPeriod, frequencyOf, shiftPeriod } from './period.ts'
import { type ExpectedDay, estimatedDay, estimateOf, isDated, unknownDay } from './release-calendar.ts'
import type { AnnouncedDay } from './release-dates.ts'
import { servingKey } from './served-series.ts'

/**
 * Which announced day belongs to which pending period. A publisher’s calendar says on which days a figure comes out, but
 * not of which periods, and some of the days have revisions only.
 */

/** Days after the one on which a release is due, from which an announced day is another release. */
const FARTHEST_DAYS = 365

/**
 * The day of a pending period: the first announced one after the end of the period, after `before`, the day of the
 * release before it, and later than half a period before the estimate. An earlier one is left over from the release
 * before, which came early. A calendar that does not reach back to the period says nothing of it. Without an announced
 * day the estimate holds, unless it is not later than `before`.
 */
function announcedDay(
  period: string,
  estimate: string | null,
  days: readonly AnnouncedDay[],
  before: string,
): ExpectedDay {
  const end = endOfPeriod(period)
  const half = halfOf(period)
  // Some figures come out before their period is over.
  const isBeforeEnd = estimate !== null && estimate <= end
  const after = latest(isBeforeEnd ? '' : end, estimate === null ? '' : addDays(estimate, -half), before)
  const due = dueOn(period, estimate)
  const first = days[0]
  if (!first || first.on > addDays(due, half)) return estimatedDay(estimate)
  const found = days.find(({ on }) => on > after)
  if (found && found.on <= addDays(due, FARTHEST_DAYS)) {
    return { expected_on: found.on, expected_at: found.at, expected_on_basis: 'publisher' }
  }
  return estimate !== null && estimate <= before ? unknownDay : estimatedDay(estimate)
}

/** Half of the days of a period. */
const halfOf = (period: string): number =>
  Math.floor(daysBetween(endOfPeriod(shiftPeriod(period, -1)), endOfPeriod(period)) / 2)

/** The day on which a release is due: the estimate, or without one half a period after its end. */
const dueOn = (period: string, estimate: string | null): string =>
  estimate ?? addDays(endOfPeriod(period), halfOf(period))

/** The day of the pending period `until` of a published series. The periods before it take theirs first. */
function dayInTurn(
  { publications, lastPeriod }: TrackedSeries,
  until: string,
  days: readonly AnnouncedDay[],
  isGap: (period: string) => boolean,
): ExpectedDay {
  const newest = publications.at(-1)
  let before = ''
  for (let period = shiftPeriod(lastPeriod, 1); ; period = shiftPeriod(period, 1)) {
    const estimate = estimateOf(period, publications)
    // A figure that was found after the next one was due may have been out for long.
    const isOwnDay = newest && (isDated(newest) || newest.released_on < dueOn(period, estimate))
    if (before === '' && isOwnDay) before = newest.released_on
    if (isGap(period) && period < until) continue
    const day = announcedDay(period, estimate, days, before)
    if (period >= until) return day
    before = latest(before, day.expected_on ?? '')
  }
}

/** Returns when a pending release of a series is expected. */
export type Expect = (tracked: TrackedSeries, period: string) => ExpectedDay

/**
 * Expects releases on the days that publishers have announced, or else by the usual lag. What is derived comes with the
 * last of its inputs. Calendars announce months, or else quarters, so what is published of longer periods beside them has
 * no announced day.
 */
export function expectReleases(
  all: Iterable<TrackedSeries>,
  daysOf: (country: string, indicator: string) => readonly AnnouncedDay[],
  isGap: (series: Series, period: string) => boolean,
): Expect {
  const published = answeredSeries([...all].filter(({ series }) => series.derivation === ''))
  const dayOf = (tracked: TrackedSeries, period: string): ExpectedDay | undefined => {
    const { series } = tracked
    const { country, indicator, frequency } = series
    const isAnnounced =
      frequency === 'M' || (frequency === 'Q' && !published.has(servingKey({ ...series, frequency: 'M' })))
    const days = isAnnounced ? daysOf(country, indicator) : []
    return days.length === 0 ? undefined : dayInTurn(tracked, period, days, (each) => isGap(series, each))
  }
  return (tracked, period) => {
    const { country, derivation } = tracked.series
    const pending = rootsOf(tracked.series, period).flatMap((root) => {
      const input = { country, indicator: root.indicator, frequency: frequencyOf(root.period) ?? '' }
      const behind = derivation === '' ? tracked : published.get(servingKey(input))
      return behind && root.period <= behind.lastPeriod ? [] : [behind && dayOf(behind, root.period)]
    })
    return lastOf(pending) ?? estimatedDay(estimateOf(period, tracked.publications))
  }
}

/** The last of the inputs’ days; undefined if one of them has no calendar, or if there is none. */
function lastOf(days: readonly (ExpectedDay | undefined)[]): ExpectedDay | undefined {
  let last: ExpectedDay | undefined
  for (const day of days) {
    if (!day) return undefined
    if (day.expected_on === null) return unknownDay
    if (day.expected_on > (last?.expected_on ?? '')) last = day
  }
  return last
}
