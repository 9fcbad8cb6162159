import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Indicator } from '../contracts/indicators.ts'
import { best } from '../domain/answers-over-time.ts'
import { firstIndex } from '../domain/first-index.ts'
import type { KnownSeries } from '../domain/history-row.ts'
import { compareText } from '../domain/served-series.ts'
import type { ApiDeps } from './deps.ts'
import type { ReadModelReach } from './read-model-reach.ts'

type History = ApiDeps['history']
type Range = Parameters<History['observations']>[0]
type FigureRow = Awaited<ReturnType<History['observations']>>[number]
type PrintRange = Parameters<History['inForce']>[0]
type PrintInForce = Awaited<ReturnType<History['inForce']>>[number]

/** An indicator of a country. */
type Subject = { readonly country: string; readonly indicator: Indicator }

type Deps = Pick<ApiDeps, 'figures' | 'newestRecords' | 'newestRelease'> & {
  readonly reach: Pick<ReadModelReach, 'includes'>
}

/** Most prints that are read at a time, as of the read model. */
const MOST_PRINTS = 500_000
/** Series that are read in one turn of the event loop. One of decades takes 0.1 ms. */
const SERIES_A_TURN = 10

/**
 * The history as it is now, from memory: the reads of the read model that need nothing but what is in force. Each gives
 * undefined where the read model has to be asked: as of a day, of an older snapshot, and while it lacks a release that is in
 * memory, because later pages of the same snapshot may be read from it.
 */
export class CurrentHistory {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * The series of some countries and indicators, now or at a snapshot. Since when each has had figures is not known, and only
   * needed as of a day.
   */
  async series(subjects: readonly Subject[], asOf: string, snapshot?: number): Promise<KnownSeries[] | undefined> {
    const { figures, newestRecords, newestRelease, reach } = this.#deps
    // Without a release the handlers may be those of a day.
    if (asOf !== '' || newestRelease() < (snapshot ?? 0)) return undefined
    const known: KnownSeries[] = []
    for (const series of subjects.flatMap(({ country, indicator }) => figures.seriesOf(country, indicator))) {
      const newest = newestRecords.of(series.id)
      if (!newest || (snapshot !== undefined && newest.offset > snapshot)) return undefined
      known.push({ ...series, firstReleasedOn: '', newest: newest.offset, recordedAt: newest.recordedAt })
    }
    // Asked after memory was read: what is recorded meanwhile is not in the snapshot.
    return (await reach.includes(subjects)) ? known : undefined
  }

  /** The figures of a history in the order of periods, or newest first. */
  observations(range: Range): FigureRow[] | undefined {
    const { series, figures, needed, after, limit, isNewestFirst = false } = range
    if (!series.every((id) => this.#has(id, range))) return undefined
    const prints = series.flatMap((id, i) => this.#printsOf(id, i + 1, range))
    const periods = [...Map.groupBy(prints, ({ period }) => period)].sort(([a], [b]) => compareText(a, b))
    const rows: FigureRow[] = []
    for (const [period, own] of isNewestFirst ? periods.reverse() : periods) {
      if (after && (isNewestFirst ? period > after.period : period < after.period)) continue
      const answer = best(own, needed)
      if (!answer) continue
      const first = after?.period === period ? after.figure : 0
      for (const [i, figure] of figures.entries()) {
        const value = answer.figures[figure]
        if (value === undefined || i < first) continue
        const { place, released_on, released_on_basis } = answer
        rows.push({ period, number: i + 1, value, released_on, released_on_basis, place })
        if (rows.length === limit) return rows
      }
    }
    return rows
  }

  /** The prints in force, in the order of the series and then of periods. */
  async inForce(range: PrintRange): Promise<PrintInForce[] | undefined> {
    const prints: PrintInForce[] = []
    for (const [i, id] of range.series.entries()) {
      if (i % SERIES_A_TURN === SERIES_A_TURN - 1) await nextTurn()
      if (!this.#has(id, range) || prints.length > MOST_PRINTS) return undefined
      for (const print of this.#printsOf(id, i + 1, range)) prints.push(print)
    }
    return prints
  }

  /** A history that is read from memory where it can be. */
  over(history: History): History {
    return {
      ...history,
      observations: async (range) => this.observations(range) ?? history.observations(range),
      inForce: async (range) => (await this.inForce(range)) ?? history.inForce(range),
    }
  }

  /** Whether what is in force of a series in memory is what was at the snapshot. */
  #has(seriesId: string, { snapshot, asOf }: PrintRange): boolean {
    const { newestRecords, newestRelease } = this.#deps
    // Beyond what is in memory there may be a release of another node.
    if (asOf !== '' || newestRelease() < snapshot) return false
    const newest = newestRecords.of(seriesId)
    return newest !== undefined && newest.offset <= snapshot
  }

  #printsOf(seriesId: string, place: number, { start, end }: PrintRange): PrintInForce[] {
    const all = this.#deps.figures.inForce(seriesId)
    const first = firstIndex(all.length, (i) => (all[i]?.period ?? '') < start)
    const beyond = end === '' ? all.length : firstIndex(all.length, (i) => (all[i]?.period ?? '') <= end, first)
    return all.slice(first, beyond).map(({ period, figures, released_on, released_on_basis }) => {
      return { period, place, figures, released_on, released_on_basis }
    })
  }
}
