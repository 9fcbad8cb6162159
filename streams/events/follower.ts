import { pause } from '../../base/async/pause.ts'
import type { Time } from '../../base/time.ts'
import { BEFORE_ANYTHING } from '../../contracts/scalars.ts'
import { FAILOVER_MS } from '../../journal/fold.ts'
import { type Batch, runOf, startPast } from '../../journal/journal.ts'
import type { EncodedEvent, EventJournal, LogPosition } from './encoded-event.ts'
import { EventEncoder } from './encoder.ts'
import { isJournalAway, type Past } from './past.ts'
import type { Ring } from './ring.ts'

type FollowerOptions = {
  readonly journal: EventJournal
  readonly time: Time
  readonly ring: Ring
  readonly past: Past
  /** Number of offsets before the newest event that are read at the start, to fill the ring for clients that reconnect soon. */
  readonly warmOffsets: number
  /** How long the journal may be unreachable before `away` is called. */
  readonly graceMs: number
  /** Called when new events have been taken, before the tip moves on: whoever waits there has still to read them. */
  readonly arriving: (events: readonly EncodedEvent[]) => void
  /** Called after the newest events were taken. Resolves when it is time to read again. */
  readonly rest: () => Promise<void>
  /** Called when the journal has been unreachable for longer than `graceMs`. */
  readonly away: () => void
}

const RETRY_MS = 250

/** Follows the events in the journal, once for the whole process, and puts them into the ring. */
export class Follower {
  readonly #options: FollowerOptions
  readonly #encoder: EventEncoder
  readonly #caughtUp = Promise.withResolvers<void>()
  #next: number | undefined
  #target: number | undefined
  #tip: LogPosition | undefined
  #newestAt: number | undefined
  #awaySince: number | undefined
  /** Whether events may have expired unread since the newest one seen. */
  #hasGap = false

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#encoder = new EventEncoder(options.journal)
    // `run` rejects with the same error, so `caughtUp` needs no second handler.
    this.#caughtUp.promise.catch(() => undefined)
  }

  /** The position after the newest event seen; undefined until the log's end, as of the start, has been reached. */
  get tip(): LogPosition | undefined {
    return this.#tip
  }

  /** Resolves once everything up to the end seen at the start has been read. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise
  }

  /** When the newest event was appended. */
  get asOf(): string {
    return this.#newestAt === undefined ? BEFORE_ANYTHING : new Date(this.#newestAt).toISOString()
  }

  get isAvailable(): boolean {
    return this.#tip !== undefined && !this.#hasBeenAwayLong()
  }

  /** Settles when `signal` aborts; rejects if an event can't be read or the events are not dense. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) await this.#follow(signal)
    } catch (error) {
      this.#caughtUp.reject(error)
      throw error
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { journal, time, ring } = this.#options
    try {
      this.#next ??= await this.#start()
      for await (const batch of journal.followEncoded('events', 0, this.#next, signal, {
        patienceMs: FAILOVER_MS,
      })) {
        this.#take(batch)
        if (batch.next >= batch.end) await this.#options.rest()
      }
    } catch (error) {
      if (signal.aborted) return
      if (startPast(this.#next ?? 0, error) !== undefined) {
        // Retention removed unread events while the journal was unreachable. The ring must stay dense, so it starts again.
        ring.clear()
        this.#hasGap = true
        this.#next = undefined
        return
      }
      if (!isJournalAway(error)) throw error
      this.#awaySince ??= time.monotonic()
      if (this.#hasBeenAwayLong()) this.#options.away()
      await pause(RETRY_MS, signal, time)
    }
  }

  /** Offset to follow from: `warmOffsets` before the newest event. */
  async #start(): Promise<number> {
    const { journal, past, warmOffsets } = this.#options
    const { start, end } = await journal.bounds('events', 0)
    const newest = await journal.newest('events', 0)
    await past.refreshFloor()
    this.#target ??= end
    return newest ? Math.max(start, newest.offset - warmOffsets) : start
  }

  #take({ records, next }: Batch): void {
    const { ring, past } = this.#options
    this.#next = next
    this.#awaySince = undefined
    const events: EncodedEvent[] = []
    this.#encoder.eventsOf(runOf(records), events)
    for (const event of events) {
      ring.push(event)
      past.arrived(event)
    }
    const last = events.at(-1)
    const newest = records.at(-1)
    if (newest) {
      this.#newestAt = newest.timestamp
      this.#hasGap = false
    }
    if (next < (this.#target ?? 0) && this.#tip === undefined) return
    if (newest) this.#options.arriving(events)
    this.#tip = this.#tipAfter(last?.sequence, next)
    this.#caughtUp.resolve()
  }

  /** The position after the newest event. If every event has expired, it is undefined until the next event arrives. */
  #tipAfter(sequence: number | undefined, next: number): LogPosition | undefined {
    const { ring, past } = this.#options
    if (sequence !== undefined) return { sequence: sequence + 1, hint: next }
    if (this.#hasGap) return this.#tip
    if (ring.size > 0) return { sequence: ring.first + ring.size, hint: next }
    return past.isFresh ? { sequence: 1, hint: next } : undefined
  }

  #hasBeenAwayLong(): boolean {
    const { time, graceMs } = this.#options
    return this.#awaySince !== undefined && time.monotonic() - this.#awaySince >= graceMs
  }
}
