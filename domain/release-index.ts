import { type Provenance, type Release, type ReleasedOnBasis, type Series, servedBases } from '../contracts/records.ts'
import { ChangeCounts } from './change-counts.ts'
import { latest } from './instant.ts'
import { countPrint, firstAndLast, type PeriodCounts } from './period-counts.ts'
import { isWithdrawn } from './prints.ts'
import { notePublication, type Publication } from './release-calendar.ts'

/** What is on record about a series, besides its figures. */
export type SeriesRecord = {
  readonly series: Series
  /** Number of periods that have figures, and of prints. */
  readonly observations: number
  readonly vintages: number
  readonly firstPeriod: string
  readonly lastPeriod: string
  /** First and last period of each figure that a print has had. */
  readonly spans: ReadonlyMap<string, Span>
  /** Date of the newest current release by date, and where it comes from; the strongest basis if several have that date. */
  readonly releasedOn: string
  readonly releasedOnBasis: ReleasedOnBasis
  readonly recordedAt: string
  /** Publisher and licence of the newest document, or of the inputs' newest one; null if none is on record. */
  readonly document: Document | null
  readonly publications: readonly Publication[]
  /** Every day on which a figure was released, revised or withdrawn. */
  readonly days: ReadonlySet<string>
}

type Span = { readonly first: string; readonly last: string }
type Document = Pick<Provenance, 'publisher' | 'licence'>
type MutableSeriesRecord = Omit<
  { -readonly [Member in keyof SeriesRecord]: SeriesRecord[Member] },
  'releasedOn' | 'releasedOnBasis'
> & {
  readonly publications: Publication[]
  readonly days: Set<string>
  readonly spans: Map<string, Span>
  /** Prints of each period of a derived series, which alone can be voided. */
  readonly prints: PeriodCounts | undefined
  /** Number of current releases by `DATE BASIS`, because the newest date may be corrected to an earlier one. */
  readonly dates: Map<string, number>
  /** The record as it is read; undefined since something was recorded. */
  made: SeriesRecord | undefined
}

/**
 * What the journal knows about every series, and every current release by its id. A fold over `releases`, one release
 * at a time, in order.
 */
export class ReleaseIndex {
  #series = new Map<string, MutableSeriesRecord>()
  #current = new Map<string, Release>()
  #changedAt = new Map<string, string>()
  #changes = new ChangeCounts()
  #count = 0

  /** All of it as plain data, which `restore` takes. It is the index's own, so it must be copied before the next release. */
  plain() {
    for (const entry of this.#series.values()) entry.made = undefined
    const { plain: changes } = this.#changes
    return { series: this.#series, current: this.#current, changedAt: this.#changedAt, changes, count: this.#count }
  }

  /** Makes an index what another one was. */
  restore({ series, current, changedAt, changes, count }: ReturnType<ReleaseIndex['plain']>): void {
    this.#series = series
    this.#current = current
    this.#changedAt = changedAt
    this.#changes = new ChangeCounts(changes)
    this.#count = count
  }

  apply(release: Release): void {
    this.#count++
    const { series, period, revises, recorded_at, late, redates, voids } = release
    const entry = this.#series.get(series.id) ?? opened(release)
    this.#series.set(series.id, entry)
    entry.made = undefined
    this.#changes.note({ ...series, period })
    if (!this.#isRevision(release)) this.#noteChange(release)
    // A derived print that was current may be redated before its successor is recorded, which is the current one then.
    this.#replace(entry, redates)
    this.#replace(entry, voids)
    if (!late && voids === null) {
      this.#replace(entry, revises)
      this.#current.set(release.release_id, release)
      count(entry, release, 1)
    }
    if (voids !== null) takeVoid(entry, period)
    else takePrint(entry, release)
    if (recorded_at > entry.recordedAt) entry.recordedAt = recorded_at
    entry.document = this.#documentOf(release) ?? entry.document
    notePublication(entry.publications, release)
    entry.days.add(release.released_on)
  }

  #replace(entry: MutableSeriesRecord, releaseId: string | null): void {
    const replaced = releaseId === null ? undefined : this.#current.get(releaseId)
    if (!replaced) return
    this.#current.delete(replaced.release_id)
    count(entry, replaced, -1)
  }

  /** Whether a figure was on record, and still is. */
  #isRevision(release: Release): boolean {
    const revised = release.revises === null ? undefined : this.#current.get(release.revises)
    return revised !== undefined && !isWithdrawn(revised) && !isWithdrawn(release)
  }

  #noteChange({ series: { country, indicator }, period, recorded_at }: Release): void {
    for (const figure of [figureName(country, indicator), figureName(country, indicator, period)])
      this.#changedAt.set(figure, latest(this.#changedAt.get(figure) ?? '', recorded_at))
  }

  /**
   * When a figure of a period, or without one of any period, was last recorded for the first time, redated or withdrawn, in
   * whichever series; empty if it never was.
   */
  changedAt(country: string, indicator: string, period = ''): string {
    return this.#changedAt.get(figureName(country, indicator, period)) ?? ''
  }

  /** Number of releases applied: while it stays the same, so does everything else. */
  get count(): number {
    return this.#count
  }

  /** Number of releases about an indicator of a country, and of a year if it is given. */
  changes(country: string, indicator: string, year?: string): number {
    return this.#changes.of(country, indicator, year)
  }

  /** All series with a print, in the order of their ids. If all of its prints are voided, a series never had one. */
  series(): SeriesRecord[] {
    const withPrints = [...this.#series.values()].filter(({ vintages }) => vintages > 0)
    const records = withPrints.map((entry) => {
      entry.made ??= recordOf(entry)
      return entry.made
    })
    return records.sort((a, b) => (a.series.id < b.series.id ? -1 : 1))
  }

  /** A current release by its id; undefined if there is none, or if another one has taken its place. */
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

const figureName = (country: string, indicator: string, period = ''): string => `${country}/${indicator}/${period}`

const opened = ({ series, period, recorded_at }: Release): MutableSeriesRecord => ({
  series,
  observations: 0,
  vintages: 0,
  firstPeriod: period,
  lastPeriod: period,
  recordedAt: recorded_at,
  document: null,
  publications: [],
  days: new Set(),
  spans: new Map(),
  prints: series.derivation === '' ? undefined : new Map(),
  dates: new Map(),
  made: undefined,
})

function takePrint(entry: MutableSeriesRecord, { period, redates, figures }: Release): void {
  if (entry.vintages === 0) {
    // All prints before it were voided.
    entry.firstPeriod = period
    entry.lastPeriod = period
    entry.spans.clear()
  }
  if (redates === null) {
    entry.vintages++
    if (entry.prints) countPrint(entry.prints, period, 1)
  }
  if (period < entry.firstPeriod) entry.firstPeriod = period
  if (period > entry.lastPeriod) entry.lastPeriod = period
  for (const figure in figures) {
    const span = entry.spans.get(figure)
    if (!span) entry.spans.set(figure, { first: period, last: period })
    else if (period < span.first) entry.spans.set(figure, { ...span, first: period })
    else if (period > span.last) entry.spans.set(figure, { ...span, last: period })
  }
}

/**
 * A period whose only print is voided never had one. The spans of figures are cut to the periods that are left; which figures the
 * voided print had is not kept.
 */
function takeVoid(entry: MutableSeriesRecord, period: string): void {
  entry.vintages--
  if (!entry.prints) return
  countPrint(entry.prints, period, -1)
  if (entry.prints.has(period) || (period > entry.firstPeriod && period < entry.lastPeriod)) return
  const ends = firstAndLast(entry.prints)
  if (!ends) return
  entry.firstPeriod = ends.first
  entry.lastPeriod = ends.last
  for (const [figure, { first, last }] of entry.spans) {
    const span = { first: latest(first, ends.first), last: [last, ends.last].sort()[0] as string }
    if (span.first <= span.last) entry.spans.set(figure, span)
    else entry.spans.delete(figure)
  }
}

/** Counts a release that has become current (1), or no longer is (-1). */
function count(entry: MutableSeriesRecord, release: Release, one: 1 | -1): void {
  if (!isWithdrawn(release)) entry.observations += one
  countPrint(entry.dates, `${release.released_on} ${release.released_on_basis}`, one)
}

function recordOf({ dates, prints: _, made: __, ...record }: MutableSeriesRecord): SeriesRecord {
  const releasedOn = latest(...dates.keys()).slice(0, 'YYYY-MM-DD'.length)
  const releasedOnBasis = servedBases.find((basis) => dates.has(`${releasedOn} ${basis}`)) ?? 'first_seen'
  return { ...record, releasedOn, releasedOnBasis }
}
