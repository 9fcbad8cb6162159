import type { DatasetFetch, Series } from '../contracts/records.ts'
import { datasetsOf } from './derive/trade.ts'

/** When each dataset was last fetched, as a fold over the topic `fetches`. */
export class FetchBoard {
  readonly #fetchedAt = new Map<string, string>()

  apply(fetch: DatasetFetch): void {
    // The last record, which is what compaction keeps, also if the clock of an earlier one was ahead.
    this.#fetchedAt.set(nameOf(fetch), fetch.fetched_at)
  }

  /**
   * When the last fetch of the series' dataset had ended; of several datasets, the earliest of their times. Null if it is not
   * known of one.
   */
  lastOf(series: Pick<Series, 'source' | 'dataset'>): string | null {
    const { source } = series
    const times = datasetsOf(series).map((dataset) => this.#fetchedAt.get(nameOf({ source, dataset })) ?? '')
    return times.sort()[0] || null
  }
}

const nameOf = ({ source, dataset }: Pick<Series, 'source' | 'dataset'>): string => `${source} ${dataset}`
