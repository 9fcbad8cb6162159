import { ConcurrencyLimit } from '../../base/async/concurrency-limit.ts'
import { SingleFlight } from '../../base/async/single-flight.ts'
import type { Time } from '../../base/time.ts'
import type { EventStart } from '../../domain/event-start.ts'
import {
  isOutOfRange,
  JournalError,
  type ReadLimits,
  type ReadPosition,
  startPast,
  type ValueRun,
} from '../../journal/journal.ts'
import { offsetRange, searchSequence } from '../../journal/sequence-search.ts'
import { Blocks, blocksOf, type EventBlock, eventIn } from './blocks.ts'
import type { EncodedEvent, EventJournal, LogPosition } from './encoded-event.ts'
import { EventEncoder } from './encoder.ts'

type PastOptions = {
  readonly journal: EventJournal
  readonly time: Time
  /** The position after the newest event that the follower has seen; undefined before it is known. */
  readonly tip: () => LogPosition | undefined
  readonly maxBytes: number
  /** Number of offsets in a block. */
  readonly blockSize: number
  /** Most concurrent reads of the journal. */
  readonly reads: number
  /** How long a read is retried while the journal is unreachable. */
  readonly graceMs: number
}

const RETRY_MS = 100

/** Whether an error says that the journal is unreachable for now. */
export const isJournalAway = (error: unknown): boolean => error instanceof JournalError && error.code === 'unavailable'

/**
 * The events that the ring no longer has, read from the journal on request and shared by all subscribers.
 */
export class Past {
  readonly #options: PastOptions
  readonly #blocks: Blocks
  readonly #encoder: EventEncoder
  readonly #gate: ConcurrencyLimit
  readonly #searching = new SingleFlight<number, number>()
  readonly #refreshing = new SingleFlight<'floor', void>()
  /** Position of the first event kept, as last seen; undefined while there is none. */
  #floor: LogPosition | undefined
  /** Whether the log still starts at offset 0, as last seen: no event has expired. */
  #isFresh = false

  constructor(options: PastOptions) {
    this.#options = options
    this.#encoder = new EventEncoder(options.journal)
    this.#gate = new ConcurrencyLimit(options.reads)
    this.#blocks = new Blocks((index) => this.#load(index), options.maxBytes)
  }

  /** Position of the first event kept, or of the next event if there is none. Throws before the follower knows the tip. */
  get earliest(): LogPosition {
    const position = this.#floor ?? this.#options.tip()
    if (!position) throw new Error('the ends of the events are not known yet')
    return position
  }

  get isFresh(): boolean {
    return this.#isFresh
  }

  /** Takes note of an appended event. It becomes the first event kept if there was none. */
  arrived({ sequence, offset }: EncodedEvent): void {
    this.#floor ??= { sequence, hint: offset }
  }

  /**
   * Returns the block that holds an event before the tip; undefined if the event is no longer kept. Throws `unavailable` if
   * the journal stays unreachable, and an Error if an event is missing between others.
   */
  async find(sequence: number, hint: number): Promise<EventBlock | undefined> {
    for (let at = hint, isSearched = false; sequence >= this.earliest.sequence; ) {
      const [low, high] = this.#range(sequence)
      const guess = Math.min(Math.max(at, low), high)
      const block = await this.#blocks.get(Math.floor(guess / this.#options.blockSize))
      if (eventIn(block, sequence)) return block
      const last = block.events.at(-1)?.sequence ?? sequence - 1
      if (last === sequence - 1 && block.next > guess && block.next <= high) {
        // There are only holes between the hint and the event.
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

  /** Reads again where the log starts, because retention may have moved it. */
  refreshFloor(): Promise<void> {
    return this.#refreshing.run('floor', async () => {
      for (;;) {
        const { start } = await this.#retryWhileAway(() => this.#options.journal.bounds('events', 0))
        this.#isFresh = start === 0
        try {
          const { first, end } = await this.#firstFrom(start)
          const tip = this.#options.tip()
          if (first) this.#floor = { sequence: first.sequence, hint: first.offset }
          // If an event arrived during the read, `arrived` has set the floor.
          else if (!tip || tip.hint <= end) this.#floor = undefined
          return
        } catch (error) {
          if (!isOutOfRange(error)) throw error
        }
      }
    })
  }

  /**
   * Returns the sequence after the newest event in the journal, which the follower may not have reached. Undefined if all
   * events have expired, some of them unread: then it cannot be known.
   */
  async newestNext(): Promise<number | undefined> {
    const { journal, tip } = this.#options
    const newest = await this.#retryWhileAway(() => journal.newest('events', 0))
    if (newest) return newest.value.sequence + 1
    const { end } = await this.#retryWhileAway(() => journal.bounds('events', 0))
    const seen = tip()
    return seen && seen.hint >= end ? seen.sequence : undefined
  }

  /**
   * Returns the position of the first event kept at or after a start, or of the next event to come if there is none. Undefined
   * if that cannot be known, as with `newestNext`.
   */
  async positionOf(start: EventStart): Promise<LogPosition | undefined> {
    if ('recordedFrom' in start) return this.#positionOfTime(start.recordedFrom)
    const { tip } = this.#options
    const first = this.earliest
    const end = tip()?.sequence ?? first.sequence
    const next = start.sequence > end ? await this.newestNext() : end
    if (next === undefined) return undefined
    const sequence = Math.max(first.sequence, Math.min(start.sequence, next))
    return { sequence, hint: first.hint + (sequence - first.sequence) }
  }

  async #positionOfTime(time: number): Promise<LogPosition | undefined> {
    const { journal } = this.#options
    for (;;) {
      const offset = await this.#retryWhileAway(() => this.#gate.run(() => journal.offsetForTime('events', 0, time)))
      try {
        const { first, end } = await this.#firstFrom(offset)
        if (first) return { sequence: first.sequence, hint: first.offset }
        // The newest event lies before `offset`, unless one has come since: then that one is the first.
        const sequence = await this.newestNext()
        const { first: come } = await this.#firstFrom(end)
        if (come) return { sequence: come.sequence, hint: come.offset }
        return sequence === undefined ? undefined : { sequence, hint: end }
      } catch (error) {
        // Retention has moved the start beyond that offset meanwhile.
        if (startPast(offset, error) === undefined) throw error
      }
    }
  }

  /** Lowest and highest offset that the event can have. */
  #range(sequence: number): [low: number, high: number] {
    const first = this.earliest
    const tip = this.#options.tip() ?? first
    return offsetRange(sequence, { ...first, offset: first.hint }, { ...tip, offset: tip.hint })
  }

  /** Returns the event's offset, if it is still kept. If retention moves the floor meanwhile, the search starts again. */
  async #search(sequence: number): Promise<number> {
    while (sequence >= this.earliest.sequence) {
      const from = this.earliest.hint
      try {
        return await searchSequence(sequence, this.#range(sequence), async (at) => (await this.#firstFrom(at)).first)
      } catch (error) {
        if (startPast(from, error) === undefined) throw error
        // A refresh that another caller started may have read before retention moved the start. The loop then repeats it.
        await this.refreshFloor()
      }
    }
    return this.earliest.hint
  }

  async #firstFrom(offset: number) {
    for (let at = offset; ; ) {
      const found: { sequence: number; offset: number }[] = []
      const take = (run: ValueRun) => void found.push(...this.#encoder.sequencesIn(run))
      const { next, end } = await this.#read(at, take, { maxRecords: 1 })
      const [first] = found
      if (first) return { first, end }
      if (next >= end) return { first: undefined, end }
      at = next
    }
  }

  async #load(index: number): Promise<readonly EventBlock[]> {
    const { blockSize } = this.#options
    const end = (index + 1) * blockSize
    const events: EncodedEvent[] = []
    const take = (run: ValueRun) => this.#encoder.eventsOf(run, events)
    for (let at = Math.max(index * blockSize, this.#floor?.hint ?? 0); ; ) {
      try {
        const batch = await this.#read(at, take, { maxRecords: blockSize })
        if (batch.next >= end || batch.next >= batch.end) return blocksOf(index, blockSize, events, batch.next)
        at = batch.next
      } catch (error) {
        const start = startPast(at, error)
        if (start === undefined) throw error
        await this.refreshFloor()
        if (start >= end) return [{ index, events: [], next: start, complete: false }]
        events.length = 0
        at = start
      }
    }
  }

  /** A read that fails because the journal is away has passed nothing to `take`, so it can be repeated. */
  #read(offset: number, take: (run: ValueRun) => void, limits: ReadLimits): Promise<ReadPosition> {
    return this.#retryWhileAway(() =>
      this.#gate.run(() => this.#options.journal.readEncoded('events', 0, offset, take, limits)),
    )
  }

  async #retryWhileAway<V>(task: () => Promise<V>): Promise<V> {
    const { time, graceMs } = this.#options
    const giveUpAt = time.monotonic() + graceMs
    for (;;) {
      try {
        return await task()
      } catch (error) {
        if (!isJournalAway(error) || time.monotonic() >= giveUpAt) throw error
        await time.after(RETRY_MS)
      }
    }
  }
}
