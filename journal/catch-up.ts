import type { Topic } from '../contracts/topics.ts'
import type { RecordHead } from './journal.ts'
import type { JournalRecord, TypedJournal } from './typed.ts'

/** A topic of one partition that is read to its end again and again, each record once, until what was read is forgotten. */
export class CatchUp<T extends Topic> {
  readonly #journal: TypedJournal
  readonly #topic: T
  #next = 0

  constructor(journal: TypedJournal, topic: T) {
    this.#journal = journal
    this.#topic = topic
  }

  /** Offset of the next record to read. */
  get next(): number {
    return this.#next
  }

  /**
   * Passes to `apply` what any process has written since the last call. Only records for which `isWanted` returns true are
   * decoded.
   */
  async read(apply: (record: JournalRecord<T>) => void, isWanted?: (head: RecordHead) => boolean): Promise<void> {
    for await (const batch of this.#journal.readToEnd(this.#topic, 0, this.#next, isWanted)) {
      for (const record of batch.records) apply(record)
      this.#next = batch.next
    }
  }

  /** Goes on from an offset, because nothing before it has to be read. Never goes back. */
  skipTo(offset: number): void {
    this.#next = Math.max(this.#next, offset)
  }

  /** Begins again at the start. */
  forget(): void {
    this.#next = 0
  }
}
