import type { LivePrice } from './price.ts'

/** The pairs of a subscription, shared by all who name the same in the same order: what changed is gathered once for all. */
export class Basket {
  readonly key: string
  readonly prices: readonly LivePrice[]
  feeds = 0
  /** The last check, and the frames of what it found changed. */
  check = 0
  changed: readonly Uint8Array[] = []

  constructor(key: string, prices: readonly LivePrice[]) {
    this.key = key
    this.prices = prices
  }

  /** Gathers what check number `check` has found. */
  gather(check: number): void {
    this.check = check
    this.changed = this.prices.flatMap((price) => (this.#hasChanged(price) ? (price.current?.frame ?? []) : []))
  }

  /** The prices as of the check before, but for the first `count` of those that changed since. */
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
