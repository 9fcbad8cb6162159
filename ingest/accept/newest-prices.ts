import type { Quote, Tick } from '../../contracts/records.ts'
import { partitionsOf } from '../../contracts/topics.ts'
import type { QuoteState } from '../../domain/decide-quote.ts'
import { equalDecimals } from '../../domain/decimal.ts'
import { CatchUp } from '../../journal/catch-up.ts'
import type { Claim } from '../../journal/journal.ts'
import { processorClaim } from '../../journal/layout.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import type { JudgedPrice, PricesToCompare } from '../judge/plausible-prices.ts'
import type { Document, Price } from '../source.ts'
import type { Drafts } from './drafts.ts'
import type { PriceDecision, PricesOnRecord } from './prices-on-record.ts'

/**
 * The newest price of each symbol and source: read from `quotes`, and from the ticks that the quotes processor has not decided
 * on, which are many if no service runs. Sources that are series (`seriesSources`) are judged by `RecordedPrices` instead,
 * because they restate past prices.
 */
export class NewestPrices implements PricesOnRecord {
  readonly isSeries = false
  readonly #journal: TypedJournal
  /** By `symbol source`. */
  #prices = new Map<string, { observed_at: string; price: string }>()
  readonly #quotes: CatchUp<'quotes'>
  readonly #ticks: readonly CatchUp<'ticks'>[]

  constructor(journal: TypedJournal) {
    this.#journal = journal
    this.#quotes = new CatchUp(journal, 'quotes')
    this.#ticks = partitionsOf('ticks').map((partition) => new CatchUp(journal, 'ticks', partition))
  }

  async catchUp(claim: Claim): Promise<void> {
    // Before the quotes, so that these include every tick before the position.
    const undecided = await Promise.all(
      partitionsOf('ticks').map((partition) =>
        this.#journal.positionOf(claim, 'ticks', partition, processorClaim('quotes', partition)),
      ),
    )
    await this.#quotes.read(({ value }) => this.#remember(value))
    for (const [partition, ticks] of this.#ticks.entries()) {
      ticks.skipTo(undecided[partition] ?? 0)
      await ticks.read(({ value }) => {
        if (value.kind === 'price') this.#rememberTick(value)
      })
    }
  }

  forget(): void {
    this.#prices = new Map()
    this.#quotes.forget()
    for (const ticks of this.#ticks) ticks.forget()
  }

  isRecorded({ releases, ticks, quarantine }: Drafts): boolean | undefined {
    // An approved tick need not be the newest, but its approval is in quarantine.
    const last = releases.length + quarantine.length > 0 ? undefined : ticks.at(-1)
    if (!last) return undefined
    const { symbol, source, observed_at, price } = last.value
    const known = this.#prices.get(`${symbol} ${source}`)
    return known?.observed_at === observed_at && known.price === price
  }

  /** A price is news if it can change a quote. */
  decide({ source }: Document, { symbol, observedAt }: Price, price: string): PriceDecision {
    const key = `${symbol} ${source}`
    const known = this.#prices.get(key)
    if (known && known.observed_at > observedAt) return 'older'
    if (known?.observed_at === observedAt && equalDecimals(known.price, price)) return 'unchanged'
    this.#prices.set(key, { observed_at: observedAt, price })
    return 'news'
  }

  /** Those are judged that can be news. */
  pricesToCompare({ source }: Document, symbol: string, prices: readonly JudgedPrice[]): PricesToCompare {
    const known = this.#prices.get(`${symbol} ${source}`)
    if (!known) return { stated: prices, record: [] }
    const newest = { at: known.observed_at, value: Number(known.price) }
    const stated = prices.filter(({ at, value }) => at > newest.at || (at === newest.at && value !== newest.value))
    return { stated, record: [newest] }
  }

  /** Remembers the prices in a quote, which holds the newest of every source. Prices accepted here may be newer. */
  #remember({ symbol, state }: Quote): void {
    // Cast: the quotes processor writes this JSON from a QuoteState.
    const { prices } = JSON.parse(state) as QuoteState
    for (const [source, price] of Object.entries(prices)) {
      const known = this.#prices.get(`${symbol} ${source}`)
      if (!known || known.observed_at < price.observed_at) this.#prices.set(`${symbol} ${source}`, price)
    }
  }

  /** Remembers the price of a tick. Of two of one time the last one counts, as for the quotes processor. */
  #rememberTick({ symbol, source, observed_at, price }: Tick): void {
    const key = `${symbol} ${source}`
    const known = this.#prices.get(key)
    if (!known || known.observed_at <= observed_at) this.#prices.set(key, { observed_at, price })
  }
}
