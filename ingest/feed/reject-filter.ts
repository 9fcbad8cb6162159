const MINUTE_MS = 60_000

/** Number of input ids kept in memory; beyond it the oldest is forgotten. */
const MAX_KNOWN = 50_000

type Decision = 'keep' | 'known' | 'over_budget'

/**
 * Decides which rejected inputs of a feed go into quarantine: each input once, and at most `perMinute`, so that a
 * broken feed can't fill it.
 */
export class RejectFilter {
  readonly #perMinute: number
  readonly #known = new Set<string>()
  #window = { from: Number.NEGATIVE_INFINITY, kept: 0 }

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Remembers an input that is in quarantine already. */
  learn(inputId: string): void {
    this.#known.add(inputId)
    for (const oldest of this.#known) {
      if (this.#known.size <= MAX_KNOWN) break
      this.#known.delete(oldest)
    }
  }

  /** Decides on one input at `now`, UTC milliseconds. */
  decide(inputId: string, now: number): Decision {
    if (this.#known.has(inputId)) return 'known'
    if (now - this.#window.from >= MINUTE_MS || now < this.#window.from) this.#window = { from: now, kept: 0 }
    if (this.#window.kept >= this.#perMinute) return 'over_budget'
    this.#window.kept++
    this.learn(inputId)
    return 'keep'
  }
}
