import { errorMessage } from '../../base/errors.ts'
import { DamagedFileError } from '../../base/lmdb/usable-files.ts'
import {
  type Batch,
  JournalError,
  type PartitionAddress,
  type ReadLimits,
  type ReadOptions,
  type ReadPosition,
  type StoredRecord,
  type ValueRun,
} from '../journal.ts'
import { EntryWalk } from './log-entry.ts'
import { headOf, recordOf, timeOf } from './record-body.ts'
import type { Store } from './store.ts'

/** A partition, and the number of its log in the store. */
export type LogAddress = PartitionAddress & { readonly log: number }

const DEFAULT_LIMITS = { maxRecords: 1_000, maxBytes: 1_000_000 }

/**
 * Copies one batch out of the current snapshot. `maxBytes` counts encoded records. Throws `offset_out_of_range`, and
 * DamagedFileError with the location of a damaged entry.
 */
export function readBatch(
  store: Store,
  address: LogAddress,
  offset: number,
  { isWanted, ...limits }: ReadOptions = {},
): Batch {
  const records: StoredRecord[] = []
  const walk = new LogWalk(store, address, offset, limits)
  for (const entry of walk.entries(store.records)) {
    while (walk.next()) {
      // Before the record is made, because that takes longer than all the rest of reading it.
      if (isWanted?.(headOf(entry.bytes, entry.from)) ?? true)
        records.push(recordOf(entry.bytes, entry.from, entry.to, entry.offset))
    }
  }
  return { records, next: walk.nextOffset, end: walk.end }
}

/** Passes the values of one batch in the current snapshot to `take`, where they lie. Throws what `readBatch` throws. */
export function readValueRuns(
  store: Store,
  address: LogAddress,
  offset: number,
  take: (run: ValueRun) => void,
  limits?: ReadLimits,
): ReadPosition {
  const walk = new LogWalk(store, address, offset, limits)
  for (const entry of walk.entries(store.recordViews)) {
    const [offsets, from, to]: [number[], number[], number[]] = [[], [], []]
    while (walk.next()) {
      offsets.push(entry.offset)
      from.push(entry.value)
      to.push(entry.to)
    }
    if (offsets.length > 0) take({ bytes: entry.bytes, offsets, from, to })
  }
  return { next: walk.nextOffset, end: walk.end }
}

/**
 * Offset of the first record from `offset` to before `to` whose time is at or after `time`; undefined if there is none.
 * Throws what `readBatch` throws.
 */
export function firstOffsetAtOrAfter(
  store: Store,
  address: LogAddress,
  offset: number,
  to: number,
  time: number,
): number | undefined {
  const walk = new LogWalk(store, address, offset, {
    maxRecords: Number.POSITIVE_INFINITY,
    maxBytes: Number.POSITIVE_INFINITY,
  })
  for (const entry of walk.entries(store.recordViews)) {
    while (walk.next()) {
      if (entry.offset >= to) return undefined
      if (timeOf(entry.bytes, entry.from) >= time) return entry.offset
    }
  }
  return undefined
}

/** Walks over the records of a log from an offset on, until the limits of one batch are reached. */
class LogWalk {
  readonly end: number
  /** Offset to read on from. */
  nextOffset: number
  readonly #address: LogAddress
  readonly #offset: number
  readonly #maxRecords: number
  readonly #maxBytes: number
  readonly #entry = new EntryWalk()
  #count = 0
  #bytes = 0
  #isFull = false

  constructor(
    store: Store,
    address: LogAddress,
    offset: number,
    { maxRecords = DEFAULT_LIMITS.maxRecords, maxBytes = DEFAULT_LIMITS.maxBytes }: ReadLimits = {},
  ) {
    const { start, end } = store.bounds(address.log)
    if (!Number.isInteger(offset) || offset < start || offset > end) {
      const detail = `${address.topic}/${address.partition} holds ${start} to ${end}; asked for ${offset}`
      throw new JournalError('offset_out_of_range', detail, { range: { start, end } })
    }
    this.#address = address
    this.#offset = offset
    this.#maxRecords = maxRecords
    this.#maxBytes = maxBytes
    this.end = end
    this.nextOffset = end
  }

  /** Yields the walk over each entry in turn. Go over its records with `next`. */
  *entries(records: Store['records']): Generator<EntryWalk> {
    const { log, topic, partition } = this.#address
    if (this.#offset === this.end) return
    const range = { start: [log, this.#offset] as [number, number], end: [log, this.end] as [number, number] }
    for (const { key, value } of records.getRange(range)) {
      const [, last] = key
      if (this.#count >= this.#maxRecords && this.#count > 0) {
        // The entry is not opened, because it may be damaged, and what lies before it can be read.
        this.nextOffset = this.#entry.offset + 1
        return
      }
      try {
        this.#entry.open(value, log, last)
      } catch (cause) {
        const where = `damaged record at ${topic}/${partition}@${last}`
        throw new DamagedFileError(`${where}: ${errorMessage(cause)}`, { cause })
      }
      yield this.#entry
      if (this.#isFull) return
    }
  }

  /** Goes to the next record of the current entry. Returns false if there is none, or if the batch is full. */
  next(): boolean {
    const entry = this.#entry
    do {
      if (!entry.next()) return false
    } while (entry.offset < this.#offset)
    this.#bytes += entry.to - entry.from
    if (this.#count > 0 && (this.#count >= this.#maxRecords || this.#bytes > this.#maxBytes)) {
      this.#isFull = true
      this.nextOffset = entry.offset
      return false
    }
    this.#count++
    return true
  }
}
