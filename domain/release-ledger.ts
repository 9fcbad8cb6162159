import type { Provenance, Release, ReleasedOnBasis, Series } from '../contracts/records.ts'
import { notePublication, type Publication } from './release-calendar.ts'

/** What is on record about a series, besides its figures. */
export type SeriesRecord = {
  readonly series: Series
  /** Number of periods and of releases. */
  readonly observations: number
  readonly vintages: number
  readonly firstPeriod: string
  readonly lastPeriod: string
  /** Date of the newest release by date. */
  readonly releasedOn: string
  readonly releasedOnBasis: ReleasedOnBasis
  readonly recordedAt: string
  /** Publisher and licence of the newest document, or of the inputs' newest one; null if none is on record. */
  readonly document: Document | null
  readonly publications: readonly Publication[]
}

type Document = Pick<Provenance, 'publisher' | 'licence'>
type Entry = { -readonly [Member in keyof SeriesRecord]: SeriesRecord[Member] } & {
  readonly publications: Publication[]
}

/**
 * What the journal knows about every series, and every current release by its id. A fold over `releases`, one release
 * at a time, in order.
 */
export class ReleaseLedger {
  readonly #series = new Map<string, Entry>()
  readonly #current = new Map<string, Release>()
  #count = 0

  apply(release: Release): void {
    this.#count++
    if (release.revises !== null) this.#current.delete(release.revises)
    this.#current.set(release.release_id, release)
    const { series, period, released_on, released_on_basis, recorded_at } = release
    const entry = this.#series.get(series.id) ?? opened(release)
    this.#series.set(series.id, entry)
    entry.vintages++
    if (release.revises === null) entry.observations++
    if (period < entry.firstPeriod) entry.firstPeriod = period
    if (period > entry.lastPeriod) entry.lastPeriod = period
    if (released_on >= entry.releasedOn) {
      entry.releasedOn = released_on
      entry.releasedOnBasis = released_on_basis
    }
    if (recorded_at > entry.recordedAt) entry.recordedAt = recorded_at
    entry.document = this.#documentOf(release) ?? entry.document
    notePublication(entry.publications, release)
  }

  /** Number of releases applied: while it stays the same, so does everything else. */
  get count(): number {
    return this.#count
  }

  /** All series, in the order of their ids. */
  series(): SeriesRecord[] {
    return [...this.#series.values()].sort((a, b) => (a.series.id < b.series.id ? -1 : 1))
  }

  /** A current release by its id; undefined if there is none, or if a newer one has revised it. */
  current(releaseId: string): Release | undefined {
    return this.#current.get(releaseId)
  }

  /** The document of a release. A derived one has that of its first input, whose series is on record before it. */
  #documentOf({ provenance, inputs }: Release): Document | undefined {
    if (provenance) return provenance
    const input = inputs.map((id) => this.#current.get(id)).find((release) => release !== undefined)
    return (input && this.#series.get(input.series.id)?.document) ?? undefined
  }
}

const opened = ({ series, period, released_on, released_on_basis, recorded_at }: Release): Entry => ({
  series,
  observations: 0,
  vintages: 0,
  firstPeriod: period,
  lastPeriod: period,
  releasedOn: released_on,
  releasedOnBasis: released_on_basis,
  recordedAt: recorded_at,
  document: null,
  publications: [],
})
