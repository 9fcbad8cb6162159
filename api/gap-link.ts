import type { Series } from '../contracts/records.ts'
import { type GapFacts, gapOf, statedPeriods } from '../domain/calendar-gaps.ts'

const STATUS = 'never_published'

/** A link to the periods of a series that were never published, if there are any: the body has no place for them. */
export function gapLink(facts: GapFacts, series: Series): string[] {
  const hasGap = statedPeriods(facts, series).some((period) => gapOf(facts, series, period)?.status === STATUS)
  if (!hasGap) return []
  const { country, indicator } = series
  return [`</v1/calendar?${new URLSearchParams({ country, indicator, status: STATUS })}>; rel="related"`]
}

const gaps = new RegExp(`<([^>]*[?&]status=${STATUS})>; rel="related"`)

/** The address that `gapLink` has put into a Link header; undefined if there is none. */
export const gapsIn = (link = ''): string | undefined => gaps.exec(link)?.[1]
