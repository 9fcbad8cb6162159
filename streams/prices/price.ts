import { equalDecimals } from '../../domain/decimal.ts'
import type { PriceBoard } from '../../domain/price-board.ts'
import { frameOf } from '../stream.ts'
import type { Pair } from './subscription.ts'

type Prices = Pick<PriceBoard, 'spot' | 'fxRate'>

/** The price of a pair at one moment; its frame is made when it is first sent, for all who get it. */
class PriceMessage {
  readonly value: string
  readonly #message: object
  #frame: Uint8Array | undefined

  constructor(value: string, message: object) {
    this.value = value
    this.#message = message
  }

  get frame(): Uint8Array {
    this.#frame ??= frameOf(this.#message)
    return this.#frame
  }
}

/** A pair that is subscribed to, or was. */
export class LivePrice {
  readonly #pair: Pair
  readonly #prices: Prices
  /** As of the last check; undefined until a source has priced every leg. */
  current: PriceMessage | undefined
  /** The check in which the price last became another, and what it was before. */
  changedIn = 0
  before: string | undefined
  /** How many subscriptions that differ have it. */
  baskets = 0

  constructor(pair: Pair, prices: Prices) {
    this.#pair = pair
    this.#prices = prices
  }

  /** What it is now: the same function of the same quotes that REST answers with. */
  lookUp(now: Date): PriceMessage | undefined {
    const { kind, base, quote } = this.#pair
    if (kind === 'commodity') {
      const spot = this.#prices.spot(base, quote)
      return spot && new PriceMessage(spot.price, { type: 'commodity', spot })
    }
    const fx = this.#prices.fxRate(base, quote, now)
    return fx && new PriceMessage(fx.rate.rate, { type: 'fx', base, ...fx })
  }

  /** What check number `number` finds. */
  check(number: number, now: Date): void {
    const found = this.lookUp(now)
    if (!found) return
    if (!isSamePrice(found.value, this.current?.value)) {
      this.before = this.current?.value
      this.changedIn = number
    }
    this.current = found
  }
}

/** Whether two prices are the same number: `4000.10` and `4000.100` are. */
export const isSamePrice = (a: string, b: string | undefined): boolean => b !== undefined && equalDecimals(a, b)
