import { isPublic, isServed } from '../contracts/indicators.ts'
import { answeredSeries } from '../domain/answered-series.ts'
import { calendarEntries, type DatedEntry } from '../domain/calendar-entries.ts'
import { publisherDays } from '../domain/publisher-day.ts'
import type { SeriesRecord } from '../domain/release-index.ts'
import type { ApiDeps } from './deps.ts'
import { expectedReleases } from './expected-releases.ts'

type Deps = Pick<ApiDeps, 'figures' | 'releaseIndex' | 'statements' | 'releaseDates' | 'clock'>

/**
 * Returns a function that gives all entries of the calendar, in their order. They are made again when anything was
 * recorded or a day has begun at a publisher.
 */
export function calendarOf(deps: Deps): () => readonly DatedEntry[] {
  const { figures, releaseIndex, statements, releaseDates, clock } = deps
  let made: { readonly state: string; readonly entries: readonly DatedEntry[] } | undefined
  const isShown = ({ series: { country, indicator } }: SeriesRecord) =>
    isServed(indicator) && isPublic(indicator, country)
  return () => {
    const now = clock().getTime()
    const state = `${releaseIndex.count} ${statements.count} ${releaseDates.count} ${publisherDays(now)}`
    if (made?.state !== state) {
      const facts = { statements, figures, releaseIndex, releaseDates, expect: expectedReleases(deps) }
      const answered = answeredSeries(releaseIndex.series().filter(isShown))
      const entries = [...answered.values()].flatMap((record) => calendarEntries(record, now, facts))
      made = { state, entries: entries.sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1)) }
    }
    return made.entries
  }
}
