import type { NewestPrice } from '../../contracts/records.ts'
import { equalDecimals } from '../../domain/decimal.ts'
import { derivedId } from '../../domain/ids.ts'
import { CatchUp } from '../../journal/catch-up.ts'
import type { Claim } from '../../journal/journal.ts'
import type { Draft, TypedJournal } from '../../journal/typed.ts'
import type { JudgedPrice, PricesToCompare } from '../judge/plausible-prices.ts'
import type { Document, Price } from '../source.ts'
import type { Drafts } from './drafts.ts'
import { formerNewestPrices } from './newest-prices-upgrade.ts'
import type { PriceDecision, PricesOnRecord } from './prices-on-record.ts'

/**
 * The newest price of each symbol and source, read from `newest_prices`. Sources that restate their history
 * (`sourcesWithHistory`) have `RecordedPrices` instead.
 */
export class NewestPrices implements PricesOnRecord {
  readonly restatesHistory = false
  readonly #journal: TypedJournal
  readonly #recorded: CatchUp<'newest_prices'>
  #prices = new Map<string, NewestPrice>()
  /** Prices that the next transaction records. */
  #unrecorded = new Map<string, NewestPrice>()

  constructor(journal: TypedJournal) {
    this.#journal = journal
    this.#recorded = new CatchUp(journal, 'newest_prices')
  }

  async catchUp(claim: Claim): Promise<void> {
    await this.#recorded.read(({ value }) => this.#prices.set(keyOf(value.symbol, value.source), value))
    if (this.#prices.size === 0) for (const price of await formerNewestPrices(this.#journal, claim)) this.#take(price)
  }

  forget(): void {
    this.#prices = new Map()
    this.#unrecorded.clear()
    this.#recorded.forget()
  }

  isRecorded({ releases, ticks, quarantine }: Drafts): boolean | undefined {
    // An approved tick need not be the newest, but its approval is in quarantine.
    const last = releases.length + quarantine.length > 0 ? undefined : ticks.at(-1)
    if (!last) return undefined
    const { symbol, source, observed_at, price } = last.value
    const known = this.#prices.get(keyOf(symbol, source))
    return known?.observed_at === observed_at && known.price === price
  }

  /** A price is news if it can change a quote. */
  decide({ source }: Document, { symbol, observedAt: observed_at }: Price, price: string): PriceDecision {
    const known = this.#prices.get(keyOf(symbol, source))
    if (known && known.observed_at > observed_at) return 'older'
    if (known?.observed_at === observed_at && equalDecimals(known.price, price)) return 'unchanged'
    this.#take({ symbol, source, price, observed_at })
    return 'news'
  }

  /** Takes the prices to record in the transaction that is about to be written, at `at` (UTC ms). If it fails, `forget` follows. */
  takeUnrecorded(at: number): Draft<'newest_prices'>[] {
    const taken = [...this.#unrecorded.values()]
    this.#unrecorded.clear()
    return taken.map((value) => {
      const { symbol, source, price, observed_at } = value
      return { value, id: derivedId('npr', symbol, source, observed_at, price), at }
    })
  }

  /** Those are judged that can be news. */
  pricesToCompare({ source }: Document, symbol: string, prices: readonly JudgedPrice[]): PricesToCompare {
    const known = this.#prices.get(keyOf(symbol, source))
    if (!known) return { stated: prices, record: [] }
    const newest = { at: known.observed_at, value: Number(known.price) }
    const stated = prices.filter(({ at, value }) => at > newest.at || (at === newest.at && value !== newest.value))
    return { stated, record: [newest] }
  }

  #take(price: NewestPrice): void {
    const key = keyOf(price.symbol, price.source)
    this.#prices.set(key, price)
    this.#unrecorded.set(key, price)
  }
}

const keyOf = (symbol: string, source: string): string => `${symbol} ${source}`
