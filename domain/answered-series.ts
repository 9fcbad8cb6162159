import type { Series } from '../contracts/records.ts'
import type { Publication } from './release-calendar.ts'
import { compareForServing, servingKey } from './served-series.ts'

/** What is on record about a series. */
export type TrackedSeries = {
  readonly series: Series
  readonly publications: readonly Publication[]
  /** The newest period on record. */
  readonly lastPeriod: string
}

/**
 * The best series of a country, indicator and frequency, with what answers after its own newest period. `publications` are
 * its own, because a usual lag is that of one publisher.
 */
export type AnsweredSeries<T extends TrackedSeries> = T & {
  /** The newest period on record of whichever series of the key. */
  readonly lastPeriod: string
  /** First prints of the others after the best one's newest period, in the order of periods. */
  readonly later: readonly PublicationOf[]
  /** All series of the key, best first. */
  readonly ranked: readonly T[]
}
export type PublicationOf = Publication & { readonly seriesId: string }

/** The best of the series of each country, indicator and frequency, by their serving keys. */
export function answeredSeries<T extends TrackedSeries>(all: Iterable<T>): Map<string, AnsweredSeries<T>> {
  const answered = new Map<string, AnsweredSeries<T>>()
  for (const [key, group] of Map.groupBy(all, ({ series }) => servingKey(series))) {
    const ranked = group.sort((a, b) => compareForServing(a.series, b.series))
    const [best, ...others] = ranked
    if (best) answered.set(key, { ...best, ...whatFollows(best, others), ranked })
  }
  return answered
}

/** What answers after the newest period of the best series. */
function whatFollows(best: TrackedSeries, others: readonly TrackedSeries[]) {
  const later = new Map<string, PublicationOf>()
  let { lastPeriod } = best
  for (const other of others) {
    if (other.lastPeriod > lastPeriod) lastPeriod = other.lastPeriod
    // From the newest on, because the others of a series that goes on have hardly any.
    for (let i = other.publications.length - 1; i >= 0; i--) {
      const publication = other.publications[i]
      if (!publication || publication.period <= best.lastPeriod) break
      if (!later.has(publication.period)) later.set(publication.period, { ...publication, seriesId: other.series.id })
    }
  }
  return { lastPeriod, later: [...later.values()].sort((a, b) => (a.period < b.period ? -1 : 1)) }
}

/** The first print of one of the series of a key for a period. */
export function firstPrintOf(
  { ranked }: AnsweredSeries<TrackedSeries>,
  seriesId: string,
  period: string,
): PublicationOf | undefined {
  const one = ranked.find(({ series }) => series.id === seriesId)
  const publication = one?.publications.find((print) => print.period === period)
  return publication && { ...publication, seriesId }
}
