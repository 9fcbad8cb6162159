import type { Feed, Outlet } from '../stream.ts'
import type { LivePrice } from './price.ts'

/**
 * One subscriber of prices. It has no queue: it remembers what it was last sent of each price, and a check sends the
 * current value of those that differ, so that a slow client costs no memory and gets the newest price next.
 */
export class PriceFeed implements Feed {
  readonly #outlet: Outlet
  readonly #prices: readonly LivePrice[]
  readonly #sent: (string | undefined)[]
  readonly #onDetach: (feed: PriceFeed) => void
  #blocked = false
  #detached = false

  constructor(outlet: Outlet, prices: readonly LivePrice[], onDetach: (feed: PriceFeed) => void) {
    this.#outlet = outlet
    this.#prices = prices
    this.#sent = new Array(prices.length)
    this.#onDetach = onDetach
  }

  /** Sends a greeting, then every price there is. */
  start(greeting: Uint8Array): void {
    this.#outlet.cork(() => {
      this.#blocked = !this.#outlet.send(greeting)
      this.#write()
    })
  }

  /** Sends every price that differs from what was last sent, in one go. */
  check(): void {
    if (this.#blocked || this.#detached || !this.#differs()) return
    this.#outlet.cork(this.#write)
  }

  resume(): void {
    this.#blocked = false
    this.check()
  }

  detach(): void {
    if (this.#detached) return
    this.#detached = true
    for (const price of this.#prices) price.subscribers--
    this.#onDetach(this)
  }

  #differs(): boolean {
    return this.#prices.some((price, i) => price.value !== undefined && price.value !== this.#sent[i])
  }

  readonly #write = (): void => {
    for (let i = 0; i < this.#prices.length && !this.#blocked; i++) {
      const price = this.#prices[i]
      if (price?.value === undefined || price.value === this.#sent[i]) continue
      this.#sent[i] = price.value
      this.#blocked = !this.#outlet.send(price.frame)
    }
  }
}
