import type { Indicator } from '../contracts/indicators.ts'
import type { KnownSeries } from '../domain/history-row.ts'
import type { CurrentHistory } from './current-history.ts'
import type { ApiDeps } from './deps.ts'
import type { ReadModelReach } from './read-model-reach.ts'
import { RecentlyUsed } from './recently-used.ts'
import { behindSnapshot } from './snapshot-cursor.ts'

type Deps = Pick<ApiDeps, 'newestRelease'> & {
  readonly history: Pick<ApiDeps['history'], 'series' | 'watermark'>
  readonly current: Pick<CurrentHistory, 'series'>
  readonly releaseIndex: Pick<ApiDeps['releaseIndex'], 'changes'>
  readonly reach: Pick<ReadModelReach, 'includes'>
  readonly monotonic: () => number
}

/** Countries and indicators of which the read model's list is kept. */
const MOST_KEPT = 5_000

/** The series that a country and indicator have: from memory where that has them, or else from the read model. */
export class SeriesOfCell {
  readonly #deps: Deps
  /** Lists of the read model, which say since when each series has figures: needed as of any day, and the same for all days. */
  readonly #kept: RecentlyUsed<Promise<readonly KnownSeries[]>>

  constructor(deps: Deps) {
    this.#deps = deps
    this.#kept = new RecentlyUsed(MOST_KEPT, deps.monotonic)
  }

  /** Those that have a release now. `asOf`: the day as of which they are to be chosen; empty: none. */
  async now(country: string, indicator: Indicator, asOf: string): Promise<readonly KnownSeries[]> {
    const { history, current, releaseIndex, newestRelease, reach } = this.#deps
    const found = await current.series([{ country, indicator }], asOf)
    if (found) return found
    const read = () => history.series(country, indicator, Number.MAX_SAFE_INTEGER)
    // Now: memory lacks a release, or the read model does. Without a release in memory the history may be that of a day.
    if (asOf === '' || newestRelease() < 0) return read()
    const key = `${country} ${indicator} ${releaseIndex.changes(country, indicator)}`
    // What the read model lacks now, the list may lack, also for who asks while it is read.
    if (!(await reach.includes([{ country, indicator }]))) return read()
    const known = this.#kept.get(key)
    if (known) return known
    const series = read()
    this.#kept.set(key, series, 1)
    series.catch(() => this.#kept.drop(key, series))
    return series
  }

  /** Those that had a release at the snapshot of a later page. Throws `unavailable` while that is not reached. */
  async at(
    country: string,
    indicator: Indicator,
    { asOf, snapshot }: { readonly asOf: string; readonly snapshot: number },
  ): Promise<readonly KnownSeries[]> {
    const { history, current } = this.#deps
    const found = await current.series([{ country, indicator }], asOf, snapshot)
    if (found) return found
    const watermark = await history.watermark()
    if (watermark === undefined || watermark < snapshot) throw behindSnapshot()
    return history.series(country, indicator, snapshot)
  }
}
