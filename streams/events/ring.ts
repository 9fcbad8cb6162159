import { type EncodedEvent, weightOf } from './encoded-event.ts'

/** The newest events, dense by sequence and bounded in bytes. The newest one stays, whatever its size. */
export class Ring {
  readonly #maxBytes: number
  /** Entries before `#head` have been evicted. */
  #events: EncodedEvent[] = []
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
    return this.#events.length - this.#head
  }

  at(sequence: number): EncodedEvent | undefined {
    return sequence < this.#first ? undefined : this.#events[this.#head + sequence - this.#first]
  }

  /** Appends an event. Throws if it isn't the next in sequence. */
  push(event: EncodedEvent): void {
    if (this.size === 0) this.#first = event.sequence
    const expected = this.#first + this.size
    if (event.sequence !== expected)
      throw new Error(`event ${event.sequence} came where event ${expected} was expected`)
    this.#events.push(event)
    this.#bytes += weightOf(event)
    while (this.#bytes > this.#maxBytes && this.size > 1) {
      // `size` above 1: there is an event at the head.
      this.#bytes -= weightOf(this.#events[this.#head] as EncodedEvent)
      this.#head++
      this.#first++
    }
    // Evicted events are dropped in large pieces, so that each event is moved about once.
    if (this.#head > this.size + 64) {
      this.#events = this.#events.slice(this.#head)
      this.#head = 0
    }
  }

  clear(): void {
    this.#events = []
    this.#head = 0
    this.#bytes = 0
    this.#first = 0
  }
}
