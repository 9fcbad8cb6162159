import type { Indicator } from '../../contracts/indicators.ts'
import type { Release, Series } from '../../contracts/records.ts'
import { type Candidate, decideRelease } from '../../domain/decide-release.ts'
import { PeriodPrints } from '../../domain/derive/period-prints.ts'
import type { Value } from '../../domain/plausibility/view.ts'
import { asKnown, printsOf } from '../../domain/prints.ts'
import type { RecordHead } from '../../journal/journal.ts'
import { CatchUp, type Draft, type TypedJournal } from '../../journal/typed.ts'
import type { FiguresOnRecord } from '../judge/plausible-figures.ts'
import type { RecordedCheckpoint } from './recorded-checkpoint.ts'
import type { Drafts } from './transaction.ts'

/**
 * The published figures on record, by series and period, read from `releases`: those of the countries that documents have
 * asked for. A figure is decided and judged beside figures of its own country only, and the key of a release is its country.
 * So a command that reads one document decodes a part of the journal. Whoever asks for further countries later gets all,
 * because each question reads the topic once more.
 */
export class RecordedFigures implements FiguresOnRecord {
  readonly #releases: CatchUp<'releases'>
  readonly #checkpoint: RecordedCheckpoint | undefined
  #countries: ReadonlySet<string> | 'all' | undefined
  #known = new Map<string, PeriodPrints>()
  #values = new RecordedValues()
  /** The series on record, by country, indicator and frequency. */
  #series = new Map<string, Series[]>()
  /** Ids of the releases that were written here last and are read back: they are known already. */
  #own = new Set<string>()
  #newestAt = 0
  /** The last release of these countries that was read. */
  #last: { readonly offset: number; readonly release_id: string } | undefined

  /** @param checkpoint keeps the figures of one country between processes */
  constructor(journal: TypedJournal, checkpoint?: RecordedCheckpoint) {
    this.#releases = new CatchUp(journal, 'releases')
    this.#checkpoint = checkpoint
  }

  /** Time of the newest release, UTC milliseconds; 0 while none are read, because then no release is written. */
  get newestAt(): number {
    return this.#newestAt
  }

  /** Asks for the figures of some countries. They are known after the next `catchUp`; before it nothing may be decided. */
  prepareFor(countries: ReadonlySet<string> | 'all'): void {
    if (countries !== 'all' && [...countries].every((country) => this.#has(country))) return
    this.#countries = this.#countries ? 'all' : countries
    this.forget()
  }

  /**
   * Reads what any process has written since the last call. Nothing until countries were asked for: a document of prices needs
   * none.
   */
  async catchUp(): Promise<void> {
    if (!this.#countries) return
    if (this.#releases.next === 0) await this.#load()
    let seen = 0
    const see = ({ key, timestamp }: RecordHead): boolean => {
      seen++
      this.#newestAt = Math.max(this.#newestAt, timestamp)
      return this.#has(key)
    }
    await this.#releases.read(({ offset, value }) => {
      this.#last = { offset, release_id: value.release_id }
      if (value.series.derivation === '' && !this.#own.delete(value.release_id)) this.#remember(value)
    }, see)
    this.#own.clear()
    if (this.#checkpoint?.isWorthKeeping(seen)) await this.#save()
  }

  async #load(): Promise<void> {
    const country = this.#onlyCountry
    const saved = country === undefined ? undefined : await this.#checkpoint?.load(country)
    if (!saved) return
    this.#releases.skipTo(saved.next)
    this.#newestAt = Math.max(this.#newestAt, saved.newestAt)
    for (const { series, packed } of saved.series) this.#addSeries(series, new PeriodPrints(packed))
  }

  /** Keeps what is known of one country: after a catch-up all of it is in the journal. */
  async #save(): Promise<void> {
    const country = this.#onlyCountry
    const last = this.#last
    if (country === undefined || !last) return
    const series = [...this.#series.values()].flat().map((series) => ({
      series,
      packed: this.#known.get(series.id)?.pack() ?? new Map<string, string>(),
    }))
    await this.#checkpoint?.save(country, { next: this.#releases.next, last, newestAt: this.#newestAt, series })
  }

  get #onlyCountry(): string | undefined {
    const [only, ...others] = this.#countries === 'all' ? [] : (this.#countries ?? [])
    return others.length === 0 ? only : undefined
  }

  /** Advances past releases just written, because they are known. If another process wrote before them, all are read. */
  advancePast(written: readonly Draft<'releases'>[], firstOffset: number | undefined): void {
    const last = written.at(-1)
    if (!last) return
    if (firstOffset !== this.#releases.next) {
      this.#own = new Set(written.map(({ id }) => id))
      return
    }
    // On Kafka derived releases may lie between those written, and nothing else: whoever writes others has the claim. The last of
    // ours are then read once more, which changes no decision.
    this.#releases.skipTo(firstOffset + written.length)
    this.#newestAt = Math.max(this.#newestAt, last.at)
  }

  /** Drops what is known, because it may not be written. */
  forget(): void {
    this.#known = new Map()
    this.#values = new RecordedValues()
    this.#series = new Map()
    this.#own = new Set()
    this.#last = undefined
    this.#releases.forget()
  }

  /** Decides what a figure is against those on record, and takes it as on record if it is news. `at` is ISO 8601. */
  decide(candidate: Candidate, at: string): ReturnType<typeof decideRelease> {
    const decision = this.#decisionOn(candidate, at)
    if ('release' in decision) this.#remember(decision.release)
    return decision
  }

  /** Whether a release would come of a figure. `at` is ISO 8601. */
  isNews(candidate: Candidate, at: string): boolean {
    return 'release' in this.#decisionOn(candidate, at)
  }

  valuesOf(series: string, member: string): readonly Value[] {
    const periods = this.#known.get(series)
    return periods ? this.#values.of(series, member, periods) : []
  }

  seriesOf(series: Series, indicator: Indicator): readonly Series[] {
    return this.#series.get(measured({ ...series, indicator })) ?? []
  }

  /** Whether a transaction whose outcome was unknown is in the journal. Undefined if its drafts do not tell. */
  isRecorded({ releases }: Drafts): boolean | undefined {
    // The last one, because no other of them redates it.
    const last = releases.at(-1)
    if (!last) return undefined
    // This very record: another process may have read the same figure elsewhere.
    const { series, period, release_id, recorded_at } = last.value
    const prints = printsOf(this.#known.get(series.id)?.get(period))
    return prints.some((print) => print.release_id === release_id && print.recorded_at === recorded_at)
  }

  #has(country: string | null): boolean {
    return this.#countries === 'all' || (country !== null && (this.#countries?.has(country) ?? false))
  }

  #decisionOn(candidate: Candidate, at: string): ReturnType<typeof decideRelease> {
    const { series, period } = candidate
    if (!this.#has(series.country))
      throw new Error(`figures of ${series.country} are decided on without those on record`)
    return decideRelease(this.#known.get(series.id)?.get(period), candidate, at)
  }

  #remember(release: Release): void {
    const { series, period } = release
    const periods = this.#known.get(series.id) ?? this.#addSeries(series, new PeriodPrints())
    const before = periods.get(period)
    const known = asKnown(release, before)
    periods.set(period, known)
    if (before) this.#values.forget(series.id)
    else this.#values.add(series.id, period, known.figures)
  }

  #addSeries(series: Series, periods: PeriodPrints): PeriodPrints {
    this.#known.set(series.id, periods)
    const others = this.#series.get(measured(series))
    if (others) others.push(series)
    else this.#series.set(measured(series), [series])
    return periods
  }
}

/** What a series measures, whoever publishes it. */
const measured = ({ country, indicator, frequency }: Series): string => `${country}.${indicator}.${frequency}`

type Figures = Release['figures']

/**
 * The figures on record as numbers, by series and member, in order of period. They are kept between the chunks of a document,
 * because making them anew for each chunk costs more than deciding on it.
 */
class RecordedValues {
  readonly #bySeries = new Map<string, Map<string, Value[]>>()

  /** Returns the values of a member. They are made of `periods` if they are not known. */
  of(series: string, member: string, periods: PeriodPrints): readonly Value[] {
    const members = this.#bySeries.get(series) ?? new Map<string, Value[]>()
    this.#bySeries.set(series, members)
    const known = members.get(member)
    if (known) return known
    const values = periods.periods().flatMap((at) => numberOf(periods.get(at)?.figures ?? {}, member, at))
    values.sort((a, b) => (a.at < b.at ? -1 : 1))
    members.set(member, values)
    return values
  }

  /** Adds the figures of a period that was not on record. */
  add(series: string, period: string, figures: Figures): void {
    for (const [member, values] of this.#bySeries.get(series) ?? []) {
      if ((values.at(-1)?.at ?? '') >= period) {
        this.forget(series)
        return
      }
      values.push(...numberOf(figures, member, period))
    }
  }

  /** Forgets the values of a series, because one of them has changed. */
  forget(series: string): void {
    this.#bySeries.delete(series)
  }
}

function numberOf(figures: Figures, member: string, at: string): Value[] {
  const text = figures[member]
  return text === undefined ? [] : [{ at, value: Number(text) }]
}
