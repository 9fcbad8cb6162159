import type { ApiDeps } from './deps.ts'

/** An indicator of a country, of which releases are. */
export type Subject = { readonly country: string; readonly indicator: string }

type Deps = Pick<ApiDeps, 'newestRelease' | 'recentReleases'> & {
  readonly history: Pick<ApiDeps['history'], 'watermark'>
}

/** Tells whether the read model has the releases that are in memory. It is asked only while it may lack some. */
export class ProjectedReleases {
  readonly #deps: Deps
  /** The greatest offset that the read model was seen to have. */
  #projected = -1

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Whether it has all of them, or all about some subjects. */
  async include(subjects?: readonly Subject[]): Promise<boolean> {
    if (this.#lacksNone(subjects)) return true
    this.#projected = Math.max(this.#projected, (await this.#deps.history.watermark()) ?? -1)
    return this.#lacksNone(subjects)
  }

  #lacksNone(subjects: readonly Subject[] | undefined): boolean {
    const { newestRelease, recentReleases } = this.#deps
    if (this.#projected >= newestRelease()) return true
    const lacking = subjects && recentReleases.since(this.#projected)
    if (!lacking) return false
    return !lacking.some(({ release: { series } }) =>
      subjects.some(({ country, indicator }) => country === series.country && indicator === series.indicator),
    )
  }
}
