import { createHash } from 'node:crypto'
import type { Series } from '../../contracts/records.ts'
import type { Document, Item } from '../../ingest/source.ts'
import { testDocument, testSeries } from '../support/releases.ts'
import type { StatedDocument, StatedFigure, StatedPrice } from './evidence.ts'

const COUNTRIES = ['USA', 'DEU', 'JPN']
/** Months of which inflation can be computed for 2025-01 and 2025-02. */
const PERIODS = ['2024-01', '2024-02', '2024-12', '2025-01', '2025-02']
const SYMBOLS = ['XAU-USD', 'EUR-USD', 'WTI-USD']
/** First day on which figures were stated, and number of days until the last one. */
const FIRST_DAY = Date.UTC(2025, 4, 1)
const DAYS = 240
const REVISIONS = 5
const DAY_MS = 86_400_000

/**
 * A figure of the world. It is revised on some days, always upwards, and withdrawn for good on the day `end`, so that no value
 * returns.
 */
type Place = {
  readonly series: Series
  readonly period: string
  readonly base: number
  readonly changes: readonly number[]
  readonly end: number
}

/** A document for the acceptor, and what it states for the judges. */
export type Publication = {
  readonly document: Document
  readonly items: readonly Item[]
  readonly stated: StatedDocument
}

/**
 * A publisher whose documents state figures as of a day, in any order of days. It draws whatever it publishes. The truth about a
 * figure is a function of the day, which the judges compare with what is served.
 */
export class Publisher {
  readonly #random: () => number
  readonly #places: readonly Place[]
  #documents = 0
  #prices = 0

  constructor(random: () => number) {
    this.#random = random
    this.#places = COUNTRIES.flatMap((country) => {
      // All figures of some countries end as withdrawn.
      const withdrawn = random() < 0.3 ? 1 : 0.25
      return PERIODS.map((period, i) => ({
        series: testSeries({ country }),
        period,
        base: 1_000 + 5 * i,
        changes: Array.from({ length: REVISIONS }, () => this.#below(DAYS)).toSorted((a, b) => a - b),
        end: random() < withdrawn ? this.#below(DAYS) : DAYS,
      }))
    })
  }

  figures(): Publication {
    const country = COUNTRIES[this.#below(COUNTRIES.length)]
    const days = Array.from({ length: 1 + this.#below(2) }, () => this.#below(DAYS)).toSorted((a, b) => a - b)
    const places = this.#places.filter(({ series }) => series.country === country && this.#random() < 0.5)
    const figures = days.flatMap((day) => places.map((place) => statedOn(place, day)))
    const items = figures.map(({ place: { series }, stated: { period, on, value } }, i): Item => {
      const common = { series, period, released: { on, basis: 'publisher' }, location: `row ${i}` } as const
      return value === null
        ? { kind: 'missing', ...common }
        : { kind: 'figure', figures: { value: { printed: value } }, ...common }
    })
    const faults = this.#random() < 0.15 ? ['row of letters'] : []
    for (const location of faults)
      items.push({ kind: 'reject', reason: 'not_a_decimal', detail: 'letters', location, text: 'abc' })
    return this.#publication(items, { figures: figures.map(({ stated }) => stated), prices: [], faults })
  }

  /** Prices that were observed a while before `now`, UTC ms, each at another time. */
  prices(now: number): Publication {
    const observedAt = new Date(now - 120_000 + (this.#prices++ % 1_000)).toISOString()
    const symbols = SYMBOLS.filter(() => this.#random() < 0.6)
    const prices: StatedPrice[] = symbols.map((symbol) => ({
      symbol,
      observedAt,
      price: (symbol === 'EUR-USD' ? 1 + this.#below(100) / 100_000 : 1_000 + this.#below(100) / 100).toFixed(5),
    }))
    const items: Item[] = prices.map(({ symbol, price }, i) => ({
      kind: 'price',
      symbol,
      printed: price,
      observedAt,
      location: `line ${i}`,
    }))
    return this.#publication(items, { figures: [], prices, faults: [] })
  }

  #publication(items: Item[], stated: Pick<StatedDocument, 'figures' | 'prices' | 'faults'>): Publication {
    const bytes = Buffer.from(`document ${++this.#documents}`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const document: Document = { ...testDocument, retrievedAt: null, bytes, sha256 }
    return { document, items, stated: { sha256, ...stated, isAcknowledged: false } }
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }
}

function statedOn(place: Place, day: number): { readonly place: Place; readonly stated: StatedFigure } {
  const { series, period, base, changes, end } = place
  const on = new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10)
  const value = ((base + changes.filter((change) => change <= day).length) / 10).toFixed(1)
  return { place, stated: { series: series.id, period, on, value: day < end ? value : null } }
}
