import type { Claim } from '../../journal/journal.ts'
import { newestPriceKey } from '../../journal/layout.ts'
import { type HeldPrices, heldPricesOf } from '../judge/plausible-prices.ts'
import type { Document, Item, Price } from '../source.ts'
import { decidePrice } from './decide-price.ts'
import { type Approval, heldPricesInput } from './held.ts'
import type { PricesOnRecord } from './prices-on-record.ts'
import type { DocumentQuarantine } from './recorded-quarantine.ts'
import type { Drafting, Drafts } from './transaction.ts'

/** Decides on the prices of one document, beside those on record. */
export class PricesDecider {
  readonly #document: Document
  readonly #recorded: PricesOnRecord
  readonly #inputs: DocumentQuarantine
  readonly #approval: Approval | undefined
  #held: ReadonlySet<Item> = new Set()
  /** When prices were judged last, UTC milliseconds; undefined if a person has approved them. */
  #judgedAt: number | undefined

  constructor(
    document: Document,
    recorded: PricesOnRecord,
    inputs: DocumentQuarantine,
    approval: Approval | undefined,
  ) {
    this.#document = document
    this.#recorded = recorded
    this.#inputs = inputs
    this.#approval = approval
  }

  /** Reads what any process has written since the last call. `claim` is the caller's own, of any name. */
  catchUp(claim: Claim): Promise<void> {
    return this.#recorded.catchUp(claim)
  }

  /** Drops what is known of the journal, because it may not be written. */
  forget(): void {
    this.#recorded.forget()
  }

  /** Whether a transaction whose outcome was unknown is in the journal. Undefined if its drafts do not tell. */
  isRecorded(drafts: Drafts): boolean | undefined {
    return this.#recorded.isRecorded(drafts)
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
        this.#recorded.pricesToCompare(this.#document, symbol, prices, at),
      )
    }
    for (const one of held) yield (drafts) => this.#hold(one, drafts)
    this.#held = new Set(held.flatMap(({ prices }) => prices))
  }

  /** Decides on a price, and takes it as on record if it is news. Passes over one that is held. */
  decide(price: Price, drafts: Drafts): void {
    if (this.#held.has(price)) return
    // What lay in the future when the prices were judged was not judged, so it still lies there.
    const asOf = this.#judgedAt ?? drafts.at
    const decision = decidePrice(
      this.#document,
      price,
      { at: drafts.at, asOf },
      this.#recorded,
      this.#approval !== undefined,
    )
    switch (decision.outcome) {
      case 'unserved':
      case 'unchanged':
      case 'older':
      case 'outdated':
        drafts.tally[decision.outcome]++
        return
      case 'rejected': {
        const bytes = Buffer.from(JSON.stringify(price))
        this.#inputs.reject(drafts, { ...decision.fault, location: price.location }, bytes)
        return
      }
      default:
        drafts.tally[decision.outcome]++
        drafts.ticks.push(decision.tick)
        if (decision.history) drafts.history.push(decision.history)
        if (decision.newest) drafts.newest.set(newestPriceKey(decision.newest.value), decision.newest)
    }
  }

  /** Prices of a source that does not restate its history are on record once they are approved, whatever is newer by then. */
  #hold(held: HeldPrices, drafts: Drafts): void {
    const input = heldPricesInput(this.#document, held)
    if (!this.#recorded.restatesHistory && this.#inputs.isApproved(input)) drafts.tally.unchanged += held.prices.length
    else this.#inputs.hold(drafts, input, held.prices.length)
  }
}
