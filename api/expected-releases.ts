import type { Series } from '../contracts/records.ts'
import { type Expect, expectReleases } from '../domain/announced-days.ts'
import { gapOf } from '../domain/calendar-gaps.ts'
import type { ApiDeps } from './deps.ts'

/** When releases are expected, by all that is in memory now. */
export function expectedReleases({
  figures,
  releaseIndex,
  statements,
  releaseDates,
}: Pick<ApiDeps, 'figures' | 'releaseIndex' | 'statements' | 'releaseDates'>): Expect {
  const isGap = (series: Series, period: string) => gapOf({ statements, figures }, series, period) !== undefined
  return expectReleases(releaseIndex.series(), (country, indicator) => releaseDates.of(country, indicator), isGap)
}
