import type { Series } from '../contracts/records.ts'
import { type Expect, expectReleases } from '../domain/announced-days.ts'
import { gapOf } from '../domain/calendar-gaps.ts'
import { shiftPeriod } from '../domain/period.ts'
import type { ApiDeps } from './deps.ts'

type Deps = Pick<ApiDeps, 'figures' | 'releaseIndex' | 'statements' | 'releaseDates'>

/** When releases are expected, by all that is in memory now. */
export function expectedReleases({ figures, releaseIndex, statements, releaseDates }: Deps): Expect {
  const isGap = (series: Series, period: string) => gapOf({ statements, figures }, series, period) !== undefined
  return expectReleases(releaseIndex.series(), (country, indicator) => releaseDates.of(country, indicator), isGap)
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
