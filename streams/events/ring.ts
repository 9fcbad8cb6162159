import { type LogEntry, weightOf } from './entry.ts'

/** The newest events, dense by sequence and bounded in bytes. The newest one stays, whatever its size. */
export class Ring {
  readonly #maxBytes: number
  /** Entries before `#head` have been evicted. */
  #entries: LogEntry[] = []
  #head = 0
  #bytes = 0
  #first = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The first sequence in the ring; 0 while it is empty. */
  get first(): number {
    return this.#first
  }

  get size(): number {
    return this.#entries.length - this.#head
  }

  at(sequence: number): LogEntry | undefined {
    return sequence < this.#first ? undefined : this.#entries[this.#head + sequence - this.#first]
  }

  /** Appends an event. Throws if it isn't the next in sequence. */
  push(entry: LogEntry): void {
    if (this.size === 0) this.#first = entry.sequence
    const expected = this.#first + this.size
    if (entry.sequence !== expected)
      throw new Error(`event ${entry.sequence} came where event ${expected} was expected`)
    this.#entries.push(entry)
    this.#bytes += weightOf(entry)
    while (this.#bytes > this.#maxBytes && this.size > 1) {
      // `size` above 1: there is an entry at the head.
      this.#bytes -= weightOf(this.#entries[this.#head] as LogEntry)
      this.#head++
      this.#first++
    }
    // Evicted entries are dropped in large pieces, so that each entry is moved about once.
    if (this.#head > this.size + 64) {
      this.#entries = this.#entries.slice(this.#head)
      this.#head = 0
    }
  }

  clear(): void {
    this.#entries = []
    this.#head = 0
    this.#bytes = 0
    this.#first = 0
  }
}
