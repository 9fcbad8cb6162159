import type { LivePrice } from './price.ts'

/** The pairs of a subscription, shared by all subscribers with equal pairs in equal order. Changes are gathered once for all. */
export class Basket {
  readonly key: string
  readonly prices: readonly LivePrice[]
  feeds = 0
  /** Number of the last check, and the frames of the prices that it found changed. */
  check = 0
  changed: readonly Uint8Array[] = []

  constructor(key: string, prices: readonly LivePrice[]) {
    this.key = key
    this.prices = prices
  }

  /** Gathers the frames of the prices that changed in check number `check`. */
  gather(check: number): void {
    this.check = check
    this.changed = this.prices.flatMap((price) => (this.#hasChanged(price) ? (price.current?.frame ?? []) : []))
  }

  /** The prices last sent to a subscriber that got only the first `count` changes of the last check. */
  pricesAfter(count: number): (string | undefined)[] {
    let changes = 0
    return this.prices.map((price) =>
      this.#hasChanged(price) && ++changes > count ? price.before : price.current?.value,
    )
  }

  #hasChanged(price: LivePrice): boolean {
    return price.changedIn === this.check
  }
}
