import { isFirstPrint, type PrintInPlace, withRelease } from '../domain/prints.ts'
import { compareText } from '../domain/served-series.ts'
import type { ApiDeps } from './deps.ts'

/** Most prints that are kept, and figures. One takes about 300 bytes. */
const MAX_KEPT = 100_000
/** How long prints are kept, so that a table that was rebuilt is read then; milliseconds. */
const KEPT_MS = 600_000
/**
 * Figures whose prints one query reads, in the order of periods: a query reads those of all their series and all their periods,
 * which are few where the figures are of the same years.
 */
const READ_TOGETHER = 5_000

/** A figure: the id of its series, and its period. */
type Figure = { readonly series: string; readonly period: string }
/** The prints of a figure, in the order of their dates. */
type Prints = readonly PrintInPlace[]
type Deps = Pick<ApiDeps, 'history' | 'newestRelease' | 'recentReleases' | 'clock'>

/** Whatever is on record. */
const EVERYTHING = Number.MAX_SAFE_INTEGER

export const figureKey = ({ series, period }: Figure): string => `${series} ${period}`

/**
 * The prints of figures: from the read model when they are first asked for, and from then on with what is recorded. So the next
 * answers cost the read model nothing, whatever was recorded meanwhile.
 */
export class KeptPrints {
  readonly #deps: Deps
  readonly #most: number
  /** By `figureKey`. */
  readonly #kept = new Map<string, Prints>()
  #size = 0
  /** Offset of the newest release in what is kept. */
  #newest = -1
  #keptUntil = 0
  /** An offset that the read model was seen to have, renewed when memory no longer reaches back to it. */
  #projected = -1

  constructor(deps: Deps, most = MAX_KEPT) {
    this.#deps = deps
    this.#most = most
  }

  /** Returns the prints of figures by `figureKey`; none of a figure that has none. Throws the problem `unavailable`. */
  async of(figures: readonly Figure[]): Promise<ReadonlyMap<string, Prints>> {
    this.#catchUp()
    const found = new Map<string, Prints>()
    const lacking = new Map<string, Figure>()
    for (const figure of figures) {
      const name = figureKey(figure)
      const known = this.#kept.get(name)
      if (known) found.set(name, known)
      else lacking.set(name, figure)
    }
    if (lacking.size > 0) for (const [name, prints] of await this.#read(lacking)) found.set(name, prints)
    return found
  }

  /** Adds what was recorded since the last call. */
  #catchUp(): void {
    const { newestRelease, recentReleases, clock } = this.#deps
    const now = clock().getTime()
    const recent = now < this.#keptUntil && recentReleases.since(this.#newest)
    if (recent) {
      for (const { release } of recent) {
        const name = figureKey({ series: release.series.id, period: release.period })
        const known = this.#kept.get(name) ?? (isFirstPrint(release) ? [] : undefined)
        if (known) this.#keep(name, withRelease(known, release))
      }
    } else {
      this.#clear()
      this.#keptUntil = now + KEPT_MS
    }
    this.#newest = newestRelease()
  }

  async #read(lacking: ReadonlyMap<string, Figure>): Promise<ReadonlyMap<string, Prints>> {
    const snapshot = await this.#snapshot()
    const read = await this.#query(lacking, snapshot ?? EVERYTHING)
    const recent = snapshot === undefined ? undefined : this.#deps.recentReleases.since(snapshot)
    if (!recent) return read
    this.#catchUp()
    for (const { release } of recent) {
      const name = figureKey({ series: release.series.id, period: release.period })
      if (lacking.has(name)) read.set(name, withRelease(read.get(name) ?? [], release))
    }
    for (const name of lacking.keys()) this.#keep(name, read.get(name) ?? [])
    return read
  }

  /**
   * The newest offset up to which the read model has all releases, and after which memory has those that it has. Undefined if
   * memory has none, as for the history of a day, or if the read model is too far behind.
   */
  async #snapshot(): Promise<number | undefined> {
    const { history, newestRelease, recentReleases } = this.#deps
    if (newestRelease() < 0) return undefined
    const reaches = () => this.#projected >= 0 && recentReleases.since(this.#projected) !== undefined
    if (!reaches()) this.#projected = (await history.watermark()) ?? -1
    return reaches() ? Math.min(this.#projected, newestRelease()) : undefined
  }

  async #query(lacking: ReadonlyMap<string, Figure>, snapshot: number): Promise<Map<string, Prints>> {
    const found = new Map<string, Prints>()
    const inOrder = [...lacking.values()].sort((a, b) => compareText(a.period, b.period))
    for (let from = 0; from < inOrder.length; from += READ_TOGETHER) {
      const some = inOrder.slice(from, from + READ_TOGETHER)
      const series = [...new Set(some.map((figure) => figure.series))]
      const periods = [...new Set(some.map(({ period }) => period))]
      const prints = await this.#deps.history.prints({ series, snapshot, periods })
      const nameOf = ({ place, period }: (typeof prints)[number]) =>
        figureKey({ series: series[place - 1] ?? '', period })
      for (const [name, own] of Map.groupBy(prints, nameOf)) if (lacking.has(name)) found.set(name, own.map(printOf))
    }
    return found
  }

  /** At the limit all are dropped, because a walk to the oldest would take longer than to read them again. */
  #keep(name: string, prints: Prints): void {
    const before = this.#kept.get(name)
    this.#size += prints.length - (before?.length ?? -1)
    if (this.#size > this.#most) this.#clear()
    else this.#kept.set(name, prints)
  }

  #clear(): void {
    this.#kept.clear()
    this.#size = 0
  }
}

const printOf = ({ release_id, released_on, figures }: PrintInPlace): PrintInPlace => ({
  release_id,
  released_on,
  figures,
})
