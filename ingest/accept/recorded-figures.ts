import type { Release, Series } from '../../contracts/records.ts'
import { type Candidate, decideRelease } from '../../domain/decide-release.ts'
import type { Value } from '../../domain/plausibility/view.ts'
import { asKnown, type KnownRelease, printsOf } from '../../domain/prints.ts'
import { CatchUp } from '../../journal/catch-up.ts'
import type { RecordHead } from '../../journal/journal.ts'
import type { Draft, TypedJournal } from '../../journal/typed.ts'
import { type HeldFigures, heldOf } from '../judge/plausible.ts'
import type { Document, Figure, Item, Missing } from '../source.ts'
import { candidateOf } from './candidate.ts'
import { RecordedValues } from './recorded-values.ts'

/**
 * The published figures on record, by series and period, read from `releases`: those of the countries that documents have asked for.
 * A figure is decided and judged beside figures of its own country only, and the key of a release is its country. So a command
 * that reads one document decodes a part of the journal. Whoever asks for further countries later gets all, because each
 * question reads the topic once more.
 */
export class RecordedFigures {
  readonly #releases: CatchUp<'releases'>
  #countries: ReadonlySet<string> | 'all' | undefined
  #known = new Map<string, Map<string, KnownRelease>>()
  #values = new RecordedValues()
  /** The series on record, by country, indicator and frequency. */
  #series = new Map<string, Series[]>()
  /** Ids of the releases that were written here last and are read back: they are known already. */
  #own = new Set<string>()
  #newestAt = 0

  constructor(journal: TypedJournal) {
    this.#releases = new CatchUp(journal, 'releases')
  }

  /** Time of the newest release, UTC milliseconds; 0 while none are read, because then no release is written. */
  get newestAt(): number {
    return this.#newestAt
  }

  /** Asks for the figures of some countries. They are known after the next `catchUp`; before it nothing may be decided. */
  concern(countries: ReadonlySet<string> | 'all'): void {
    if (countries !== 'all' && [...countries].every((country) => this.#has(country))) return
    this.#countries = this.#countries ? 'all' : countries
    this.forget()
  }

  /** Reads what any process has written since the last call. Nothing until countries were asked for: a document of prices needs none. */
  async catchUp(): Promise<void> {
    if (!this.#countries) return
    const see = ({ key, timestamp }: RecordHead): boolean => {
      this.#newestAt = Math.max(this.#newestAt, timestamp)
      return this.#has(key)
    }
    await this.#releases.read(({ value }) => {
      if (value.series.derivation === '' && !this.#own.delete(value.release_id)) this.#remember(value)
    }, see)
    this.#own.clear()
  }

  /** Advances past releases just written, because they are known. If another process wrote before them, all are read. */
  advancePast(written: readonly Draft<'releases'>[], firstOffset: number | undefined): void {
    const last = written.at(-1)
    if (!last) return
    if (firstOffset !== this.#releases.next) {
      this.#own = new Set(written.map(({ id }) => id))
      return
    }
    this.#releases.skipTo(firstOffset + written.length)
    this.#newestAt = Math.max(this.#newestAt, last.at)
  }

  /** Drops what is known, because it may not be written. */
  forget(): void {
    this.#known = new Map()
    this.#values = new RecordedValues()
    this.#series = new Map()
    this.#own = new Set()
    this.#releases.forget()
  }

  /** Decides what a figure is against those on record, and takes it as on record if it is news. `at` is ISO 8601. */
  decide(candidate: Candidate, at: string): ReturnType<typeof decideRelease> {
    const { country } = candidate.series
    if (!this.#has(country)) throw new Error(`figures of ${country} are decided on without those on record`)
    const known = this.#known.get(candidate.series.id)?.get(candidate.period)
    const decision = decideRelease(known, candidate, at)
    if ('release' in decision) this.#remember(decision.release)
    return decision
  }

  /** The implausible figures of a document. They need no review if all of them are on record already or cannot be. */
  heldOf(document: Document, items: readonly Item[], at: string): HeldFigures[] {
    const isNews = (figure: Figure | Missing) =>
      'release' in
      decideRelease(this.#known.get(figure.series.id)?.get(figure.period), candidateOf(document, figure), at)
    const held = heldOf(document, items, {
      of: (series, member) => this.#valuesOf(series, member),
      ofIndicator: (series, indicator) => this.#series.get(measured({ ...series, indicator })) ?? [],
    })
    return held.filter(({ figures }) => figures.some(isNews))
  }

  /** Whether this very record of a release is in the journal. Another process may have read the same figure elsewhere. */
  has({ series, period, release_id, recorded_at }: Release): boolean {
    const prints = printsOf(this.#known.get(series.id)?.get(period))
    return prints.some((print) => print.release_id === release_id && print.recorded_at === recorded_at)
  }

  #has(country: string | null): boolean {
    return this.#countries === 'all' || (country !== null && (this.#countries?.has(country) ?? false))
  }

  #remember(release: Release): void {
    const { series, period } = release
    const periods = this.#known.get(series.id) ?? this.#newSeries(series)
    const before = periods.get(period)
    const known = asKnown(release, before)
    periods.set(period, known)
    if (before) this.#values.forget(series.id)
    else this.#values.add(series.id, period, known.figures)
  }

  #valuesOf(series: string, member: string): readonly Value[] {
    const periods = this.#known.get(series)
    return periods ? this.#values.of(series, member, periods) : []
  }

  #newSeries(series: Series): Map<string, KnownRelease> {
    const periods = new Map<string, KnownRelease>()
    this.#known.set(series.id, periods)
    const others = this.#series.get(measured(series))
    if (others) others.push(series)
    else this.#series.set(measured(series), [series])
    return periods
  }
}

/** What a series measures, whoever publishes it. */
const measured = ({ country, indicator, frequency }: Series): string => `${country}.${indicator}.${frequency}`
