import type { PriceBoard } from '../../domain/price-board.ts'
import { frameOf } from '../stream.ts'
import type { Pair } from './subscription.ts'

export type Prices = Pick<PriceBoard, 'spot' | 'rate' | 'session'>

/** The current price of a pair as all its subscribers get it, encoded once. */
export class LivePrice {
  readonly #pair: Pair
  readonly #prices: Prices
  #message: object | undefined
  #frame: Uint8Array | undefined
  /** Undefined until a source has priced every leg. */
  value: string | undefined
  subscribers = 0

  constructor(pair: Pair, prices: Prices) {
    this.#pair = pair
    this.#prices = prices
  }

  /** Looks the price up again: the same function of the same quotes that REST answers with. */
  refresh(now: Date): void {
    const { kind, base, quote } = this.#pair
    const spot = kind === 'commodity' ? this.#prices.spot(base, quote) : undefined
    const rate = kind === 'fx' ? this.#prices.rate(base, quote) : undefined
    if (spot) this.#message = { type: 'commodity', spot }
    if (rate) this.#message = { type: 'fx', base, market_session: this.#prices.session(now), rate }
    this.value = spot?.price ?? rate?.rate
    this.#frame = undefined
  }

  get frame(): Uint8Array {
    if (!this.#message) throw new Error(`no price yet of ${this.#pair.base} in ${this.#pair.quote}`)
    this.#frame ??= frameOf(this.#message)
    return this.#frame
  }
}
