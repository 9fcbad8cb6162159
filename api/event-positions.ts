import { readUntil } from '../journal/read-until.ts'
import { offsetRange, searchSequence } from '../journal/sequence-search.ts'
import type { JournalOfEvents } from './deps.ts'

/** Position of an event in the journal. Nothing between its offset and the events before it is an event. */
export type EventPosition = { readonly sequence: number; readonly offset: number }

/** Positions of the oldest event kept and of the next event to come. They are the same if there is no event. */
export type EventEnds = { readonly first: EventPosition; readonly next: EventPosition }

/**
 * Finds events in the journal itself by sequence or time.
 * Throws `unavailable` (JournalError) if the journal cannot be reached.
 */
export class EventPositions {
  readonly #journal: JournalOfEvents

  constructor(journal: JournalOfEvents) {
    this.#journal = journal
  }

  async ends(): Promise<EventEnds> {
    const newest = await this.#journal.newest('events', 0)
    const { start, end } = await this.#journal.bounds('events', 0)
    const next = newest
      ? { sequence: newest.value.sequence + 1, offset: newest.offset + 1 }
      : { sequence: 1, offset: end }
    return { first: (newest && (await this.#firstFrom(start))) ?? next, next }
  }

  /** Position of an event that is kept. An earlier one means the first, a later one the next to come. `hint`: likely offset. */
  async ofSequence(sequence: number, hint: number, { first, next }: EventEnds): Promise<EventPosition> {
    if (sequence <= first.sequence) return first
    if (sequence >= next.sequence) return next
    const firstFrom = (offset: number) => this.#firstFrom(offset)
    return { sequence, offset: await searchSequence(sequence, offsetRange(sequence, first, next), firstFrom, hint) }
  }

  /** Position of the first event recorded at or after a time (UTC ms), or of the next event to come if there is none. */
  async ofTime(time: number): Promise<EventPosition> {
    const offset = await this.#journal.offsetForTime('events', 0, time)
    const found = await this.#firstFrom(offset)
    if (found) return found
    const { next } = await this.ends()
    // An event may have come before the end was looked up: then that one is the first.
    return (await this.#firstFrom(offset)) ?? next
  }

  async #firstFrom(offset: number): Promise<EventPosition | undefined> {
    const read = (at: number) => this.#journal.read('events', 0, at, { maxRecords: 1 })
    const batches = readUntil(read, offset, Number.POSITIVE_INFINITY)
    for await (const { records, next, end } of batches) {
      const [first] = records
      if (first) return { sequence: first.value.sequence, offset: first.offset }
      if (next >= end) break
    }
    return undefined
  }
}
