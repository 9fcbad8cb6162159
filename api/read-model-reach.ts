import type { ApiDeps } from './deps.ts'

/** An indicator of a country, of which releases are. */
export type Subject = { readonly country: string; readonly indicator: string }

type Deps = Pick<ApiDeps, 'newestRelease' | 'recentReleases'> & {
  readonly history: Pick<ApiDeps['history'], 'watermark'>
}

/** Most releases that are looked through for those about some subjects. */
const MOST_LACKING = 500

/** Tells whether the read model has the releases that are in memory. It is asked only while it may lack some. */
export class ReadModelReach {
  readonly #deps: Deps
  /** The greatest offset that the read model was seen to have. */
  #projected = -1
  #asking: Promise<void> | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Whether it has all of them, or all about some subjects. */
  async includes(subjects?: readonly Subject[]): Promise<boolean> {
    if (this.#lacksNone(subjects)) return true
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined))
    await this.#asking
    return this.#lacksNone(subjects)
  }

  async #ask(): Promise<void> {
    this.#projected = Math.max(this.#projected, (await this.#deps.history.watermark()) ?? -1)
  }

  #lacksNone(subjects: readonly Subject[] | undefined): boolean {
    const { newestRelease, recentReleases } = this.#deps
    if (this.#projected >= newestRelease()) return true
    const lacking = subjects && recentReleases.since(this.#projected)
    if (!lacking) return false
    // It is asked now and then, whatever the subjects, so that this stays short.
    if (lacking.length > MOST_LACKING) return false
    const names = new Set(subjects.map(nameOf))
    return !lacking.some(({ release: { series } }) => names.has(nameOf(series)))
  }
}

const nameOf = ({ country, indicator }: Subject): string => `${country}/${indicator}`
