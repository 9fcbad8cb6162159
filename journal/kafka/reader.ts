/** Reads by offset: exactly the committed records, and never past a gap. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { pause } from '../../base/async/pause.ts'
import { systemTime } from '../../base/time.ts'
import {
  type Batch,
  type FollowOptions,
  JournalError,
  type PartitionAddress,
  type ReadLimits,
  type StoredRecord,
  startPast,
} from '../journal.ts'
import { type Fetched, type FetchOptions, type KafkaClient, KafkaFailure, type Lane } from './client.ts'
import type { KafkaLog } from './options.ts'
import { batchesIn } from './record-batch.ts'
import { deadlineIn, isPassingFailure, retryUntil, toJournalError } from './retry.ts'

const DEFAULT_BYTES = 1_000_000
/** Bytes fetched for each record of a small limit: more than most records take, but little enough to waste. */
const BYTES_A_RECORD = 1_024
const READ_MS = 10_000
/** The record that is looked for is mostly the first one. */
const FIRST_LOOK: ReadLimits = { maxRecords: 16 }
const TAIL_OFFSETS = 1_000
const LONG_POLL_MS = 500
const STANDSTILL_MS = 30_000
const PAUSE_MS = 250

export class Reader {
  readonly #client: KafkaClient
  readonly #log: KafkaLog | undefined

  constructor(client: KafkaClient, log: KafkaLog | undefined) {
    this.#client = client
    this.#log = log
  }

  async bounds(address: PartitionAddress): Promise<{ start: number; end: number }> {
    const both = () => Promise.all([this.#client.offsetOf(address, 'start'), this.#client.offsetOf(address, 'end')])
    const [start, end] = await retryUntil(both, deadlineIn(READ_MS)).catch((error) => {
      throw toJournalError(error)
    })
    return { start, end }
  }

  /** Reads one batch as the port describes. Throws `unavailable` after 10 s. */
  async read(address: PartitionAddress, offset: number, limits: ReadLimits = {}): Promise<Batch> {
    const look = async () => {
      const batch = await this.#look(this.#client, address, offset, limits, 0)
      if (batch.next > offset || offset === batch.end) return batch
      throw notYet(address, offset)
    }
    const batch = await retryUntil(look, deadlineIn(READ_MS)).catch((error) => this.#refuse(error, address, offset))
    if (batch.next < batch.end) await nextTurn()
    return batch
  }

  /**
   * Returns the offset of the first visible record at or after `time`, the end if there is none. Times before 1970 count as
   * 1970, because Kafka gives negative ones another meaning.
   *
   * An offset that Kafka names is at or before that of the record, because Kafka also counts markers and aborted records. That
   * it names none proves nothing: it searches only the first segment whose greatest time is late enough, and the record of
   * that time may have been compacted or deleted. The tail is then read, and if that has the time, or the topic is compacted
   * and so has few records, everything.
   */
  async offsetForTime(address: PartitionAddress, time: number, isCompacted: boolean): Promise<number> {
    // Taken first: a record that is appended meanwhile lies behind this end, so nothing is passed over.
    const { start, end } = await this.bounds(address)
    const look = () => this.#client.offsetForTime(address, Math.max(time, 0))
    const named = await retryUntil(look, deadlineIn(READ_MS)).catch((error) => {
      throw toJournalError(error)
    })
    const first = (from: number) => this.#firstAtOrAfter(address, from, end, time)
    if (named !== undefined) return (await first(named)) ?? Math.max(named, end)
    const tail = isCompacted ? start : Math.max(start, end - TAIL_OFFSETS)
    const found = await first(tail)
    return (found !== undefined && tail > start ? await first(start) : found) ?? end
  }

  /** Offset of the first visible record from `from` to about `end` whose time is at or after `time`. */
  async #firstAtOrAfter(address: PartitionAddress, from: number, end: number, time: number) {
    let at = from
    for (let limits: ReadLimits = FIRST_LOOK; at < end; limits = {}) {
      const { records, next } = await this.#readOn(address, at, limits)
      const found = records.find(({ timestamp }) => timestamp >= time)
      if (found) return found.offset
      at = next
    }
    return undefined
  }

  /** Reads as `read` does, or from the log start if retention has deleted the records at `offset` meanwhile. */
  #readOn(address: PartitionAddress, offset: number, limits: ReadLimits): Promise<Batch> {
    return this.read(address, offset, limits).catch((error) => {
      const start = startPast(offset, error)
      if (start === undefined) throw error
      return this.#readOn(address, start, limits)
    })
  }

  /**
   * Yields batches until `signal` aborts, on a connection of its own. While Kafka is away it retries, for `patienceMs` each
   * time. Throws as `read` does, and an Error if no record arrives for 30 s although the partition's end lies ahead.
   */
  async *follow(
    address: PartitionAddress,
    offset: number,
    signal: AbortSignal,
    options: FollowOptions = {},
  ): AsyncGenerator<Batch> {
    if (signal.aborted) return
    const lane = this.#client.openLane()
    const aborted = Promise.withResolvers<undefined>()
    const abort = () => aborted.resolve(undefined)
    signal.addEventListener('abort', abort)
    try {
      let next: number | undefined
      let movedAt = performance.now()
      while (!signal.aborted) {
        const waitMs = next === undefined ? 0 : LONG_POLL_MS
        const looking = this.#patientLook(lane, address, next ?? offset, options, waitMs, signal)
        const batch = await Promise.race([looking, aborted.promise])
        if (!batch) return
        const isFirst = next === undefined
        const from = next ?? offset
        next = batch.next
        if (isFirst || batch.next > from || batch.next === batch.end) movedAt = performance.now()
        else if (performance.now() - movedAt > STANDSTILL_MS)
          throw new Error(
            `${address.topic}/${address.partition}: Kafka returns nothing from offset ${next}, although the partition ends at ${batch.end}`,
          )
        if (isFirst || batch.next > from) yield batch
        if (next < batch.end) await nextTurn()
      }
    } finally {
      signal.removeEventListener('abort', abort)
      lane.close()
    }
  }

  /** Retries `look` until it succeeds. Resolves with undefined when aborted. */
  async #patientLook(
    lane: Lane,
    address: PartitionAddress,
    offset: number,
    { patienceMs = Number.POSITIVE_INFINITY, ...limits }: FollowOptions,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<Batch | undefined> {
    let failingSince: number | undefined
    let aheadSince: number | undefined
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        return await this.#look(lane, address, offset, limits, waitMs)
      } catch (error) {
        if (signal.aborted) return undefined
        failingSince ??= performance.now()
        aheadSince = isNotYet(error) ? (aheadSince ?? performance.now()) : undefined
        const isStuck = aheadSince !== undefined && performance.now() - aheadSince > STANDSTILL_MS
        const isOver = performance.now() - failingSince >= patienceMs
        if (!isPassingFailure(error) || isStuck || isOver) return this.#refuse(error, address, offset)
        if (failures === 0)
          this.#log?.('debug', `following ${address.topic}/${address.partition}: ${error.message}`, {})
        await pause(PAUSE_MS, signal, systemTime)
      }
    }
    return undefined
  }

  /** Fetches one batch, skipping aborted records. Throws KafkaFailure and `offset_out_of_range`. */
  async #look(
    lane: Lane,
    address: PartitionAddress,
    offset: number,
    { maxRecords = Number.POSITIVE_INFINITY, maxBytes = DEFAULT_BYTES }: ReadLimits,
    waitMs: number,
  ): Promise<Batch> {
    if (!Number.isSafeInteger(offset) || offset < 0) throw await this.#outOfRange(address, offset)
    const fetchBytes = Math.max(1, Math.min(maxBytes, maxRecords * BYTES_A_RECORD))
    const options: FetchOptions = { maxBytes: fetchBytes, waitMs, isolation: 'committed' }
    for (let at = offset; ; ) {
      const fetched = await lane.fetch(address, at, options).catch(async (error) => {
        if (!(error instanceof KafkaFailure) || error.type !== 'OFFSET_OUT_OF_RANGE') throw error
        throw await this.#outOfRange(address, at)
      })
      const { lastStableOffset } = fetched
      if (at > lastStableOffset) throw notYet(address, at)
      const { records, next } = visibleRecords(fetched, at, maxRecords, maxBytes)
      const isCaughtUp = next >= lastStableOffset
      // A new leader may report too low an end in a fetch, so a caller that does not wait gets the end from ListOffsets.
      const end = isCaughtUp && waitMs === 0 ? await this.#client.offsetOf(address, 'end') : lastStableOffset
      if (records.length > 0 || isCaughtUp || next === at) return { records, next, end: Math.max(next, end) }
      // Only markers and aborted records so far.
      at = next
    }
  }

  async #refuse(error: unknown, address: PartitionAddress, offset: number): Promise<never> {
    throw isNotYet(error) ? await this.#outOfRange(address, offset).catch(toJournalError) : toJournalError(error)
  }

  async #outOfRange(address: PartitionAddress, offset: number): Promise<JournalError> {
    const [start, end] = await Promise.all([
      this.#client.offsetOf(address, 'start'),
      this.#client.offsetOf(address, 'end'),
    ])
    const detail = `${address.topic}/${address.partition} holds ${start} to ${end}; asked for ${offset}`
    if (offset >= start && offset <= end) return new JournalError('unavailable', detail)
    return new JournalError('offset_out_of_range', detail, { range: { start, end } })
  }
}

/**
 * Failure for an offset beyond the end that the node reports. It may lie behind an open transaction, or the node is a new
 * leader that does not know yet what its predecessor has acknowledged. A retry may help.
 */
const notYet = ({ topic, partition }: PartitionAddress, offset: number) =>
  new KafkaFailure('refused', 'OFFSET_NOT_AVAILABLE', `${topic}/${partition}@${offset}`)

const isNotYet = (error: unknown): boolean => error instanceof KafkaFailure && error.type === 'OFFSET_NOT_AVAILABLE'

/**
 * Returns the records from `from` on that are not part of an aborted transaction (K3), and the offset to continue from. A
 * transaction counts as aborted from its first offset to its producer's abort marker. One producer may have several, and
 * several may begin within the offsets of one batch. The algorithm is that of Kafka's own consumer (CompletedFetch).
 */
export function visibleRecords(
  { bytes, aborted }: Pick<Fetched, 'bytes' | 'aborted'>,
  from: number,
  maxRecords: number,
  maxBytes: number,
): { records: StoredRecord[]; next: number } {
  const toCome = aborted.toSorted((a, b) => a.firstOffset - b.firstOffset)
  const skipped = new Set<bigint>()
  const records: StoredRecord[] = []
  let next = from
  let size = 0
  for (const batch of batchesIn(bytes)) {
    while (toCome[0] && toCome[0].firstOffset <= batch.lastOffset) skipped.add((toCome.shift() as Aborted).producerId)
    if (batch.marker === 'abort') skipped.delete(batch.producerId)
    const isAborted = batch.isTransactional && skipped.has(batch.producerId)
    if (!batch.marker && !isAborted) {
      for (const { record, size: recordBytes } of batch.records()) {
        if (record.offset < from) continue
        size += recordBytes
        if (records.length > 0 && (records.length >= maxRecords || size > maxBytes))
          return { records, next: record.offset }
        records.push(record)
      }
    }
    next = Math.max(next, batch.lastOffset + 1)
  }
  return { records, next }
}

type Aborted = Fetched['aborted'][number]
