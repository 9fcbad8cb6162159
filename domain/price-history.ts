import type { HistoricPrice } from '../contracts/records.ts'
import { equalDecimals } from './decimal.ts'

/** A price, its edition's day (null: unknown) and the document that states it. */
export type StatedPrice = Pick<HistoricPrice, 'symbol' | 'observed_at' | 'price' | 'released_on' | 'sha256'>

type KnownPrice = Pick<HistoricPrice, 'price' | 'released_on' | 'sha256'>

type PriceDecision =
  | { readonly outcome: 'new' }
  | { readonly outcome: 'unchanged' }
  /** The price on record, stated by an edition that might have restated it. */
  | { readonly outcome: 'repeated' }
  | { readonly outcome: 'restated'; readonly restates: string }

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
    if (!supersedes(stated, known)) return { outcome: 'unchanged' }
    if (equalDecimals(known.price, stated.price)) return { outcome: 'repeated' }
    return { outcome: 'restated', restates: known.price }
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
 * Whether another price takes the place of the one on record. The later edition wins, and any edition with a day wins
 * over one without. Of two documents of one day, the one that was read last is the later one. A document that states
 * two prices of one time means the first.
 */
function supersedes(stated: KnownPrice, known: KnownPrice): boolean {
  const [day, knownDay] = [stated.released_on ?? '', known.released_on ?? '']
  return day > knownDay || (day === knownDay && stated.sha256 !== known.sha256)
}
