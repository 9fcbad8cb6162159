import { seriesSources } from '../../contracts/instruments.ts'
import type { HistoricPrice, Tick } from '../../contracts/records.ts'
import type { Claim } from '../../journal/journal.ts'
import type { Draft, TypedJournal } from '../../journal/typed.ts'
import { type HeldPrices, heldPricesOf } from '../judge/plausible-prices.ts'
import type { Document, Item, Price } from '../source.ts'
import type { NewestPrices } from './newest-prices.ts'
import { RecordedPrices } from './recorded-prices.ts'

/** The prices of one document beside those on record: all of its source if that is a series, or else the newest. */
export class DocumentPrices {
  readonly #document: Document
  readonly #newest: NewestPrices
  /** Set if the source is a series. */
  readonly #recorded: RecordedPrices | undefined
  /** When prices were judged last, UTC milliseconds; undefined if a person has approved them. */
  #judgedAt: number | undefined

  constructor(journal: TypedJournal, document: Document, newest: NewestPrices) {
    this.#document = document
    this.#newest = newest
    if (seriesSources.includes(document.source)) this.#recorded = new RecordedPrices(journal, document.source)
  }

  get isSeries(): boolean {
    return this.#recorded !== undefined
  }

  /** Reads what any process has written since the last call. `claim` is the caller's own, of any name. */
  async catchUp(claim: Claim): Promise<void> {
    if (this.#recorded) await this.#recorded.catchUp()
    else await this.#newest.catchUp(claim)
  }

  /** Drops what is known of the journal, because it may not be written. */
  forget(): void {
    this.#recorded?.forget()
    this.#newest.forget()
  }

  /** Whether a record is the newest of its time. */
  has(record: HistoricPrice): boolean {
    return this.#recorded?.has(record) === true
  }

  /** Whether a tick is the newest of its symbol and source, which is no series. */
  isNewest(tick: Tick): boolean {
    return this.#newest.has(tick)
  }

  /** The implausible ones of the document's next prices. `at` is UTC milliseconds. */
  heldOf(items: Iterable<Item>, at: number): HeldPrices[] {
    this.#judgedAt = at
    return heldPricesOf(items, at, (symbol, prices) =>
      this.#recorded
        ? this.#recorded.pricesToCompare(this.#document, symbol, prices, at)
        : this.#newest.pricesToCompare(this.#document.source, symbol, prices),
    )
  }

  /**
   * The time, UTC milliseconds, as of which a price lies in the future or not, if it is decided on at `at`. It is that of judging:
   * what lay in the future then was not judged.
   */
  asOf(at: number): number {
    return this.#judgedAt ?? at
  }

  /**
   * Decides whether a price is news, and takes it as on record if it is. Of a series it returns the record to write. Of another
   * source a price can be `older` than the newest: nobody knows whether it is on record. One that is approved for the first
   * time is news all the same.
   */
  decide(
    price: Price,
    canonical: string,
    at: number,
    approved: 'first' | 'again' | undefined,
  ): Draft<'price_history'> | 'news' | 'unchanged' | 'older' {
    if (this.#recorded) return this.#recorded.decide(this.#document, price, canonical, at, this.asOf(at)) ?? 'unchanged'
    const decision = this.#newest.decide(this.#document.source, price, canonical)
    if (!approved) return decision
    return approved === 'first' ? 'news' : 'unchanged'
  }
}
