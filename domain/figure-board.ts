import { type Indicator, lackingFigures } from '../contracts/indicators.ts'
import type { Frequency, Release, Series } from '../contracts/records.ts'
import { frequencyOrder } from '../contracts/serving.ts'
import { latest } from './instant.ts'
import { frequencyOf } from './period.ts'
import { isWithdrawn } from './prints.ts'
import { compareForServing, compareText, servingKey } from './served-series.ts'

/**
 * The current releases of a series by period. One that was withdrawn is in `withdrawn` instead, and one that lacks a figure
 * which the body needs in `partial`.
 */
type Track = {
  readonly series: Series
  readonly releases: Map<string, Release>
  readonly partial: Map<string, Release>
  readonly withdrawn: Map<string, Release>
  /** Latest period with figures; undefined if there is none. */
  newest: string | undefined
  /** `releases` and `partial` in the order of periods, from when it is asked for until the next release of the series. */
  inForce: readonly Release[] | undefined
}

/**
 * The current release of every series and period, and the choice of the served series. It answers requests for the latest period
 * and for exact periods, and gives an event's `previous`. A fold over `releases`, one release at a time, in order.
 */
export class FigureBoard {
  readonly #tracks = new Map<string, Track>()
  /** The series of a country, indicator and frequency, best first. */
  readonly #ranked = new Map<string, readonly Track[]>()
  readonly #countries = new Map<Indicator, Set<string>>()
  #recordedAt = ''

  apply(release: Release): void {
    const { series, period } = release
    if (release.recorded_at > this.#recordedAt) this.#recordedAt = release.recorded_at
    if (release.late) return
    let track = this.#tracks.get(series.id)
    if (!track) {
      track = {
        series,
        releases: new Map(),
        partial: new Map(),
        withdrawn: new Map(),
        newest: undefined,
        inForce: undefined,
      }
      this.#tracks.set(series.id, track)
      const countries = this.#countries.get(series.indicator) ?? new Set()
      this.#countries.set(series.indicator, countries.add(series.country))
      const key = servingKey(series)
      const ranked = [...(this.#ranked.get(key) ?? []), track]
      this.#ranked.set(
        key,
        ranked.sort((a, b) => compareForServing(a.series, b.series)),
      )
    }
    track.inForce = undefined
    const { releases, partial, withdrawn } = track
    if (release.voids !== null) {
      // A release that never was true, and without one in its place.
      for (const place of [releases, partial, withdrawn]) place.delete(period)
      if (period === track.newest) track.newest = [...releases.keys()].sort().at(-1)
      if (releases.size + partial.size + withdrawn.size === 0) this.#forget(track)
      return
    }
    if (isWithdrawn(release) || lackingFigures(series.indicator, release.figures).length > 0) {
      const [place, other] = isWithdrawn(release) ? [withdrawn, partial] : [partial, withdrawn]
      place.set(period, release)
      other.delete(period)
      releases.delete(period)
      if (period === track.newest) track.newest = [...releases.keys()].sort().at(-1)
      return
    }
    partial.delete(period)
    withdrawn.delete(period)
    releases.set(period, release)
    if (period > (track.newest ?? '')) track.newest = period
  }

  /** Forgets a series whose prints were all voided: the read models do not have it either. */
  #forget({ series }: Track): void {
    const { id, indicator, country } = series
    this.#tracks.delete(id)
    const key = servingKey(series)
    this.#ranked.set(
      key,
      this.#series(country, indicator, series.frequency).filter((track) => track.series.id !== id),
    )
    const isLast = ![...this.#tracks.values()].some(
      ({ series: other }) => other.indicator === indicator && other.country === country,
    )
    if (isLast) this.#countries.get(indicator)?.delete(country)
  }

  /** The release of the latest period that `at` answers, of months before quarters before years. */
  latest(country: string, indicator: Indicator): Release | undefined {
    for (const frequency of frequencyOrder) {
      const newest = this.newest(country, indicator, frequency)
      if (newest) return this.at(country, indicator, newest)
    }
    return undefined
  }

  /** The latest period of a frequency that `at` answers; empty if there is none. */
  newest(country: string, indicator: Indicator, frequency: Frequency): string {
    return latest(...this.#series(country, indicator, frequency).map((track) => track.newest ?? ''))
  }

  /** The release of one exact period, from the best series that has it. */
  at(country: string, indicator: Indicator, period: string): Release | undefined {
    return this.#best('releases', country, indicator, period)
  }

  /** The release from which the history has a period: the one of `at`, or the best that lacks a figure of the body. */
  inHistory(country: string, indicator: Indicator, period: string): Release | undefined {
    return this.at(country, indicator, period) ?? this.#best('partial', country, indicator, period)
  }

  /** The release that withdrew the figure of a period which `at` does not answer. Undefined if none did. */
  withdrawal(country: string, indicator: Indicator, period: string): Release | undefined {
    return this.at(country, indicator, period) ? undefined : this.#best('withdrawn', country, indicator, period)
  }

  /**
   * The releases that only the histories have, oldest first: each lacks a figure that the body needs, and no series has all
   * of them for its period.
   */
  partial(country: string, indicator: Indicator, frequency: Frequency): Release[] {
    const periods = new Set(this.#series(country, indicator, frequency).flatMap(({ partial }) => [...partial.keys()]))
    return [...periods].sort().flatMap((period) => {
      return this.at(country, indicator, period) ? [] : (this.inHistory(country, indicator, period) ?? [])
    })
  }

  /** The best series of a country, indicator and frequency. */
  servedSeries(country: string, indicator: Indicator, frequency: Frequency): Series | undefined {
    return this.#series(country, indicator, frequency)[0]?.series
  }

  /** All series of a country and indicator, served or not, those of a frequency best first. */
  seriesOf(country: string, indicator: Indicator): Series[] {
    return frequencyOrder.flatMap((frequency) =>
      this.#series(country, indicator, frequency).map(({ series }) => series),
    )
  }

  /** The current releases of a series that have figures, also those that lack one which the body needs, by period. */
  inForce(seriesId: string): readonly Release[] {
    const track = this.#tracks.get(seriesId)
    if (!track) return []
    track.inForce ??= [...track.releases.values(), ...track.partial.values()].sort((a, b) =>
      compareText(a.period, b.period),
    )
    return track.inForce
  }

  /** The current release of any series, served or not, that has all figures; undefined if they were withdrawn. */
  current(seriesId: string, period: string): Release | undefined {
    return this.#tracks.get(seriesId)?.releases.get(period)
  }

  /** Countries with a release of an indicator, in the order of their codes. */
  countries(indicator: Indicator): string[] {
    return [...(this.#countries.get(indicator) ?? [])].sort()
  }

  /** Every period that `at` answers for a country, indicator and frequency, oldest first. */
  periods(country: string, indicator: Indicator, frequency: Frequency): string[] {
    const series = this.#series(country, indicator, frequency)
    return [...new Set(series.flatMap(({ releases }) => [...releases.keys()]))].sort()
  }

  /** Whether a request for the release's period is answered with this release. */
  isAnswer({ release_id, series, period }: Release): boolean {
    return this.at(series.country, series.indicator, period)?.release_id === release_id
  }

  /** The release of a period in one of the places of the best series that has it there. */
  #best(
    place: 'releases' | 'partial' | 'withdrawn',
    country: string,
    indicator: Indicator,
    period: string,
  ): Release | undefined {
    const frequency = frequencyOf(period)
    if (!frequency) return undefined
    return this.#series(country, indicator, frequency)
      .find((track) => track[place].has(period))
      ?.[place].get(period)
  }

  /** Best first. */
  #series(country: string, indicator: Indicator, frequency: Frequency): readonly Track[] {
    return this.#ranked.get(servingKey({ country, indicator, frequency })) ?? []
  }

  /** `recorded_at` of the newest release applied; empty before the first. */
  get recordedAt(): string {
    return this.#recordedAt
  }

  /** Number of current releases with figures. */
  get size(): number {
    return [...this.#tracks.values()].reduce((sum, { releases, partial }) => sum + releases.size + partial.size, 0)
  }

  /**
   * Makes an empty board equal to another one, by the releases and the time that it gives: `releases()` has no release that is
   * the newest and not current.
   */
  restore(releases: Iterable<Release>, recordedAt: string): void {
    for (const release of releases) this.apply(release)
    this.#recordedAt = recordedAt
  }

  /** The current releases, also those that lack figures or withdrew them. */
  *releases(): Generator<Release> {
    for (const { releases, partial, withdrawn } of this.#tracks.values()) {
      yield* releases.values()
      yield* partial.values()
      yield* withdrawn.values()
    }
  }
}
