import type { Quote } from '../../contracts/records.ts'
import { streamLimits } from '../../contracts/streams.ts'
import { PriceBoard } from '../../domain/price-board.ts'
import type { Fold } from '../../journal/fold.ts'
import { frameOf, type Outlet, type Stream } from '../stream.ts'
import { PriceFeed } from './feed.ts'
import { LivePrice } from './price.ts'
import { nameOf, type Pair, readPairs } from './subscription.ts'

const SUBSCRIBED = frameOf({ type: 'subscribed' })
/** Feeds checked before other connections have their turn. */
const FEEDS_AT_ONCE = 500

export type PricesOptions = {
  readonly clock: () => Date
  /** Runs the next slice of a check once others have had their turn. */
  readonly yieldTo?: (goOn: () => void) => void
}

/** The prices stream: conflated by pair, checked about once a second (`check`, called by whoever owns the clock). */
export class PricesStream implements Stream<readonly Pair[]> {
  readonly name = 'prices'
  readonly checkEveryMs = streamLimits.priceCheckMs
  readonly #board = new PriceBoard()
  readonly #live = new Map<string, LivePrice>()
  readonly #feeds = new Set<PriceFeed>()
  readonly #options: Required<PricesOptions>
  #changed = false
  #source: Pick<Fold, 'isAway'> | undefined

  constructor({ clock, yieldTo = setImmediate }: PricesOptions) {
    this.#options = { clock, yieldTo }
  }

  /** Takes a quote in; what follows from it is sent with the next check. */
  apply(quote: Quote): void {
    this.#board.apply(quote)
    this.#changed = true
  }

  /** The quotes on record have been taken in; `source` says whether more of them come. */
  loaded(source: Pick<Fold, 'isAway'>): void {
    this.#source = source
  }

  isAvailable(): boolean {
    return this.#source !== undefined && !this.#source.isAway()
  }

  asOf(): string {
    return this.#options.clock().toISOString()
  }

  read(message: Readonly<Record<string, unknown>>) {
    return readPairs(message)
  }

  attach(outlet: Outlet, pairs: readonly Pair[]): PriceFeed {
    const now = this.#options.clock()
    const prices = pairs.map((pair) => this.#price(pair))
    for (const price of prices) {
      price.subscribers++
      price.refresh(now)
    }
    const feed = new PriceFeed(outlet, prices, (gone) => this.#feeds.delete(gone))
    this.#feeds.add(feed)
    feed.start(SUBSCRIBED)
    return feed
  }

  /** Looks up what has subscribers and sends each what has changed for it. */
  check(): void {
    if (!this.#changed) return
    this.#changed = false
    const now = this.#options.clock()
    for (const price of this.#live.values()) if (price.subscribers > 0) price.refresh(now)
    this.#checkFrom(this.#feeds.values())
  }

  #checkFrom(feeds: IterableIterator<PriceFeed>): void {
    for (let i = 0; i < FEEDS_AT_ONCE; i++) {
      const next = feeds.next()
      if (next.done) return
      next.value.check()
    }
    this.#options.yieldTo(() => this.#checkFrom(feeds))
  }

  #price(pair: Pair): LivePrice {
    const known = this.#live.get(nameOf(pair))
    if (known) return known
    const price = new LivePrice(pair, this.#board)
    this.#live.set(nameOf(pair), price)
    return price
  }
}
