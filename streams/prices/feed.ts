import type { Feed, Outlet } from '../stream.ts'
import type { Basket } from './basket.ts'
import { isSamePrice } from './price.ts'

/**
 * One subscriber of prices. It has no queue, so a slow client costs little memory and gets the newest prices next. A
 * subscriber that is up to date gets only the changes of each check. For one that is behind, we keep the last price sent of
 * each pair until it has caught up.
 */
export class PriceFeed implements Feed {
  readonly #outlet: Outlet
  readonly #basket: Basket
  readonly #onDetach: (feed: PriceFeed) => void
  /** The price last sent of each pair. Kept only for a new subscriber, and for one that is behind. */
  #sent: (string | undefined)[] | undefined
  /** Number of the last check whose changes were all sent. */
  #done: number
  #blocked = false
  #detached = false

  constructor(outlet: Outlet, basket: Basket, onDetach: (feed: PriceFeed) => void) {
    this.#outlet = outlet
    this.#basket = basket
    // The first prices that are sent are at least as new as the last check.
    this.#done = basket.check
    this.#onDetach = onDetach
  }

  get basket(): Basket {
    return this.#basket
  }

  /** Sends a greeting, then every known price. A client that falls behind meanwhile gets the rest with the next check. */
  start(greeting: Uint8Array, now: Date): void {
    this.#outlet.cork(() => {
      this.#blocked = !this.#outlet.send(greeting)
      this.#sent = this.#basket.prices.map((price) => {
        const found = this.#blocked ? undefined : price.lookUp(now)
        if (found) this.#blocked = !this.#outlet.send(found.frame)
        return found?.value
      })
    })
  }

  /** Sends every price that differs from the one last sent, in one batch. */
  check(): void {
    const { check, changed } = this.#basket
    if (this.#done === check || this.#blocked || this.#detached) return
    if (this.#sent || changed.length > 0) this.#outlet.cork(this.#write)
    else this.#hasAll()
  }

  resume(): void {
    this.#blocked = false
    this.check()
  }

  detach(): void {
    if (this.#detached) return
    this.#detached = true
    this.#onDetach(this)
  }

  readonly #write = (): void => {
    if (this.#sent) this.#catchUp(this.#sent)
    else this.#goOn()
  }

  #goOn(): void {
    const { changed } = this.#basket
    for (let i = 0; i < changed.length; i++) {
      // `i` is below the length.
      if (this.#outlet.send(changed[i] as Uint8Array)) continue
      this.#blocked = true
      this.#sent = this.#basket.pricesAfter(i + 1)
      return
    }
    this.#hasAll()
  }

  #catchUp(sent: (string | undefined)[]): void {
    for (const [i, { current }] of this.#basket.prices.entries()) {
      if (!current || isSamePrice(current.value, sent[i])) continue
      sent[i] = current.value
      this.#blocked = !this.#outlet.send(current.frame)
      if (this.#blocked) return
    }
    this.#hasAll()
  }

  #hasAll(): void {
    this.#sent = undefined
    this.#done = this.#basket.check
  }
}
