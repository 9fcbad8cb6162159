/** Most records that are kept of a partition, some 5 MB of releases. A follower that is further behind decodes for itself. */
const MOST_RECORDS = 5_000

/** A follower of a partition, and the offset of the next record that it needs. */
type Follower = { next: number }

/**
 * Records of a partition that one follower of it has decoded and another one is yet to read. Decoding a release costs more than
 * most followers do with it, and a node has six of them. Values that are shared are frozen, but not what they are made of. An
 * offset never gets another record while a process runs.
 */
export class DecodedRecords<R extends { readonly offset: number; readonly value: object }> {
  readonly #followers = new Set<Follower>()
  readonly #records = new Map<number, R>()
  readonly #most: number
  /** The least offset that a follower needs. */
  #needed = 0

  constructor(most = MOST_RECORDS) {
    this.#most = most
  }

  enter(follower: Follower): void {
    this.#followers.add(follower)
  }

  leave(follower: Follower): void {
    this.#followers.delete(follower)
    this.#forget()
  }

  /** The record at an offset, if another follower has decoded it. */
  at(offset: number): R | undefined {
    return this.#records.get(offset)
  }

  /** Notes that a follower has got the records before `next`, and keeps those that others still need. */
  pass(follower: Follower, records: readonly R[], next: number): void {
    follower.next = next
    const needed = this.#firstNeeded()
    for (const record of records) {
      if (record.offset < needed || this.#records.has(record.offset)) continue
      Object.freeze(record.value)
      this.#records.set(record.offset, record)
    }
    this.#forget()
  }

  #firstNeeded(): number {
    let first = Number.POSITIVE_INFINITY
    for (const { next } of this.#followers) if (next < first) first = next
    return first
  }

  #forget(): void {
    const needed = this.#firstNeeded()
    if (needed > this.#needed)
      for (const offset of this.#records.keys()) if (offset < needed) this.#records.delete(offset)
    this.#needed = needed
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= this.#most) return
      this.#records.delete(oldest)
    }
  }
}
