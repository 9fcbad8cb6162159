import { BEFORE_ANYTHING } from '../../contracts/scalars.ts'
import { FAILOVER_MS } from '../../journal/fold.ts'
import type { Batch } from '../../journal/journal.ts'
import { type Clock, pauseBy } from './clock.ts'
import { EventEncoder } from './encoder.ts'
import type { EventJournal, LogEntry, Place } from './entry.ts'
import { isJournalAway, isOutOfRange, type Past } from './past.ts'
import type { Ring } from './ring.ts'

type FollowerOptions = {
  readonly journal: EventJournal
  readonly clock: Clock
  readonly ring: Ring
  readonly past: Past
  /** Offsets before the newest event that are read at the start, so that those who come back soon find the ring filled. */
  readonly warmOffsets: number
  /** How long the journal may be away before that matters. */
  readonly graceMs: number
  readonly arrived: () => void
  /** Resolves when it is time to look for more, after what has arrived. */
  readonly rest: () => Promise<void>
  /** The journal has been away for longer. */
  readonly away: () => void
}

const RETRY_MS = 250

/** Reads the events as they are appended, once for the whole process, into the ring. */
export class Follower {
  readonly #options: FollowerOptions
  readonly #encoder: EventEncoder
  readonly #caughtUp = Promise.withResolvers<void>()
  #next: number | undefined
  #target: number | undefined
  #tip: Place | undefined
  #newestAt: number | undefined
  #awaySince: number | undefined
  /** Events may have expired unread since the newest one seen. */
  #hasGap = false

  constructor(options: FollowerOptions) {
    this.#options = options
    this.#encoder = new EventEncoder(options.journal)
    this.#caughtUp.promise.catch(() => undefined)
  }

  /** Behind the newest event seen; undefined before the end of the log, as of the start, has been reached. */
  get tip(): Place | undefined {
    return this.#tip
  }

  /** Resolves once everything up to the end seen at the start has been taken in. */
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
    const { journal, clock, ring } = this.#options
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
      if (isOutOfRange(error) && (error.range?.start ?? 0) > (this.#next ?? 0)) {
        // Retention has passed us by while the journal was away: what the ring holds no longer joins what comes.
        ring.clear()
        this.#hasGap = true
        this.#next = undefined
        return
      }
      if (!isJournalAway(error)) throw error
      this.#awaySince ??= clock.now()
      if (this.#hasBeenAwayLong()) this.#options.away()
      await pauseBy(clock, RETRY_MS, signal)
    }
  }

  /** Where to follow from: some way back from the newest event. */
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
    let last: LogEntry | undefined
    for (const record of records) {
      last = this.#encoder.entry(record)
      ring.push(last)
      past.arrived(last)
    }
    const newest = records.at(-1)
    if (newest) {
      this.#newestAt = newest.timestamp
      this.#hasGap = false
    }
    if (next < (this.#target ?? 0) && this.#tip === undefined) return
    this.#tip = this.#tipAfter(last?.sequence, next)
    this.#caughtUp.resolve()
    if (newest) this.#options.arrived()
  }

  /** Where every event there was has expired, the next sequence is not known before the next event: undefined. */
  #tipAfter(sequence: number | undefined, next: number): Place | undefined {
    const { ring, past } = this.#options
    if (sequence !== undefined) return { sequence: sequence + 1, hint: next }
    if (this.#hasGap) return this.#tip
    if (ring.size > 0) return { sequence: ring.first + ring.size, hint: next }
    return past.isFresh ? { sequence: 1, hint: next } : undefined
  }

  #hasBeenAwayLong(): boolean {
    const { clock, graceMs } = this.#options
    return this.#awaySince !== undefined && clock.now() - this.#awaySince >= graceMs
  }
}
