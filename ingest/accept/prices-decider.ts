import { isServedSymbol } from '../../contracts/instruments.ts'
import { newestPriceKey } from '../../journal/layout.ts'
import { type HeldPrices, heldPricesOf } from '../judge/plausible-prices.ts'
import type { Item, Price, Reject } from '../source.ts'
import { canonicalPrice } from './canonical-price.ts'
import { heldPricesInput } from './held.ts'
import { priceTick } from './price-tick.ts'
import type { PricesOnRecord } from './prices-on-record.ts'
import type { DecidedDocument } from './recorded-quarantine.ts'
import type { Drafting, Drafts } from './transaction.ts'

/** Decides on the prices of one document, beside those on record. */
export class PricesDecider {
  readonly recorded: PricesOnRecord
  readonly #decided: DecidedDocument
  #held: ReadonlySet<Item> = new Set()
  /** When prices were judged last, UTC milliseconds; undefined if a person has approved them. */
  #judgedAt: number | undefined

  constructor(decided: DecidedDocument, recorded: PricesOnRecord) {
    this.#decided = decided
    this.recorded = recorded
  }

  /**
   * Judges prices that are decided on together. Yields a transaction for the judgement and one for each symbol that is held.
   * They come before those of the prices, because what is held must be on record when others are.
   */
  *judge(items: readonly Item[]): Generator<Drafting> {
    let held: readonly HeldPrices[] = []
    yield ({ at }) => {
      this.#judgedAt = at
      held = heldPricesOf(items, at, (symbol, prices) =>
        this.recorded.pricesToCompare(this.#decided.document, symbol, prices, at),
      )
    }
    for (const one of held) yield (drafts) => this.#hold(one, drafts)
    this.#held = new Set(held.flatMap(({ prices }) => prices))
  }

  /** Decides on a price, and takes it as on record if it is news. Passes over one that is held. */
  decide(price: Price, drafts: Drafts): void {
    if (this.#held.has(price)) return
    const { symbol, observedAt: observed_at } = price
    // Sources that restate their history go on with retired currencies. Elsewhere such a symbol is probably mistyped.
    if (!isServedSymbol(symbol)) {
      if (this.recorded.restatesHistory) drafts.tally.unserved++
      else this.#reject(price, unknownSymbol(symbol), drafts)
      return
    }
    // What lay in the future when the prices were judged was not judged, so it still lies there.
    const asOf = this.#judgedAt ?? drafts.at
    const read = canonicalPrice(price, asOf)
    if ('reason' in read) {
      this.#reject(price, read, drafts)
      return
    }
    const { at, recordedAt: recorded_at } = drafts
    const { document, approval } = this.#decided
    const decision = this.recorded.decide(document, price, read.canonical, at, asOf)
    // An approved price is written even if a newer one is on record by then.
    if (decision === 'unchanged' || decision === 'outdated' || (decision === 'older' && !approval)) {
      drafts.tally[decision]++
      return
    }
    const { history, newest } = decision === 'older' ? {} : decision
    const restatement = history?.value.restates == null ? undefined : history.id
    const { source, url } = document
    const tick = priceTick({ symbol, source, price: read.canonical, observed_at, recorded_at, url }, restatement)
    drafts.tally[restatement === undefined ? 'prices' : 'restated']++
    drafts.ticks.push({ ...tick, at })
    if (history) drafts.history.push(history)
    if (newest) drafts.newest.set(newestPriceKey(newest.value), newest)
  }

  #reject(price: Price, fault: Pick<Reject, 'reason' | 'detail'>, drafts: Drafts): void {
    const bytes = Buffer.from(JSON.stringify(price))
    const { document, inputs } = this.#decided
    inputs.reject(document, drafts, { ...fault, location: price.location }, bytes)
  }

  /** Prices of a source that does not restate its history are on record once they are approved, whatever is newer by then. */
  #hold(held: HeldPrices, drafts: Drafts): void {
    const { document, inputs } = this.#decided
    const input = heldPricesInput(document, held)
    if (!this.recorded.restatesHistory && inputs.isApproved(input)) drafts.tally.unchanged += held.prices.length
    else inputs.hold(document, drafts, input, held.prices.length)
  }
}

const unknownSymbol = (symbol: string): Pick<Reject, 'reason' | 'detail'> => ({
  reason: 'unknown_symbol',
  detail: `No instrument has the symbol ${JSON.stringify(symbol)}. GET /v1/catalog/instruments lists them.`,
})
