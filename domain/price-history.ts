import type { HistoricPrice } from '../contracts/records.ts'
import { equalDecimals } from './decimal.ts'
import { inOrder, type Value } from './plausibility/view.ts'

/** A price, its edition's day (null: unknown) and the document that states it. */
export type StatedPrice = Pick<HistoricPrice, 'symbol' | 'observed_at' | 'price' | 'released_on' | 'sha256'>

type KnownPrice = Pick<HistoricPrice, 'price' | 'released_on' | 'sha256'>

type PriceDecision =
  /** `outdated`: another price, which does not take the place of the one on record. */
  { readonly outcome: 'new' | 'unchanged' | 'outdated' } | { readonly outcome: 'restated'; readonly restates: string }

/**
 * The prices of one source on record, by symbol and time: a fold of `price_history`, in the order of the journal. The
 * source publishes one price for each time, and repeats its history in each edition.
 */
export class PriceHistory {
  readonly #symbols = new Map<string, Map<string, KnownPrice>>()
  /** One text for each document, because thousands of prices name the same one. */
  readonly #documents = new Map<string, string>()

  /** Decides what a price is against the one on record for its time. */
  decide(stated: StatedPrice): PriceDecision {
    const known = this.#symbols.get(stated.symbol)?.get(stated.observed_at)
    if (!known) return { outcome: 'new' }
    if (equalDecimals(known.price, stated.price)) return { outcome: 'unchanged' }
    return supersedes(stated, known) ? { outcome: 'restated', restates: known.price } : { outcome: 'outdated' }
  }

  /** The price on record of a symbol and time. */
  priceAt(symbol: string, at: string): string | undefined {
    return this.#symbols.get(symbol)?.get(at)?.price
  }

  /** The prices of a symbol on record, in order of time. */
  pointsOf(symbol: string): readonly Value[] {
    return inOrder([...(this.#symbols.get(symbol) ?? [])].map(([at, { price }]) => ({ at, value: Number(price) })))
  }

  /** Adds a price that is on record. The same one again changes nothing. */
  apply({ symbol, observed_at, price, released_on, sha256 }: StatedPrice): void {
    const byTime = this.#symbols.get(symbol) ?? new Map<string, KnownPrice>()
    this.#symbols.set(symbol, byTime)
    const document = this.#documents.get(sha256) ?? sha256
    this.#documents.set(document, document)
    byTime.set(observed_at, { price, released_on, sha256: document })
  }

  /** Whether the price on record for a time is this one, from the same document. */
  has({ symbol, observed_at, price, sha256 }: StatedPrice): boolean {
    const known = this.#symbols.get(symbol)?.get(observed_at)
    return known?.price === price && known.sha256 === sha256
  }
}

/**
 * The prices that one document has stated so far. If it states two prices for one time and day, it means the first. A
 * price that repeats the one on record is not written, so `PriceHistory` cannot tell that it was stated.
 */
export class StatedPrices {
  /** First price of each time, by symbol and day. */
  readonly #editions = new Map<string, Map<string, string>>()

  /** Whether a price is the first of its time and day, or the same one again: a document may be decided on twice. */
  isFirst({ symbol, observed_at, released_on, price }: StatedPrice): boolean {
    const edition = `${symbol} ${released_on}`
    const prices = this.#editions.get(edition) ?? new Map<string, string>()
    this.#editions.set(edition, prices)
    const first = prices.get(observed_at) ?? price
    prices.set(observed_at, first)
    return first === price
  }
}

/**
 * Whether another price takes the place of the one on record. The later edition wins, and any edition with a day wins
 * over one without. Nothing says which of two documents of one day is the later one, so that with the greater hash counts
 * as later: whatever the order in which they are read, and however often, the prices are the same.
 */
function supersedes(stated: KnownPrice, known: KnownPrice): boolean {
  const [day, knownDay] = [stated.released_on ?? '', known.released_on ?? '']
  return day > knownDay || (day === knownDay && stated.sha256 > known.sha256)
}
