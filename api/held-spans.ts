import { setTimeout as sleep } from 'node:timers/promises'

/** The periods of held figures of one series. Not all between the first and the last need be held. */
export type HeldSpan = {
  readonly series: string
  readonly country: string
  readonly indicator: string
  readonly from: string
  readonly to: string
}

/** How long what was read counts as new, and how long an answer waits for it; milliseconds. */
const FRESH_MS = 1_000
const PATIENCE_MS = 500

/**
 * Figures that wait for review. They are read again when they are asked for and were read a while ago. A read model that is
 * away or slow delays an answer only briefly: it then says what was known before.
 */
export class HeldSpans {
  readonly #locations: () => Promise<readonly string[]>
  #spans: readonly HeldSpan[] = []
  #reading: Promise<void> | undefined
  #startedAt = Number.NEGATIVE_INFINITY

  /** `locations` reads where held figures are from, as their records in quarantine say it. */
  constructor(locations: () => Promise<readonly string[]>) {
    this.#locations = locations
  }

  async spans(): Promise<readonly HeldSpan[]> {
    const now = performance.now()
    if (!this.#reading && now - this.#startedAt >= FRESH_MS) {
      this.#startedAt = now
      this.#reading = this.#read().finally(() => {
        this.#reading = undefined
      })
    }
    const leftMs = this.#startedAt + PATIENCE_MS - now
    if (this.#reading && leftMs > 0) await Promise.race([this.#reading, sleep(leftMs, undefined, { ref: false })])
    return this.#spans
  }

  async #read(): Promise<void> {
    try {
      this.#spans = (await this.#locations()).flatMap((location) => spanAt(location) ?? [])
    } catch {
      // The answer is still true without it, and /health names the read model that is away.
    }
  }
}

/** Reads `USA.cpi.M.BLS…, 2024-01 to 2024-12 (line 3)`, which `ingest/accept/held.ts` writes; undefined for prices. */
function spanAt(location: string): HeldSpan | undefined {
  const [, series, country, indicator, from, to = from] =
    /^(([A-Z]{3})\.([a-z-]+)\.\S*), (\S+?)(?: to (\S+))? \(/.exec(location) ?? []
  return series && country && indicator && from && to ? { series, country, indicator, from, to } : undefined
}
