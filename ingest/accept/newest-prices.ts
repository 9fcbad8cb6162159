import type { Time } from '../../base/time.ts'
import type { NewestPrice } from '../../contracts/records.ts'
import { equalDecimals } from '../../domain/decimal.ts'
import { derivedId } from '../../domain/ids.ts'
import type { Claim } from '../../journal/journal.ts'
import { newestPriceKey } from '../../journal/layout.ts'
import { CatchUp, type Draft, type TypedJournal } from '../../journal/typed.ts'
import type { JudgedPrice, PricesToCompare } from '../judge/plausible-prices.ts'
import type { Document, Price } from '../source.ts'
import { formerNewestPrices } from './newest-prices-upgrade.ts'
import type { PriceDecision, PricesOnRecord } from './prices-on-record.ts'
import type { Drafts } from './transaction.ts'

/**
 * The newest price of each symbol and source, read from `newest_prices`. Sources that restate their history
 * (`sourcesWithHistory`) have `RecordedPriceHistory` instead.
 */
export class NewestPrices implements PricesOnRecord {
  readonly restatesHistory = false
  readonly #journal: TypedJournal
  readonly #recorded: CatchUp<'newest_prices'>
  readonly #time: Pick<Time, 'now'>
  #prices = new Map<string, NewestPrice>()
  /** Whether the topic has what an earlier release wrote. It stays empty if that is nothing. */
  #isUpgraded = false

  constructor(journal: TypedJournal, time: Pick<Time, 'now'>) {
    this.#journal = journal
    this.#recorded = new CatchUp(journal, 'newest_prices')
    this.#time = time
  }

  /**
   * Reads what any process has written since the last call. If the topic is empty, fills it from what an earlier release wrote:
   * the one write that no item of a document causes.
   */
  async catchUp(claim: Claim): Promise<void> {
    await this.#read()
    if (this.#prices.size > 0 || this.#isUpgraded) return
    const former = await formerNewestPrices(this.#journal, claim)
    if (former.length > 0) {
      const drafts = former.map((price) => draftOf(price, this.#time.now()))
      await this.#journal.transact(claim, [this.#journal.writeOf('newest_prices', 0, drafts)])
      await this.#read()
    }
    this.#isUpgraded = true
  }

  forget(): void {
    this.#prices = new Map()
    this.#recorded.forget()
  }

  isRecorded({ releases, newest, quarantine }: Drafts): boolean | undefined {
    // Another process may have written a newer price since, so releases and inputs of quarantine tell better.
    const [last] = releases.length + quarantine.length > 0 ? [] : [...newest].slice(-1)
    if (!last) return undefined
    const [key, { value }] = last
    const known = this.#prices.get(key)
    return known?.observed_at === value.observed_at && known.price === value.price
  }

  /** A price is news if it can change a quote. */
  decide({ source }: Document, { symbol, observedAt: observed_at }: Price, price: string, at: number): PriceDecision {
    const newest: NewestPrice = { symbol, source, price, observed_at }
    const key = newestPriceKey(newest)
    const known = this.#prices.get(key)
    if (known && known.observed_at > observed_at) return 'older'
    if (known?.observed_at === observed_at && equalDecimals(known.price, price)) return 'unchanged'
    this.#prices.set(key, newest)
    return { newest: draftOf(newest, at) }
  }

  /** Those are judged that can be news. */
  pricesToCompare({ source }: Document, symbol: string, prices: readonly JudgedPrice[]): PricesToCompare {
    const known = this.#prices.get(newestPriceKey({ symbol, source }))
    if (!known) return { stated: prices, record: [] }
    const newest = { at: known.observed_at, value: Number(known.price) }
    const stated = prices.filter(({ at, value }) => at > newest.at || (at === newest.at && value !== newest.value))
    return { stated, record: [newest] }
  }

  async #read(): Promise<void> {
    await this.#recorded.read(({ value }) => this.#prices.set(newestPriceKey(value), value))
  }
}

function draftOf(value: NewestPrice, at: number): Draft<'newest_prices'> {
  const { symbol, source, price, observed_at } = value
  return { value, id: derivedId('npr', symbol, source, observed_at, price), at }
}
