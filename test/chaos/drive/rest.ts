import type { Calls } from '../judge/quota.ts'

/** A REST client that counts its calls by what is known of each. */
export class Rest {
  readonly #base: string
  readonly #key: string
  readonly #calls = { granted: 0, uncertain: 0 }

  constructor(base: string, key: string) {
    this.#base = base
    this.#key = key
  }

  get calls(): Calls {
    return { ...this.#calls }
  }

  /** Counts a stream that was opened (`granted`), or of which that isn't known. */
  countStream(kind: keyof Calls): void {
    this.#calls[kind]++
  }

  /** Resolves with the body of a 200, else with undefined. `isFree`: a call that is not charged. */
  async get<B>(path: string, isFree = false): Promise<B | undefined> {
    let kind: keyof Calls = 'uncertain'
    try {
      const answer = await fetch(this.#base + path, {
        headers: { authorization: `Bearer ${this.#key}` },
        signal: AbortSignal.timeout(10_000),
      })
      if (answer.status === 200) kind = 'granted'
      const text = await answer.text()
      return answer.status === 200 ? (JSON.parse(text) as B) : undefined
    } catch {
      // The service is down or was killed in the midst of the answer: that is what the run is about.
      return undefined
    } finally {
      if (!isFree) this.#calls[kind]++
    }
  }
}
