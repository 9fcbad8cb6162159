type Entry<T> = {
  items: readonly [T] | readonly []
  cursor: string | null
  bytes: number
  isCaughtUp: boolean
  readonly key: string | undefined
}

/** Content taken out at once: items, the cursor behind each, and whether the stream was live behind the last. */
type Taken<T> = {
  readonly items: readonly T[]
  readonly cursors: readonly (string | null)[]
  readonly isCaughtUp: boolean
}

/** Messages that were received and not yet taken by the consumer. Bounded by its user, who asks `isFull` and stops reading. */
export class MessageBuffer<T> {
  #entries: Entry<T>[] = []
  readonly #byKey = new Map<string, Entry<T>>()
  #first = 0
  #bytes = 0
  readonly #maxItems: number
  readonly #maxBytes: number

  constructor(maxItems: number, maxBytes: number) {
    this.#maxItems = maxItems
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#entries.length - this.#first
  }

  get isFull(): boolean {
    return this.isAbove(1)
  }

  /** Whether this share of the bound, or more, is used; 1: all of it. */
  isAbove(share: number): boolean {
    return this.size >= this.#maxItems * share || this.#bytes >= this.#maxBytes * share
  }

  /** Adds an item at the end. One with a key takes the place of the older one of this key, if that still waits. */
  add(item: T, cursor: string | null, bytes: number, key?: string): void {
    const older = key === undefined ? undefined : this.#byKey.get(key)
    this.#bytes += bytes - (older?.bytes ?? 0)
    if (older) {
      older.items = [item]
      older.cursor = cursor
      older.bytes = bytes
      return
    }
    const entry: Entry<T> = { items: [item], cursor, bytes, isCaughtUp: false, key }
    this.#entries.push(entry)
    if (key !== undefined) this.#byKey.set(key, entry)
  }

  /** Notes a cursor behind everything so far. */
  mark(cursor: string, isCaughtUp: boolean): void {
    const last = this.size > 0 ? this.#entries.at(-1) : undefined
    if (last) {
      last.cursor = cursor
      last.isCaughtUp ||= isCaughtUp
    } else if (isCaughtUp) {
      this.#entries.push({ items: [], cursor, bytes: 0, isCaughtUp, key: undefined })
    }
  }

  /** Takes the oldest items, up to the point where the stream was caught up. */
  take(most: number): Taken<T> {
    const items: T[] = []
    const cursors: (string | null)[] = []
    let isCaughtUp = false
    while (this.size > 0 && items.length < most && !isCaughtUp) {
      const entry = this.#entries[this.#first++]
      if (!entry) break
      if (entry.key !== undefined) this.#byKey.delete(entry.key)
      items.push(...entry.items)
      cursors.push(entry.cursor)
      this.#bytes -= entry.bytes
      isCaughtUp = entry.isCaughtUp
    }
    // Moving the rest at each take would cost more the longer it is.
    if (this.#first * 2 >= this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first)
      this.#first = 0
    }
    return { items, cursors, isCaughtUp }
  }
}
