import type { ApiDeps, DatedReads } from '../../api/deps.ts'
import type { Release } from '../../contracts/records.ts'
import { answersOverTime, best } from '../../domain/answers-over-time.ts'
import type { HistoryPosition } from '../../domain/history-cursor.ts'
import { isWithdrawn } from '../../domain/prints.ts'

/** A release with the journal offset of its record. */
export type Logged = { readonly offset: number; readonly release: Release }
type History = ApiDeps['history']
type Part = {
  readonly series: readonly string[]
  readonly snapshot: number
  readonly start: string
  readonly end: string
}

/**
 * The reads of the vintages, over releases in memory: the answers of `projections/views/vintages/query.ts`, whose SQL only
 * ClickHouse runs. `test/projections/memory-vintages.integration.test.ts` compares the two. `log` gives what the table has, in
 * the order of offsets; rows that were written twice may be there twice.
 *
 * @param until nothing that was released after this day, YYYY-MM-DD, is read; empty: everything is
 */
export function memoryVintages(log: () => readonly Logged[], until = ''): History & ApiDeps['vintages'] {
  const isKnown = ({ released_on }: Release) => until === '' || released_on <= until
  const prints = (all: readonly Logged[]) => inPlace(all).filter(({ release }) => isKnown(release))
  /** Records by id: as of a day, what was never true then is unknown. */
  const records = () => (until === '' ? log() : prints(log()))

  const ofPart = ({ series, snapshot, start, end }: Part) =>
    prints(log().filter(({ offset, release }) => offset <= snapshot && series.includes(release.series.id))).filter(
      ({ release: { period } }) => period >= start && (end === '' || period <= end),
    )
  /** The prints of a part by period, those of a period in the order of their dates. */
  const byPeriod = (part: Part) => {
    const placed = ofPart(part)
      .map(({ offset, release }) => ({ ...release, offset, place: part.series.indexOf(release.series.id) + 1 }))
      .sort((a, b) => compare(a.period, b.period) || compare(a.released_on, b.released_on) || a.offset - b.offset)
    return Map.groupBy(placed, ({ period }) => period)
  }
  /** The prints in force by period, without those that withdrew figures. */
  const inForce = (part: Part, asOf: string) =>
    [...byPeriod(part)].map(([period, all]) => {
      const ofDay = all.filter(({ released_on }) => asOf === '' || released_on <= asOf)
      const newest = new Map(ofDay.map((print) => [print.place, print]))
      return { period, prints: [...newest.values()].filter((print) => !isWithdrawn(print)) }
    })

  const seriesOfMany: History['seriesOfMany'] = async (countries, indicators) => {
    const isAsked = ({ country, indicator }: Release['series']) =>
      countries.includes(country) && indicators.includes(indicator)
    return seriesIn(log().filter(({ release }) => isAsked(release.series)))
  }
  const seriesIn = (all: readonly Logged[]) =>
    [...Map.groupBy(all, ({ release }) => release.series.id).values()]
      .flatMap((own) => {
        const days = prints(own).map(({ release }) => release.released_on)
        const newest = own.at(-1)
        const recorded = until === '' ? newest : prints(own).at(-1)
        const [firstReleasedOn] = days.sort()
        if (!newest || !recorded || firstReleasedOn === undefined) return []
        return {
          ...newest.release.series,
          firstReleasedOn,
          newest: newest.offset,
          recordedAt: recorded.release.recorded_at,
        }
      })
      .sort((a, b) => compare(a.id, b.id))

  return {
    seriesOfMany,
    series: async (country, indicator, snapshot) =>
      seriesIn(
        log().filter(
          ({ offset, release: { series } }) =>
            offset <= snapshot && series.country === country && series.indicator === indicator,
        ),
      ),
    inForce: async ({ asOf, ...part }) =>
      inForce(part, asOf)
        .flatMap(({ prints: own }) => own.map(withoutSeries))
        .sort((a, b) => a.place - b.place || compare(a.period, b.period)),
    observations: async ({ figures, needed, after, limit, isNewestFirst = false, asOf, ...part }) => {
      const sign = isNewestFirst ? -1 : 1
      const isAfter = ({ period, number }: { period: string; number: number }) =>
        after === null || (sign * compare(period, after.period) || number - after.figure) > 0
      return inForce(part, asOf)
        .sort((a, b) => sign * compare(a.period, b.period))
        .flatMap(({ prints: own }) => {
          const answer = best(own, needed)
          return figures.flatMap((figure, i) => {
            const value = answer?.figures[figure]
            return answer && value !== undefined ? { ...withoutSeries(answer), number: i + 1, value } : []
          })
        })
        .filter(isAfter)
        .slice(0, limit)
    },
    vintages: async (range) => {
      const { after, limit } = range
      const all = [...byPeriod(range).values()].flatMap((own) =>
        answersOverTime(own, range).map(({ print, validFrom, ...entry }) => {
          return { ...withoutSeries(print), ...entry, valid_from: validFrom }
        }),
      )
      const at = after === null ? -1 : all.findIndex((entry) => isAt(entry, after))
      return after !== null && at < 0 ? undefined : all.slice(at + 1, at + 1 + limit)
    },
    prints: async ({ periods, ...part }) =>
      [...byPeriod({ ...part, start: '', end: '' })].flatMap(([period, own]) => (periods.includes(period) ? own : [])),
    watermark: async () => log().at(-1)?.offset,
    byIds: async (ids) => records().flatMap(({ release }) => (ids.includes(release.release_id) ? release : [])),
    idsOf: async (country, indicator, period) =>
      records().flatMap(({ release: { release_id, series, period: of } }) =>
        series.country === country && series.indicator === indicator && of === period ? release_id : [],
      ),
    successorOf: async ({ release_id }) => {
      const isAfter = ({ release }: Logged) => [release.voids, release.redates, release.revises].includes(release_id)
      const successor = records().find(isAfter)?.release
      return successor && { releaseId: successor.release_id, isVoiding: successor.voids === release_id }
    },
  }
}

/** What was published by a day, as `projections/views/published/query.ts` reads it. */
export const memoryPublished = (log: () => readonly Logged[], day: string): DatedReads['published'] => ({
  cells: async () => {
    const byIndicator = Map.groupBy(publishedBy(log(), day), ({ series }) => series.indicator)
    const countries = (of: readonly Release[]) => [...new Set(of.map(({ series }) => series.country))].sort()
    return new Map([...byIndicator].map(([indicator, own]) => [indicator, countries(own)]))
  },
  releases: async (country) =>
    publishedBy(
      log().filter(({ release }) => release.series.country === country),
      day,
    ).sort((a, b) => compare(a.released_on, b.released_on)),
})

const publishedBy = (all: readonly Logged[], day: string): Release[] =>
  inPlace(all).flatMap(({ release }) => (release.released_on <= day ? release : []))

/** Leaves out what another record redates or voids, records that void, and repetitions. */
function inPlace(all: readonly Logged[]): Logged[] {
  const gone = new Set(all.flatMap(({ release: { redates, voids } }) => [redates, voids]))
  const seen = new Set<number>()
  return all.filter(({ offset, release: { release_id, voids } }) => {
    const isNew = !seen.has(offset)
    seen.add(offset)
    return isNew && voids === null && !gone.has(release_id)
  })
}

const withoutSeries = <P extends Release>({ series: _, ...print }: P): Omit<P, 'series'> => print

const isAt = (entry: { period: string; number: number; offset: number }, at: HistoryPosition): boolean =>
  entry.period === at.period && entry.number === at.figure && entry.offset === at.offset

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
