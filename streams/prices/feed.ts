import type { Feed, Outlet } from '../stream.ts'
import type { Basket } from './basket.ts'
import { isSamePrice } from './price.ts'

/**
 * One subscriber of prices. It has no queue: a check sends what has changed for it, so that a slow client costs little
 * memory and gets the newest price next. Who was sent all of one check is sent just what the next one found changed; of
 * the others it is remembered price by price what they were sent, until they have caught up.
 */
export class PriceFeed implements Feed {
  readonly #outlet: Outlet
  readonly #basket: Basket
  readonly #onDetach: (feed: PriceFeed) => void
  /** The prices last sent; of newcomers, and of who is behind. */
  #sent: (string | undefined)[] | undefined
  /** The last check with which there is nothing to do any more. */
  #done: number
  #blocked = false
  #detached = false

  constructor(outlet: Outlet, basket: Basket, onDetach: (feed: PriceFeed) => void) {
    this.#outlet = outlet
    this.#basket = basket
    // What a newcomer is sent may be newer than the last check.
    this.#done = basket.check
    this.#onDetach = onDetach
  }

  get basket(): Basket {
    return this.#basket
  }

  /** Sends a greeting, then every price there is now. Who is behind by then gets the rest with the next check. */
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

  /** Sends every price that differs from what was last sent, in one go. */
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
