/** How long a value is kept, so that a table that was rebuilt is read then; milliseconds. A client may keep it for a minute more. */
const KEPT_MS = 30_000

type Entry<V> = { readonly value: V; readonly until: number; size: number }

/** Values by their keys, each for half a minute. Together they have a greatest size, for which those that were used last stay. */
export class RecentlyUsed<V> {
  readonly #most: number
  readonly #monotonic: () => number
  /** The one used last at the end. */
  readonly #entries = new Map<string, Entry<V>>()
  #size = 0

  /** @param monotonic the time in ms, which nobody can set back */
  constructor(most: number, monotonic: () => number) {
    this.#most = most
    this.#monotonic = monotonic
  }

  get(key: string): V | undefined {
    const now = this.#monotonic()
    // Those behind one that holds may be over, too. They go when they come to the front.
    for (const [oldest, { until }] of this.#entries) {
      if (until > now) break
      this.#remove(oldest)
    }
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    if (entry.until > now) this.#entries.set(key, entry)
    else this.#size -= entry.size
    return this.#entries.get(key)?.value
  }

  set(key: string, value: V, size: number): void {
    this.#remove(key)
    this.#entries.set(key, { value, until: this.#monotonic() + KEPT_MS, size })
    this.#size += size
    this.#makeRoom()
  }

  /** Sets the size of a value, if it is still kept. */
  resize(key: string, value: V, size: number): void {
    const entry = this.#entries.get(key)
    if (entry?.value !== value) return
    this.#size += size - entry.size
    entry.size = size
    this.#makeRoom()
  }

  /** Forgets a value, if it is still kept. */
  drop(key: string, value: V): void {
    if (this.#entries.get(key)?.value === value) this.#remove(key)
  }

  #makeRoom(): void {
    for (const key of this.#entries.keys()) {
      if (this.#size <= this.#most) return
      this.#remove(key)
    }
  }

  #remove(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0
    this.#entries.delete(key)
  }
}
