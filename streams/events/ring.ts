import { type LogEntry, weightOf } from './entry.ts'

/** The newest events, dense by sequence, up to a number of bytes; the newest one stays whatever its size. */
export class Ring {
  readonly #maxBytes: number
  /** Entries before `#head` have left. */
  #entries: LogEntry[] = []
  #head = 0
  #bytes = 0
  #first = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The first sequence it holds, if it holds any. */
  get first(): number {
    return this.#first
  }

  get size(): number {
    return this.#entries.length - this.#head
  }

  at(sequence: number): LogEntry | undefined {
    return sequence < this.#first ? undefined : this.#entries[this.#head + sequence - this.#first]
  }

  /** Throws where `entry` isn't the next one. */
  push(entry: LogEntry): void {
    if (this.size === 0) this.#first = entry.sequence
    const expected = this.#first + this.size
    if (entry.sequence !== expected) throw new Error(`event ${entry.sequence} follows where ${expected} should`)
    this.#entries.push(entry)
    this.#bytes += weightOf(entry)
    while (this.#bytes > this.#maxBytes && this.size > 1) {
      this.#bytes -= weightOf(this.#entries[this.#head] as LogEntry)
      this.#head++
      this.#first++
    }
    // What has left is let go in large pieces: each entry is moved once on average.
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
