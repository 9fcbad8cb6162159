import type { Generation } from '../../../contracts/generations.ts'
import { bodyBytes, measureRecord } from '../../../journal/embedded/record-body.ts'
import {
  type Batch,
  type Claim,
  type Cut,
  type EnsureOptions,
  type FollowOptions,
  type Journal,
  JournalError,
  type NewRecord,
  type PartitionAddress,
  type PartitionToCut,
  type Position,
  type ReadLimits,
  type ReadOptions,
  type ReadPosition,
  runOf,
  type TopicSettings,
  type ValueRun,
  type Write,
} from '../../../journal/journal.ts'
import { type ClaimsOptions, MemoryClaim, MemoryClaims } from './claims.ts'
import type { Line } from './line.ts'
import type { MemoryLog, SealedRecord } from './log.ts'
import type { JournalState, SealedWrite } from './state.ts'
import { pauseFor, type TimeAndChance, untilCalled } from './time.ts'

const RETRY_MS = 100
/** Number of values in a run: small, so that readers meet several runs in one read. */
const RUN_VALUES = 64

export type ClientOptions = Omit<ClaimsOptions, 'find'> & {
  /** Called when the client dies or is closed. */
  readonly onEnd: () => void
}

/** A client of the journal in memory: to the others it is a process of its own. */
export class MemoryJournal implements Journal {
  readonly id: string
  readonly generations: readonly Generation[]
  readonly #state: JournalState
  readonly #line: Line
  readonly #time: TimeAndChance
  readonly #claims: MemoryClaims
  readonly #onEnd: () => void
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined

  constructor({ onEnd, ...options }: ClientOptions) {
    this.id = options.state.id
    this.generations = options.state.generations
    this.#state = options.state
    this.#line = options.line
    this.#time = options.time
    this.#onEnd = onEnd
    this.#claims = new MemoryClaims({ ...options, find: (address) => this.#find(address) })
  }

  /** Cuts the client off from the journal, until `reconnect`. Its clock and its timers go on. */
  disconnect(): void {
    this.#line.disconnect()
  }

  reconnect(): void {
    this.#line.reconnect()
  }

  /** Ends the client as SIGKILL ends a process: it releases nothing, and none of its calls settles any more. */
  kill(): void {
    this.#line.die()
    this.#claims.stop()
    this.#onEnd()
    this.#closed = Promise.resolve()
  }

  async ensureTopics(topics: Readonly<Record<string, TopicSettings>>, options?: EnsureOptions): Promise<void> {
    this.#assertOpen()
    await this.#line.call('ensureTopics', () => this.#state.ensureTopics(topics, options))
  }

  async append(write: Write): Promise<{ readonly firstOffset: number }> {
    const sealed = this.#seal(write)
    return this.#line.call('append', () => this.#state.append(sealed))
  }

  async transact(claim: Claim, writes: readonly Write[], positions: readonly Position[] = []) {
    if (!(claim instanceof MemoryClaim)) throw new TypeError('the claim is of another journal adapter')
    const sealed = writes.map((write) => this.#seal(write))
    for (const position of positions) this.#find(position)
    this.#assertOpen()
    if (claim.lost.aborted) throw new JournalError('fenced', `${claim.name}: epoch ${claim.epoch} is over`)
    const work = () => this.#state.transact(claim, sealed, positions)
    const faults = {
      abort: () => this.#state.skip(sealed, (records) => Math.floor(this.#time.random() * (records + 2))),
      fence: () => this.#state.fence(claim.name, claim.epoch),
    }
    try {
      return await this.#line.call('transact', work, faults)
    } catch (error) {
      const isSpent = error instanceof JournalError && (error.code === 'fenced' || error.code === 'outcome_unknown')
      throw isSpent ? claim.lose(error) : error
    }
  }

  async read(address: PartitionAddress, offset: number, options?: ReadOptions): Promise<Batch> {
    return this.#read(this.#find(address), offset, options)
  }

  async readValues(
    address: PartitionAddress,
    offset: number,
    take: (run: ValueRun) => void,
    limits?: ReadLimits,
  ): Promise<ReadPosition> {
    const { records, ...progress } = await this.read(address, offset, limits)
    for (let from = 0; from < records.length; from += RUN_VALUES) {
      const run = runOf(records.slice(from, from + RUN_VALUES))
      take(run)
      // A run is valid only during the call.
      run.bytes.fill(0)
    }
    return progress
  }

  async *follow(
    address: PartitionAddress,
    offset: number,
    signal: AbortSignal,
    options: FollowOptions = {},
  ): AsyncGenerator<Batch> {
    const log = this.#find(address)
    const ending = AbortSignal.any([signal, this.#closing.signal])
    for (let at = offset, isFirst = true; !signal.aborted; isFirst = false) {
      this.#assertOpen()
      const batch = await this.#readPatiently(log, at, ending, options)
      if (!batch) continue
      if (isFirst || batch.next > at) {
        yield batch
        at = batch.next
      } else if (log.bounds.end === batch.end) {
        await untilCalled((resume) => this.#state.onChange(log, resume), ending)
      }
    }
  }

  async bounds(address: PartitionAddress): Promise<{ readonly start: number; readonly end: number }> {
    const log = this.#find(address)
    return this.#line.call('read', () => log.bounds)
  }

  async offsetForTime(address: PartitionAddress, time: number): Promise<number> {
    const log = this.#find(address)
    return this.#line.call('read', () => log.offsetForTime(time))
  }

  async cut(partitions: readonly PartitionToCut[]): Promise<Cut> {
    for (const address of partitions) this.#find(address)
    return this.#line.call('read', () => this.#state.cut(partitions))
  }

  async claim(name: string, signal?: AbortSignal): Promise<Claim> {
    this.#assertOpen()
    const { signal: closing } = this.#closing
    return this.#claims.claim(name, signal ? AbortSignal.any([signal, closing]) : closing)
  }

  async retain(now: number): Promise<void> {
    this.#assertOpen()
    await this.#line.call('retain', () => this.#state.retain(now))
  }

  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    this.#closing.abort(new JournalError('closed', 'the journal was closed'))
    await this.#line.settled()
    await this.#claims.close()
    this.#onEnd()
  }

  #assertOpen(): void {
    this.#closing.signal.throwIfAborted()
  }

  #find(address: PartitionAddress): MemoryLog {
    this.#assertOpen()
    return this.#state.find(address)
  }

  #seal(write: Write): SealedWrite {
    return { log: this.#find(write), records: write.records.map(sealed) }
  }

  #read(log: MemoryLog, offset: number, options?: ReadOptions): Promise<Batch> {
    return this.#line.call('read', () => log.read(offset, options))
  }

  /** Reads, and retries while the journal is unavailable. Returns undefined if `ending` aborts meanwhile. */
  async #readPatiently(
    log: MemoryLog,
    offset: number,
    ending: AbortSignal,
    { patienceMs = Number.POSITIVE_INFINITY, ...limits }: FollowOptions,
  ): Promise<Batch | undefined> {
    for (const since = this.#time.now(); ; ) {
      try {
        const batch = await this.#read(log, offset, limits)
        return ending.aborted ? undefined : batch
      } catch (error) {
        const isPassing = error instanceof JournalError && error.code === 'unavailable'
        if (!isPassing || this.#time.now() - since >= patienceMs) throw error
      }
      await pauseFor(this.#time, RETRY_MS, ending)
      if (ending.aborted) return undefined
    }
  }
}

/** Copies a record, because the caller may go on using its memory. Throws what the embedded journal throws for it. */
function sealed(record: NewRecord): SealedRecord {
  const { key, value, timestamp, headers } = record
  const size = bodyBytes(measureRecord(record))
  return { record: { key, value: Buffer.from(value), timestamp, headers: Object.freeze({ ...headers }) }, size }
}
