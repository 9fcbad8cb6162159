import { ConcurrencyLimit } from '../../base/async/concurrency-limit.ts'
import { SingleFlight } from '../../base/async/single-flight.ts'
import { type Batch, JournalError, type ReadLimits } from '../../journal/journal.ts'
import { Blocks, blocksOf, type EventBlock, entryIn } from './blocks.ts'
import { type Clock, pauseBy } from './clock.ts'
import { EventEncoder } from './encoder.ts'
import type { EventJournal, LogEntry, Place } from './entry.ts'

type PastOptions = {
  readonly journal: EventJournal
  readonly clock: Clock
  /** Where the follower is: behind the newest event it has seen. Undefined before it knows. */
  readonly tip: () => Place | undefined
  readonly maxBytes: number
  /** Offsets of a block. */
  readonly blockSize: number
  /** Journal reads under way at most. */
  readonly reads: number
  /** How long a read is tried again while the journal is away. */
  readonly graceMs: number
}

const RETRY_MS = 100

export const isOutOfRange = (error: unknown): error is JournalError =>
  error instanceof JournalError && error.code === 'offset_out_of_range'

/** The journal can't be reached for now. */
export const isJournalAway = (error: unknown): boolean => error instanceof JournalError && error.code === 'unavailable'

/**
 * The events that the ring no longer has, read from the journal by whoever asks and shared by all. Sequences are dense
 * and offsets increase with them, so two known places bound where an event between them can stand.
 */
export class Past {
  readonly #options: PastOptions
  readonly #blocks: Blocks
  readonly #encoder: EventEncoder
  readonly #gate: ConcurrencyLimit
  readonly #searching = new SingleFlight<number, number>()
  readonly #refreshing = new SingleFlight<'floor', void>()
  /** The first event kept, as last seen; undefined while there is none. */
  #floor: Place | undefined
  /** Whether nothing has ever left the log, as last seen. */
  #isFresh = false

  constructor(options: PastOptions) {
    this.#options = options
    this.#encoder = new EventEncoder(options.journal)
    this.#gate = new ConcurrencyLimit(options.reads)
    this.#blocks = new Blocks((index) => this.#load(index), options.maxBytes)
  }

  /** The first event kept, or the next to come. Throws before the follower knows the tip. */
  get earliest(): Place {
    const place = this.#floor ?? this.#options.tip()
    if (!place) throw new Error('the events have not been looked at yet')
    return place
  }

  get isFresh(): boolean {
    return this.#isFresh
  }

  /** An event was appended: where there was none, it is the first. */
  arrived({ sequence, offset }: LogEntry): void {
    this.#floor ??= { sequence, hint: offset }
  }

  /**
   * The block that holds an event before the tip; undefined if the event is no longer kept. Throws `unavailable` when the
   * journal stays away, and an Error where an event is missing in the middle.
   */
  async find(sequence: number, hint: number): Promise<EventBlock | undefined> {
    for (let at = hint, isSearched = false; sequence >= this.earliest.sequence; ) {
      const [low, high] = this.#range(sequence)
      const guess = Math.min(Math.max(at, low), high)
      const block = await this.#blocks.get(Math.floor(guess / this.#options.blockSize))
      if (entryIn(block, sequence)) return block
      const last = block.entries.at(-1)?.sequence ?? sequence - 1
      if (last === sequence - 1 && block.next > guess && block.next <= high) {
        // Between the hint and the event there are only holes.
        at = block.next
      } else if (!isSearched) {
        at = await this.#searching.run(sequence, () => this.#search(sequence))
        isSearched = true
      } else if (sequence >= this.earliest.sequence) {
        throw new Error(`event ${sequence} is not in the journal, though earlier and later ones are`)
      }
    }
    return undefined
  }

  /** Looks where the log starts: retention may have moved it. */
  refreshFloor(): Promise<void> {
    return this.#refreshing.run('floor', async () => {
      for (;;) {
        const { start } = await this.#patiently(() => this.#options.journal.bounds('events', 0))
        this.#isFresh = start === 0
        try {
          const { first, end } = await this.#firstFrom(start)
          const tip = this.#options.tip()
          if (first) this.#floor = { sequence: first.sequence, hint: first.offset }
          // An event that came while we looked has set the floor itself.
          else if (!tip || tip.hint <= end) this.#floor = undefined
          return
        } catch (error) {
          if (!isOutOfRange(error)) throw error
        }
      }
    })
  }

  /**
   * The sequence after the newest event in the journal, which the follower may not have reached. Undefined where nobody
   * can say: all events have expired, some of them unread.
   */
  async newestNext(): Promise<number | undefined> {
    const { journal, tip } = this.#options
    const newest = await this.#patiently(() => journal.newest('events', 0))
    if (newest) return newest.value.sequence + 1
    const { end } = await this.#patiently(() => journal.bounds('events', 0))
    const seen = tip()
    return seen && seen.hint >= end ? seen.sequence : undefined
  }

  /** The offsets between which the event stands, both inclusive. */
  #range(sequence: number): [low: number, high: number] {
    const first = this.earliest
    const tip = this.#options.tip() ?? first
    return [first.hint + (sequence - first.sequence), tip.hint - (tip.sequence - sequence)]
  }

  /** The event's offset, if it is still kept. Retention that comes between moves the floor, and the search begins again. */
  async #search(sequence: number): Promise<number> {
    while (sequence >= this.earliest.sequence) {
      const from = this.earliest.hint
      try {
        return await this.#bisect(sequence)
      } catch (error) {
        if (!isOutOfRange(error)) throw error
        if ((error.range?.start ?? 0) <= from) throw error
        // It may have looked before the cut, at somebody else's request: then this is repeated.
        await this.refreshFloor()
      }
    }
    return this.earliest.hint
  }

  async #bisect(sequence: number): Promise<number> {
    let [low, high] = this.#range(sequence)
    while (low < high) {
      const middle = low + Math.floor((high - low) / 2)
      const { first } = await this.#firstFrom(middle)
      if (first?.sequence === sequence) return first.offset
      if (!first || first.sequence > sequence) high = middle - 1
      else low = first.offset + (sequence - first.sequence)
    }
    return low
  }

  async #firstFrom(offset: number) {
    for (let at = offset; ; ) {
      const { records, next, end } = await this.#read(at, { maxRecords: 1 })
      const [record] = records
      if (record) return { first: { sequence: this.#encoder.sequenceOf(record.value), offset: record.offset }, end }
      if (next >= end) return { first: undefined, end }
      at = next
    }
  }

  async #load(index: number): Promise<readonly EventBlock[]> {
    const { blockSize } = this.#options
    const end = (index + 1) * blockSize
    const entries: LogEntry[] = []
    for (let at = Math.max(index * blockSize, this.#floor?.hint ?? 0); ; ) {
      try {
        const batch = await this.#read(at, { maxRecords: blockSize })
        for (const record of batch.records) entries.push(this.#encoder.entry(record))
        if (batch.next >= end || batch.next >= batch.end) return blocksOf(index, blockSize, entries, batch.next)
        at = batch.next
      } catch (error) {
        const start = isOutOfRange(error) ? (error.range?.start ?? 0) : 0
        if (start <= at) throw error
        await this.refreshFloor()
        if (start >= end) return [{ index, entries: [], next: start, complete: false }]
        entries.length = 0
        at = start
      }
    }
  }

  #read(offset: number, limits: ReadLimits): Promise<Batch> {
    return this.#patiently(() => this.#gate.run(() => this.#options.journal.readEncoded('events', 0, offset, limits)))
  }

  async #patiently<V>(task: () => Promise<V>): Promise<V> {
    const { clock, graceMs } = this.#options
    const giveUpAt = clock.now() + graceMs
    for (;;) {
      try {
        return await task()
      } catch (error) {
        if (!isJournalAway(error) || clock.now() >= giveUpAt) throw error
        await pauseBy(clock, RETRY_MS)
      }
    }
  }
}
