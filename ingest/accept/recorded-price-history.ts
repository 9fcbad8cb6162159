import type { HistoricPrice } from '../../contracts/records.ts'
import { latestDay } from '../../domain/day.ts'
import { derivedId } from '../../domain/ids.ts'
import { PriceHistory, type StatedPrice, StatedPrices } from '../../domain/price-history.ts'
import { CatchUp, type TypedJournal } from '../../journal/typed.ts'
import type { JudgedPrice, PricesToCompare } from '../judge/plausible-prices.ts'
import type { Document, Price } from '../source.ts'
import { canonicalPrice } from './canonical-price.ts'
import type { PriceDecision, PricesOnRecord } from './prices-on-record.ts'
import type { Drafts } from './transaction.ts'

/**
 * The prices of one source on record, read from `price_history`, for one document. It is held while the document is
 * accepted, and read only if the document has prices: the history of reference rates has 220,000 records.
 */
export class RecordedPriceHistory implements PricesOnRecord {
  readonly restatesHistory = true
  readonly #prices: CatchUp<'price_history'>
  readonly #source: string
  readonly #stated = new StatedPrices()
  #history = new PriceHistory()

  constructor(journal: TypedJournal, source: string) {
    this.#prices = new CatchUp(journal, 'price_history')
    this.#source = source
  }

  async catchUp(): Promise<void> {
    await this.#prices.read(({ value }) => {
      if (value.source === this.#source) this.#history.apply(value)
    })
  }

  /** Drops what is known of the journal, because it may not be written. What the document has stated stays true. */
  forget(): void {
    this.#history = new PriceHistory()
    this.#prices.forget()
  }

  /**
   * The prices of a symbol that are judged, and those on record to compare them with: none if all are on record, none
   * that an earlier edition states otherwise than the record, and of two of a time the first. `at` is UTC milliseconds.
   */
  pricesToCompare(document: Document, symbol: string, prices: readonly JudgedPrice[], at: number): PricesToCompare {
    let isNews = false
    const stated = prices.filter(({ price, value, at: observedAt }, i) => {
      const known = this.#history.priceAt(symbol, observedAt)
      const isAlone = prices[i - 1]?.at !== observedAt && prices[i + 1]?.at !== observedAt
      // Nearly all prices are one of these two, and need no closer look.
      const isRepeat = known !== undefined && Number(known) === value
      const outcome = isAlone && (isRepeat || known === undefined) ? 'simple' : this.#outcomeOf(document, price, at)
      if (outcome === undefined || outcome === 'outdated') return false
      isNews ||= !isRepeat
      return true
    })
    return isNews ? { stated, record: this.#history.pointsOf(symbol) } : { stated: [], record: [] }
  }

  /** What a price is against the record; undefined if it is rejected, or not the first of its time in the document. */
  #outcomeOf(document: Document, price: Price, at: number): ReturnType<PriceHistory['decide']>['outcome'] | undefined {
    const read = canonicalPrice(price, at)
    if ('reason' in read) return undefined
    const stated = statedOf(document, price, read.canonical, new Date(at).toISOString())
    return this.#stated.isFirst(stated) ? this.#history.decide(stated).outcome : undefined
  }

  decide(document: Document, price: Price, canonical: string, at: number, asOf: number): PriceDecision {
    const recorded_at = new Date(at).toISOString()
    const stated = statedOf(document, price, canonical, new Date(asOf).toISOString())
    if (!this.#stated.isFirst(stated)) return 'unchanged'
    const decision = this.#history.decide(stated)
    if (decision.outcome === 'unchanged' || decision.outcome === 'outdated') return decision.outcome
    this.#history.apply(stated)
    const { source, dataset, url } = document
    const { symbol, observed_at, released_on, sha256 } = stated
    const restates = decision.outcome === 'restated' ? decision.restates : null
    const value: HistoricPrice = {
      ...stated,
      source,
      restates,
      recorded_at,
      dataset,
      url,
      location: price.location,
    }
    // With the document, because a price may return to an earlier value, even on one day.
    const id = derivedId('hpr', symbol, source, observed_at, canonical, released_on ?? '', sha256)
    return { history: { value, id, at } }
  }

  isRecorded({ history }: Drafts): boolean | undefined {
    const last = history.at(-1)
    return last && this.#history.has(last.value)
  }
}

/** A price with the edition that states it, and the basis of that edition's day. */
function statedOf(
  document: Document,
  price: Price,
  canonical: string,
  asOf: string,
): StatedPrice & Pick<HistoricPrice, 'released_on_basis'> {
  const released = releasedOf(document, price, asOf)
  return {
    symbol: price.symbol,
    observed_at: price.observedAt,
    price: canonical,
    released_on: released?.on ?? null,
    released_on_basis: released?.basis ?? null,
    sha256: document.sha256,
  }
}

/** The day of the edition. One after the day of acceptance is wrong: no real edition could be later and restate it. */
function releasedOf({ lastUpdated }: Document, { released }: Price, at: string): Price['released'] {
  const stated = released ?? (lastUpdated === undefined ? undefined : ({ on: lastUpdated, basis: 'dataset' } as const))
  return stated && (stated.on <= at || stated.on <= latestDay(new Date(at))) ? stated : undefined
}
