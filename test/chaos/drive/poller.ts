import type { Random } from '../random.ts'
import { sleep } from '../wait.ts'
import { countries, held, indicators, type Ledger, placeOf } from './figures.ts'
import type { Rest } from './rest.ts'

const EVERY_MS = 300

export const pathOf = (country: string, indicator: string): string =>
  `/v1/economics/${country}/${indicator.replace('trade-', 'trade/')}`

/** Asks for figures all the time. An answer must be one that was printed, and never an older one than before. */
export class Poller {
  readonly violations: string[] = []
  readonly #rest: Rest
  readonly #ledger: Ledger
  readonly #random: Random
  readonly #seen = new Map<string, number>()
  readonly #done: Promise<void>
  #isClosed = false

  constructor(rest: Rest, ledger: Ledger, random: Random) {
    this.#rest = rest
    this.#ledger = ledger
    this.#random = random
    this.#done = this.#run()
  }

  close(): Promise<void> {
    this.#isClosed = true
    return this.#done
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      const country = this.#random.pick(countries)
      const indicator = this.#random.pick(indicators)
      const months = this.#ledger.months(country, indicator)
      if (months.length > 0) await this.#ask(country, indicator, this.#random.pick(months))
      await sleep(EVERY_MS)
    }
  }

  async #ask(country: string, indicator: string, period: string): Promise<void> {
    const place = placeOf(country, indicator, period)
    const before = this.#seen.get(place) ?? -1
    const body = await this.#rest.get<{ value: string }>(`${pathOf(country, indicator)}?period=${period}`)
    if (!body) return
    const at = (this.#ledger.chains.get(place) ?? []).map((tenths) => held(indicator, tenths)).indexOf(body.value)
    if (at < 0) this.violations.push(`REST serves ${body.value} for ${place}, which was never printed`)
    else if (at < before) this.violations.push(`REST serves an older print of ${place} than before`)
    this.#seen.set(place, Math.max(at, before))
  }
}
