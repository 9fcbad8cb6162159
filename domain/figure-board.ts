import type { Indicator } from '../contracts/indicators.ts'
import type { Frequency, Release, Series } from '../contracts/records.ts'
import { frequencyOf } from './period.ts'
import { compareForServing, latestOrder } from './served-series.ts'

type Track = { readonly series: Series; readonly releases: Map<string, Release>; newest: string }

/**
 * The current release of every series and period, and which series is served: what the latest and exact-period reads are
 * answered from, and what an event's `previous` is taken from. A fold over `releases`; one release at a time, in order.
 */
export class FigureBoard {
  readonly #tracks = new Map<string, Track>()
  /** Best series of a country, indicator and frequency. */
  readonly #served = new Map<string, Track>()
  #recordedAt = ''
  #count = 0

  apply(release: Release): void {
    const { series, period } = release
    let track = this.#tracks.get(series.id)
    if (!track) {
      track = { series, releases: new Map(), newest: period }
      this.#tracks.set(series.id, track)
      const place = placeOf(series.country, series.indicator, series.frequency)
      const served = this.#served.get(place)
      if (!served || compareForServing(series, served.series) < 0) this.#served.set(place, track)
    }
    if (!track.releases.has(period)) this.#count++
    track.releases.set(period, release)
    if (period > track.newest) track.newest = period
    if (release.recorded_at > this.#recordedAt) this.#recordedAt = release.recorded_at
  }

  /** The release of the greatest period of the served series, at the country's headline frequency. */
  latest(country: string, indicator: Indicator): Release | undefined {
    for (const frequency of latestOrder(country, indicator)) {
      const track = this.#served.get(placeOf(country, indicator, frequency))
      if (track) return track.releases.get(track.newest)
    }
    return undefined
  }

  /** The release of one exact period of the served series of that period's frequency. */
  at(country: string, indicator: Indicator, period: string): Release | undefined {
    const frequency = frequencyOf(period)
    return frequency && this.#served.get(placeOf(country, indicator, frequency))?.releases.get(period)
  }

  /** The series served for a country, indicator and frequency. */
  servedSeries(country: string, indicator: Indicator, frequency: Frequency): Series | undefined {
    return this.#served.get(placeOf(country, indicator, frequency))?.series
  }

  /** The current release of any series, served or not. */
  current(seriesId: string, period: string): Release | undefined {
    return this.#tracks.get(seriesId)?.releases.get(period)
  }

  isServed(series: Series): boolean {
    return this.#served.get(placeOf(series.country, series.indicator, series.frequency))?.series.id === series.id
  }

  /** `recorded_at` of the newest release taken in; empty before the first. */
  get recordedAt(): string {
    return this.#recordedAt
  }

  /** Current releases held. */
  get size(): number {
    return this.#count
  }

  *releases(): Generator<Release> {
    for (const track of this.#tracks.values()) yield* track.releases.values()
  }
}

const placeOf = (country: string, indicator: string, frequency: string): string =>
  `${country}/${indicator}/${frequency}`
