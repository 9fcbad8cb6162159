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
  /** What it was at the look before, if that was another. */
  before: string | undefined
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
    const value = spot?.price ?? rate?.rate
    this.before = value === this.value ? undefined : this.value
    // An equal text stays the same one, so that comparing it with what was sent needs no look at its characters.
    if (value !== this.value) this.value = value
    this.#frame = undefined
  }

  /**
   * Whether it differs from what a client was `sent`. Most were sent the value before, the very same string, which is
   * seen at once; without that, comparing two texts of a length takes as long as all else that sending one involves.
   */
  differsFrom(sent: string | undefined): boolean {
    return this.value !== undefined && ((this.before !== undefined && sent === this.before) || sent !== this.value)
  }

  get frame(): Uint8Array {
    if (!this.#message) throw new Error(`no price yet of ${this.#pair.base} in ${this.#pair.quote}`)
    this.#frame ??= frameOf(this.#message)
    return this.#frame
  }
}
