import type { Claim } from '../../journal/journal.ts'
import type { Draft } from '../../journal/typed.ts'
import type { JudgedPrice, PricesToCompare } from '../judge/plausible-prices.ts'
import type { Document, Price } from '../source.ts'
import type { Drafts } from './transaction.ts'

/** The record to write beside the tick of a price: to `price_history` if its source restates its history. */
type PriceRecord = {
  readonly history?: Draft<'price_history'>
  readonly newest?: Draft<'newest_prices'>
}

/** What a price is against those on record: news with its record, or no news. */
export type PriceDecision = PriceRecord | 'unchanged' | 'older' | 'outdated'

/** The prices on record beside those of a document: all of its source if that restates its history, or else the newest. */
export type PricesOnRecord = {
  /** Whether the documents of the source state its whole history again (`sourcesWithHistory`). */
  readonly restatesHistory: boolean
  /** Reads what any process has written since the last call. `claim` is the caller's own, of any name. */
  catchUp(claim: Claim): Promise<void>
  /** Drops what is known of the journal, because it may not be written. */
  forget(): void
  /** Whether a transaction whose outcome was unknown is in the journal. Undefined if its drafts do not tell. */
  isRecorded(drafts: Drafts): boolean | undefined
  /** The prices of a symbol that are judged, and those on record to compare them with. `at` is UTC milliseconds. */
  pricesToCompare(document: Document, symbol: string, prices: readonly JudgedPrice[], at: number): PricesToCompare
  /**
   * Decides whether a price is news, and takes it as on record if it is. A price can be `older` than the newest: nobody knows
   * whether it is on record. `at` is UTC milliseconds, and `asOf` those as of which the day of the edition may lie in the future.
   */
  decide(document: Document, price: Price, canonical: string, at: number, asOf: number): PriceDecision
}
