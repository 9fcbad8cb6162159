import type { HistoricPrice } from '../contracts/records.ts'
import { latestDayAt } from '../domain/decide-release.ts'
import { derivedId } from '../domain/ids.ts'
import { PriceHistory, StatedPrices } from '../domain/price-history.ts'
import type { Draft, TypedJournal } from '../journal/typed.ts'
import type { Document, Price } from './source.ts'

/**
 * The prices of one source on record, read from `price_history`, for one document. It is held while the document is
 * accepted, and read only if the document has prices: the history of reference rates has 220,000 records.
 */
export class RecordedPrices {
  readonly #journal: TypedJournal
  readonly #source: string
  readonly #stated = new StatedPrices()
  #history = new PriceHistory()
  #seen = 0

  constructor(journal: TypedJournal, source: string) {
    this.#journal = journal
    this.#source = source
  }

  /** Reads what any process has written since the last call. */
  async catchUp(): Promise<void> {
    for await (const batch of this.#journal.readToEnd('price_history', 0, this.#seen)) {
      for (const { value } of batch.records) if (value.source === this.#source) this.#history.apply(value)
      this.#seen = batch.next
    }
  }

  /** Drops what is known of the journal, because it may not be written. What the document has stated stays true. */
  forget(): void {
    this.#history = new PriceHistory()
    this.#seen = 0
  }

  /** Returns the record to write, or undefined if the price changes nothing. `at` is UTC milliseconds. */
  decide(document: Document, price: Price, canonical: string, at: number): Draft<'price_history'> | undefined {
    const recorded_at = new Date(at).toISOString()
    const released = releasedOf(document, price, recorded_at)
    const { symbol, observedAt: observed_at, location } = price
    const { source, dataset, url, sha256 } = document
    const stated = { symbol, observed_at, price: canonical, released_on: released?.on ?? null, sha256 }
    if (!this.#stated.isFirst(stated)) return undefined
    const decision = this.#history.decide(stated)
    if (decision.outcome === 'unchanged') return undefined
    this.#history.apply(stated)
    const restates = decision.outcome === 'restated' ? decision.restates : null
    const value: HistoricPrice = {
      ...stated,
      source,
      restates,
      released_on_basis: released?.basis ?? null,
      recorded_at,
      dataset,
      url,
      location,
    }
    // With the document, because a price may return to an earlier value, even on one day.
    return { value, id: derivedId('hpr', symbol, source, observed_at, canonical, stated.released_on ?? '', sha256), at }
  }

  /** Whether a record is the newest of its time. */
  has(record: HistoricPrice): boolean {
    return this.#history.has(record)
  }
}

/** The day of the edition. One after the day of acceptance is wrong: no real edition could be later and restate it. */
function releasedOf({ lastUpdated }: Document, { released }: Price, at: string): Price['released'] {
  const stated = released ?? (lastUpdated === undefined ? undefined : ({ on: lastUpdated, basis: 'dataset' } as const))
  return stated && stated.on <= latestDayAt(at) ? stated : undefined
}
