import { createHash } from 'node:crypto'
import { cancelTimer, type RunningTimer, systemTime, type Time } from '../../base/time.ts'
import { type FEED, isServedSymbol, type SIMULATOR } from '../../contracts/instruments.ts'
import { JournalError } from '../../journal/journal.ts'
import type { TypedJournal } from '../../journal/typed.ts'
import { canonicalPrice } from '../accept/canonical-price.ts'
import { priceTick } from '../accept/price-tick.ts'
import { inputIdOf, type RowFault, rejectedDrafts } from '../accept/rejected.ts'
import { keptLimits } from '../limits.ts'
import type { Price, Reject } from '../source.ts'
import { ExactCommit, type Pending } from './exact-commit.ts'
import { RejectFilter } from './reject-filter.ts'

export type WriterEvent =
  /** A rejected input that went into quarantine; a repeat is only counted. */
  | { readonly type: 'rejected'; readonly reason: string; readonly detail: string }
  /** The first price of a symbol that the service doesn't serve. */
  | { readonly type: 'unserved'; readonly symbol: string }
  /** The journal refused a batch, or its outcome is unknown. The batch is retried in `retryInMs`. */
  | { readonly type: 'journal_waits'; readonly error: JournalError; readonly retryInMs: number }
  /** Another process owns the source, or the journal is unavailable. `ownWriter` waits for the next turn. */
  | { readonly type: 'turn_lost'; readonly error: JournalError }

/** Inputs so far by outcome. `repeated`: same price at the same time as before; `dropped`: rejected and not in quarantine. */
export type WriterTally = { written: number; repeated: number; unserved: number; rejected: number; dropped: number }

export type TickWriterOptions = {
  readonly journal: TypedJournal
  readonly source: typeof FEED | typeof SIMULATOR
  /** Aborting it ends the wait for the claim and the retries of an unavailable journal. */
  readonly signal: AbortSignal
  /** Address that rejected inputs came from. Quarantine shows it, so it must hold no secrets. */
  readonly url?: string
  readonly onEvent?: (event: WriterEvent) => void
  readonly time?: Time
  /** A batch is written once it has `batchSize` records, or once its first record has waited `batchMs`. */
  readonly batchSize?: number
  readonly batchMs?: number
  /** Ticks in memory from which on `write` asks its caller to wait. A rejected input counts as one per 256 bytes. */
  readonly capacity?: number
  readonly rejectsPerMinute?: number
}

/**
 * Allowed lead of a price's time over our clock. A feed's prices are current, so a greater lead is a fault: such a
 * price would count as the newest until its time has come.
 */
const FUTURE_MS = 60_000
const BYTES_PER_WEIGHT = 256
/** Number of unserved symbols that are reported and remembered, so that a feed of made-up symbols costs no memory. */
const MAX_UNSERVED_REPORTED = 1_000
const defaults = { batchSize: 1_000, batchMs: 20, capacity: 10_000, rejectsPerMinute: 100, time: systemTime }

/**
 * Writes the prices of a source to `ticks`, and unusable inputs to `quarantine`. It writes one batch at a time, each in
 * one transaction, so that a symbol's prices keep the order of the calls.
 *
 * It owns the claim `ingest/<source>`; a second writer of the source is a standby. A refused batch is retried until it
 * is written. After an unknown outcome the writer claims again and looks for the batch in the tail, so that no price is
 * lost or doubled. Any other failure, such as `fenced`, ends the writer: prices that are not yet durable are lost, and
 * every later call throws that failure.
 */
export class TickWriter {
  readonly #options: TickWriterOptions & typeof defaults
  readonly #commit: ExactCommit
  readonly #filter: RejectFilter
  readonly #tally: WriterTally = { written: 0, repeated: 0, unserved: 0, rejected: 0, dropped: 0 }
  readonly #last = new Map<string, string>()
  readonly #unserved = new Set<string>()
  #pending: Pending[] = []
  /** Weight of the records that are pending or being written. */
  #weight = 0
  #accepted = 0
  #durable = 0
  #timer: RunningTimer | undefined
  #writing: Promise<void> | undefined
  #room: PromiseWithResolvers<void> | undefined
  #failure: unknown

  private constructor(options: TickWriterOptions, commit: ExactCommit) {
    this.#options = { ...defaults, ...options }
    this.#commit = commit
    this.#filter = new RejectFilter(this.#options.rejectsPerMinute)
  }

  /** Waits for the source's claim. Rejects with `signal.reason` when aborted, and with errors of the journal. */
  static async open(options: TickWriterOptions): Promise<TickWriter> {
    const { journal, source, signal, time = systemTime, onEvent } = options
    const commit = await ExactCommit.open({
      journal,
      name: `ingest/${source}`,
      signal,
      time,
      onRetry: (error, retryInMs) => onEvent?.({ type: 'journal_waits', error, retryInMs }),
    })
    const writer = new TickWriter(options, commit)
    try {
      for await (const { records } of journal.readToEnd('quarantine', 0))
        for (const { value } of records) if (value.source === source) writer.#filter.learn(value.input_id)
      return writer
    } catch (error) {
      await commit.release()
      throw error
    }
  }

  get tally(): Readonly<WriterTally> {
    return { ...this.#tally }
  }

  /**
   * Takes one input, which becomes durable later: see `flush`. If it returns a promise, the caller should wait for it
   * before the next input. Throws, or rejects with, the failure that ended the writer.
   */
  write(item: Price | Reject): Promise<void> | undefined {
    if (item.kind === 'reject') return this.reject(item, Buffer.from(item.text))
    this.#throwIfFailed()
    const { journal, source, onEvent } = this.#options
    const { symbol, observedAt } = item
    if (!isServedSymbol(symbol)) {
      this.#tally.unserved++
      if (!this.#unserved.has(symbol) && this.#unserved.size < MAX_UNSERVED_REPORTED) {
        this.#unserved.add(symbol)
        onEvent?.({ type: 'unserved', symbol })
      }
      return undefined
    }
    const read = canonicalPrice(item, this.#options.time.now(), FUTURE_MS)
    if ('reason' in read) return this.reject(read, Buffer.from(JSON.stringify(item)))
    const price = read.canonical
    // `recorded_at` is filled in when the batch is written.
    const { value, id } = priceTick({ symbol, source, price, observed_at: observedAt, recorded_at: '', url: '' })
    if (this.#last.get(symbol) === id) {
      this.#tally.repeated++
      return undefined
    }
    this.#last.set(symbol, id)
    const partition = journal.partitionFor('ticks', symbol)
    return this.#accept([{ topic: 'ticks', partition, draft: { value, id, at: 0 }, weight: 1 }])
  }

  /** Puts an unusable input into quarantine, once, with its bytes. Otherwise as `write`. */
  reject({ reason, detail }: Omit<RowFault, 'location'>, bytes: Uint8Array): Promise<void> | undefined {
    this.#throwIfFailed()
    const { source, url = '', onEvent } = this.#options
    const now = this.#options.time.now()
    const origin = {
      source,
      dataset: source,
      url,
      retrievedAt: new Date(now).toISOString(),
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }
    const fault = { reason, detail, location: '' }
    this.#tally.rejected++
    if (this.#filter.decide(inputIdOf(origin, fault), now) !== 'keep') {
      this.#tally.dropped++
      return undefined
    }
    onEvent?.({ type: 'rejected', reason, detail })
    const drafts = rejectedDrafts(origin, fault, bytes, 0, keptLimits.rowBytes)
    return this.#accept(
      drafts.map((draft) => {
        const weight = 1 + Math.ceil(draft.value.bytes.length / BYTES_PER_WEIGHT)
        return { topic: 'quarantine', partition: 0, draft, weight }
      }),
    )
  }

  /** Resolves once every input taken so far is durable. */
  async flush(): Promise<void> {
    const target = this.#accepted
    while (this.#durable < target) {
      this.#throwIfFailed()
      await (this.#writing ?? this.#start())
    }
    this.#throwIfFailed()
  }

  /** Tries once to write the pending records, then releases the claim. */
  async close(): Promise<void> {
    // A failure has already ended the writer; every later call throws it.
    await this.flush().catch(() => undefined)
    this.#failure ??= new JournalError('closed', `the writer of ${this.#options.source} was closed`)
    cancelTimer(this.#timer)
    await this.#commit.release()
  }

  #accept(records: readonly Pending[]): Promise<void> | undefined {
    for (const record of records) {
      this.#pending.push(record)
      this.#weight += record.weight
    }
    this.#accepted += records.length
    this.#schedule()
    if (this.#weight < this.#options.capacity) return undefined
    if (!this.#room) {
      this.#room = Promise.withResolvers()
      // A caller that doesn't wait gets the failure at its next call.
      this.#room.promise.catch(() => undefined)
    }
    return this.#room.promise
  }

  #schedule(): void {
    if (this.#writing || this.#pending.length === 0 || this.#failure) return
    if (this.#pending.length >= this.#options.batchSize) this.#start()
    else this.#timer ??= this.#options.time.timer(this.#options.batchMs, () => void this.#start())
  }

  /** Writes one batch. Never rejects: it keeps a failure for the next calls. */
  #start(): Promise<void> {
    cancelTimer(this.#timer)
    this.#timer = undefined
    const batch = this.#pending.splice(0, this.#options.batchSize)
    this.#writing = this.#commit
      .write(batch)
      .then(() => {
        this.#durable += batch.length
        this.#weight -= batch.reduce((sum, { weight }) => sum + weight, 0)
        for (const { topic } of batch) if (topic === 'ticks') this.#tally.written++
        if (this.#weight < this.#options.capacity) {
          this.#room?.resolve()
          this.#room = undefined
        }
      })
      .catch((error) => {
        this.#failure = error
        this.#room?.reject(error)
      })
      .finally(() => {
        this.#writing = undefined
        this.#schedule()
      })
    return this.#writing
  }

  #throwIfFailed(): void {
    if (this.#failure) throw this.#failure
  }
}
