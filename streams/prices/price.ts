import { equalDecimals } from '../../domain/decimal.ts'
import type { PriceBoard } from '../../domain/price-board.ts'
import { frameOf } from '../stream.ts'
import type { Pair } from './subscription.ts'

type Prices = Pick<PriceBoard, 'spot' | 'fxRate'>

/** The price of a pair at one moment. Its frame is encoded when it is first sent, once for all subscribers. */
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

/** A pair that has or had subscribers, with its current price. */
export class LivePrice {
  readonly #pair: Pair
  readonly #prices: Prices
  /** Price as of the last check; undefined until every quote that it is computed from is known. */
  current: PriceMessage | undefined
  /** Number of the check in which the price last changed, and the price before that change. */
  changedIn = 0
  before: string | undefined
  /** Number of baskets that contain the pair. */
  baskets = 0

  constructor(pair: Pair, prices: Prices) {
    this.#pair = pair
    this.#prices = prices
  }

  /** Looks up the price now, by the same function of the same quotes as REST. */
  lookUp(now: Date): PriceMessage | undefined {
    const { kind, base, quote } = this.#pair
    if (kind === 'commodity') {
      const spot = this.#prices.spot(base, quote, now)
      return spot && new PriceMessage(spot.price, { type: 'commodity', spot })
    }
    const fx = this.#prices.fxRate(base, quote, now)
    return fx && new PriceMessage(fx.rate.rate, { type: 'fx', base, ...fx })
  }

  /** Updates the price in check number `number`. */
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

/** Whether two prices are equal as numbers, as `4000.10` and `4000.100` are. */
export const isSamePrice = (a: string, b: string | undefined): boolean => b !== undefined && equalDecimals(a, b)
