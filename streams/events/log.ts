import type { Time } from '../../base/time.ts'
import type { EventStart } from '../../domain/event-start.ts'
import { Lineage } from '../../domain/lineage.ts'
import type { EventBlock } from './blocks.ts'
import { cursorOf, type EncodedEvent, type EventJournal, type LogPosition } from './encoded-event.ts'
import { Follower } from './follower.ts'
import { Past } from './past.ts'
import { Ring } from './ring.ts'
import type { Ends } from './subscription.ts'

type LogOptions = {
  readonly journal: EventJournal
  readonly time: Time
  readonly ringBytes: number
  readonly blockBytes: number
  readonly blockSize: number
  readonly reads: number
  readonly warmOffsets: number
  readonly graceMs: number
  readonly arriving: (events: readonly EncodedEvent[]) => void
  readonly rest: () => Promise<void>
  readonly away: () => void
}

/** The log of events, shared by all subscribers of a process. The newest events come from the ring, older ones in blocks. */
export class EventLog {
  readonly #lineage: Lineage
  readonly #ring: Ring
  readonly #past: Past
  readonly follower: Follower

  constructor({ ringBytes, blockBytes, ...options }: LogOptions) {
    this.#lineage = new Lineage(options.journal)
    this.#ring = new Ring(ringBytes)
    this.#past = new Past({ ...options, maxBytes: blockBytes, tip: () => this.follower.tip })
    this.follower = new Follower({ ...options, ring: this.#ring, past: this.#past })
  }

  /** The first and the next position of the log; undefined before they are known. */
  get ends(): Ends | undefined {
    const { tip } = this
    return tip && { lineage: this.#lineage, earliest: this.#past.earliest, tip }
  }

  /** The position after the newest event; undefined before it is known. */
  get tip(): LogPosition | undefined {
    return this.follower.tip
  }

  /** The sequence that the next event will have; 0 before it is known. */
  get next(): number {
    return this.tip?.sequence ?? 0
  }

  /** An event, if the ring holds it. */
  recent(sequence: number): EncodedEvent | undefined {
    return this.#ring.at(sequence)
  }

  /** Whether an event has left the ring. */
  hasLeftRing(sequence: number): boolean {
    return sequence < this.#ring.first
  }

  /** The block of an older event; undefined if the journal no longer keeps it. */
  find(position: LogPosition): Promise<EventBlock | undefined> {
    return this.#past.find(position.sequence, position.hint)
  }

  /** Asks the journal for the sequence that the next event will have. Undefined if that cannot be known. */
  newestNext(): Promise<number | undefined> {
    return this.#past.newestNext()
  }

  /** Looks up a start in the journal. Undefined if it cannot be known. */
  positionOf(start: EventStart): Promise<LogPosition | undefined> {
    return this.#past.positionOf(start)
  }

  refreshFloor(): Promise<void> {
    return this.#past.refreshFloor()
  }

  cursor(position: LogPosition): string {
    return cursorOf(this.#lineage, position)
  }
}
