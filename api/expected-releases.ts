import type { Series } from '../contracts/records.ts'
import { type Expect, expectReleases } from '../domain/announced-days.ts'
import { gapOf } from '../domain/calendar-gaps.ts'
import { shiftPeriod } from '../domain/period.ts'
import { usualLag } from '../domain/release-calendar.ts'
import { standardDay } from '../domain/standard-timeliness.ts'
import type { ApiDeps } from './deps.ts'

type Deps = Pick<ApiDeps, 'figures' | 'releaseIndex' | 'statements' | 'releaseDates'>

/**
 * When releases are expected, by all that is in memory now: by evidence, or else by the standard of dissemination. The
 * calendar and the catalogue both ask here. Events are about evidence alone (domain/release-watch.ts), so that they follow
 * from the journal.
 */
export function expectedReleases({ figures, releaseIndex, statements, releaseDates }: Deps): Expect {
  const isGap = (series: Series, period: string) => gapOf({ statements, figures }, series, period) !== undefined
  const daysOf = (country: string, indicator: string) => releaseDates.of(country, indicator)
  const byEvidence = expectReleases(releaseIndex.series(), daysOf, isGap)
  return (tracked, period) => {
    const day = byEvidence(tracked, period)
    return day.expected_on === null && usualLag(tracked.publications) === undefined
      ? standardDay(tracked.series, period)
      : day
  }
}

/** The first period from one on whose figure may still come: it was neither cancelled nor stated as never published. */
export function nextPossible(
  { statements, figures }: Pick<Deps, 'statements' | 'figures'>,
  series: Series,
  from: string,
) {
  let period = from
  while (gapOf({ statements, figures }, series, period)) period = shiftPeriod(period, 1)
  return period
}
