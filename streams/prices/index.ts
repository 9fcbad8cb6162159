import { systemTime, type Time } from '../../base/time.ts'
import { simulatedSource } from '../../contracts/instruments.ts'
import type { Quote } from '../../contracts/records.ts'
import { streamLimits } from '../../contracts/streams.ts'
import { PriceBoard } from '../../domain/price-board.ts'
import type { Fold } from '../../journal/fold.ts'
import { frameOf, type Outlet, type Stream } from '../stream.ts'
import { Basket } from './basket.ts'
import { PriceFeed } from './feed.ts'
import { LivePrice } from './price.ts'
import { nameOf, type Pair, readPairs } from './subscription.ts'

const SUBSCRIBED = frameOf({ type: 'subscribed' })

type PricesOptions = {
  readonly time?: Pick<Time, 'now' | 'soon'>
  /** Whether the simulator feeds this service. The handshake then says so even before its first quote. */
  readonly isSimulatorFed?: boolean
  /** Number of feeds in a slice. */
  readonly feedsAtOnce?: number
}

/** The prices stream, conflated by pair. The owner of the clock calls `check` about once a second. */
export class PricesStream implements Stream<readonly Pair[]> {
  readonly name = 'prices'
  readonly sendsNewestOnly = true
  readonly checkEveryMs = streamLimits.priceCheckMs
  readonly #board: PriceBoard
  readonly #live = new Map<string, LivePrice>()
  readonly #feeds = new Set<PriceFeed>()
  readonly #options: Required<Omit<PricesOptions, 'isSimulatorFed'>>
  readonly #baskets = new Map<string, Basket>()
  #checks = 0
  /** Whether a quote or a subscriber has arrived since the last check began. */
  #changed = false
  #isChecking = false
  /** Whether another check must follow the running one. */
  #isDue = false
  #source: Pick<Fold, 'isAway'> | undefined

  constructor({ time = systemTime, isSimulatorFed = false, feedsAtOnce = 500 }: PricesOptions = {}) {
    this.#board = new PriceBoard({ isSimulatorFed })
    this.#options = { time, feedsAtOnce }
  }

  #now(): Date {
    return new Date(this.#options.time.now())
  }

  /** Applies a quote. The next check sends the prices that change with it. */
  apply(quote: Quote): void {
    this.#board.apply(quote)
    this.#changed = true
  }

  /** Called when all quotes on record have been applied. `source` says whether new ones can be read. */
  loaded(source: Pick<Fold, 'isAway'>): void {
    this.#source = source
  }

  handshakeHeaders(): Readonly<Record<string, string>> {
    return this.#board.hasSimulated ? simulatedSource : {}
  }

  isAvailable(): boolean {
    return this.#source !== undefined && !this.#source.isAway()
  }

  asOf(): string {
    return this.#now().toISOString()
  }

  read(message: Readonly<Record<string, unknown>>) {
    return readPairs(message)
  }

  attach(outlet: Outlet, pairs: readonly Pair[]): PriceFeed {
    const feed = new PriceFeed(outlet, this.#basket(pairs), (gone) => this.#detached(gone))
    this.#feeds.add(feed)
    feed.start(SUBSCRIBED, this.#now())
    // The next check finds the prices that were sent, or newer ones.
    this.#changed = true
    return feed
  }

  /** Looks up every price that has subscribers, and sends each subscriber its changes. */
  check(): void {
    this.#isDue = this.#isChecking
    if (!this.#changed || this.#isChecking) return
    this.#changed = false
    this.#isChecking = true
    this.#checks++
    const now = this.#now()
    for (const price of this.#live.values()) if (price.baskets > 0) price.check(this.#checks, now)
    for (const basket of this.#baskets.values()) basket.gather(this.#checks)
    this.#checkFrom(this.#feeds.values())
  }

  #checkFrom(feeds: IterableIterator<PriceFeed>): void {
    for (let i = 0; i < this.#options.feedsAtOnce; i++) {
      const next = feeds.next()
      if (next.done) {
        this.#checked()
        return
      }
      next.value.check()
    }
    this.#options.time.soon(() => this.#checkFrom(feeds))
  }

  /** Ends a check. A check that became due meanwhile starts only now, so that no feed misses one. */
  #checked(): void {
    this.#isChecking = false
    if (this.#isDue) this.check()
  }

  #basket(pairs: readonly Pair[]): Basket {
    const key = pairs.map(nameOf).join()
    let basket = this.#baskets.get(key)
    if (!basket) {
      const prices = pairs.map((pair) => this.#price(pair))
      for (const price of prices) price.baskets++
      basket = new Basket(key, prices)
      this.#baskets.set(key, basket)
    }
    basket.feeds++
    return basket
  }

  #detached(feed: PriceFeed): void {
    const { basket } = feed
    this.#feeds.delete(feed)
    if (--basket.feeds > 0) return
    this.#baskets.delete(basket.key)
    for (const price of basket.prices) price.baskets--
  }

  #price(pair: Pair): LivePrice {
    const known = this.#live.get(nameOf(pair))
    if (known) return known
    const price = new LivePrice(pair, this.#board)
    this.#live.set(nameOf(pair), price)
    return price
  }
}
