import type { EventBlock } from './blocks.ts'
import type { Clock } from './clock.ts'
import { cursorOf, type EventJournal, type LogEntry, type Place } from './entry.ts'
import { Follower } from './follower.ts'
import { Past } from './past.ts'
import { Ring } from './ring.ts'
import type { Ends } from './subscription.ts'

type LogOptions = {
  readonly journal: EventJournal
  readonly clock: Clock
  readonly ringBytes: number
  readonly blockBytes: number
  readonly blockSize: number
  readonly reads: number
  readonly warmOffsets: number
  readonly graceMs: number
  readonly arrived: () => void
  readonly rest: () => Promise<void>
  readonly away: () => void
}

/** The events as all subscribers of this process see them: the newest in the ring, the others block by block. */
export class EventLog {
  readonly #journal: string
  readonly #ring: Ring
  readonly #past: Past
  readonly follower: Follower

  constructor({ ringBytes, blockBytes, ...options }: LogOptions) {
    this.#journal = options.journal.id
    this.#ring = new Ring(ringBytes)
    this.#past = new Past({ ...options, maxBytes: blockBytes, tip: () => this.follower.tip })
    this.follower = new Follower({ ...options, ring: this.#ring, past: this.#past })
  }

  /** The ends of the log; undefined before they are known. */
  get ends(): Ends | undefined {
    const { tip } = this.follower
    return tip && { journal: this.#journal, earliest: this.#past.earliest, tip }
  }

  /** The sequence of the next event to come. */
  get next(): number {
    return this.follower.tip?.sequence ?? 0
  }

  /** An event that the ring holds. */
  recent(sequence: number): LogEntry | undefined {
    return this.#ring.at(sequence)
  }

  /** Whether an event has left the ring. */
  hasLeftRing(sequence: number): boolean {
    return sequence < this.#ring.first
  }

  /** The block of an older event; undefined if it is no longer kept. */
  find(place: Place): Promise<EventBlock | undefined> {
    return this.#past.find(place.sequence, place.hint)
  }

  /** Asks the journal itself for the sequence of the next event to come; undefined where nobody can say. */
  newestNext(): Promise<number | undefined> {
    return this.#past.newestNext()
  }

  refreshFloor(): Promise<void> {
    return this.#past.refreshFloor()
  }

  cursor(place: Place): string {
    return cursorOf(this.#journal, place)
  }
}
