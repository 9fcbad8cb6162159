import type { Feed, Outlet } from '../stream.ts'

/**
 * One subscriber of predictions. Instead of a queue it has a set of keys whose current value is still to be sent. A slow
 * client therefore costs at most one entry a key, and gets the newest value of each key once it reads again.
 */
export class PredictionFeed implements Feed {
  readonly #outlet: Outlet
  readonly #frameOf: (key: string) => Uint8Array
  readonly #onDetach: (feed: PredictionFeed) => void
  readonly #unsent: Set<string>
  #blocked = false
  #detached = false

  /** Sends `greeting`, then the value of each of `keys`. */
  constructor(
    outlet: Outlet,
    greeting: Uint8Array,
    keys: Iterable<string>,
    frameOf: (key: string) => Uint8Array,
    onDetach: (feed: PredictionFeed) => void,
  ) {
    this.#outlet = outlet
    this.#frameOf = frameOf
    this.#onDetach = onDetach
    this.#unsent = new Set(keys)
    outlet.cork(() => {
      this.#send(greeting)
      this.#sendUnsent()
    })
  }

  /** Marks a key whose value has changed. The next `flush` sends it. */
  changed(key: string): void {
    this.#unsent.add(key)
  }

  flush(): void {
    if (this.#blocked || this.#detached || this.#unsent.size === 0) return
    this.#outlet.cork(() => this.#sendUnsent())
  }

  resume(): void {
    this.#blocked = false
    this.flush()
  }

  detach(): void {
    if (this.#detached) return
    this.#detached = true
    this.#unsent.clear()
    this.#onDetach(this)
  }

  #sendUnsent(): void {
    for (const key of this.#unsent) {
      if (this.#blocked || this.#detached) return
      this.#unsent.delete(key)
      this.#send(this.#frameOf(key))
    }
  }

  #send(frame: Uint8Array): void {
    this.#blocked = !this.#outlet.send(frame)
  }
}
