import {
  type Batch,
  JournalError,
  type NewRecord,
  type PartitionAddress,
  partitionKey,
  type ReadOptions,
  type StoredRecord,
} from '../../../journal/journal.ts'

/** A record that is ready to be stored: nobody else holds its bytes. `size` counts for `maxBytes` of a read. */
export type SealedRecord = { readonly record: NewRecord; readonly size: number }

type Entry = { readonly record: StoredRecord; readonly size: number }

const DEFAULT_LIMITS = { maxRecords: 1_000, maxBytes: 1_000_000 }

/** One partition: its records in order of offset. Offsets between them are holes. Every method takes effect at once. */
export class MemoryLog {
  readonly address: PartitionAddress
  #start = 0
  #end = 0
  #entries: Entry[] = []
  /** Offset of the newest record of each key; only in a log that is compacted at once. */
  readonly #newest: Map<string, number> | undefined

  constructor(address: PartitionAddress, compactsAtOnce: boolean) {
    this.address = address
    this.#newest = compactsAtOnce ? new Map() : undefined
  }

  /** A log of its own with the same records and bounds. */
  copy(): MemoryLog {
    const copy = new MemoryLog(this.address, this.#newest !== undefined)
    copy.#start = this.#start
    copy.#end = this.#end
    copy.#entries = [...this.#entries]
    for (const [key, offset] of this.#newest ?? []) copy.#newest?.set(key, offset)
    return copy
  }

  get bounds(): { readonly start: number; readonly end: number } {
    return { start: this.#start, end: this.#end }
  }

  /** Returns the offset of the first record. */
  append(records: readonly SealedRecord[]): number {
    const first = this.#end
    for (const { record, size } of records) {
      if (this.#newest && record.key !== null) this.#supersede(this.#newest, record.key)
      this.#entries.push({ record: Object.freeze({ ...record, offset: this.#end++ }), size })
    }
    return first
  }

  /** Takes offsets that no record will ever have, as a transaction's marker or its aborted records do in Kafka. */
  skip(count: number): void {
    this.#end += count
  }

  /** Removes older records of each key. */
  compact(): void {
    const newest = new Map(this.#entries.map(({ record: { key, offset } }) => [key, offset]))
    this.#entries = this.#entries.filter(({ record: { key, offset } }) => key === null || newest.get(key) === offset)
  }

  /** Deletes the records older than `horizon` from the start on, up to the first that is not. */
  retain(horizon: number): void {
    const kept = this.#entries.findIndex(({ record }) => record.timestamp >= horizon)
    const doomed = this.#entries.splice(0, kept < 0 ? this.#entries.length : kept)
    const last = doomed.at(-1)
    // A hole behind the last record stays in range, because a reader's position may be its offset.
    if (last) this.#start = this.#entries[0]?.record.offset ?? last.record.offset + 1
  }

  /** As `Journal.read`. */
  read(offset: number, options: ReadOptions = {}): Batch {
    const { maxRecords = DEFAULT_LIMITS.maxRecords, maxBytes = DEFAULT_LIMITS.maxBytes, isWanted } = options
    const { start, end } = this.bounds
    if (!Number.isInteger(offset) || offset < start || offset > end) {
      const detail = `${partitionKey(this.address)} holds ${start} to ${end}; asked for ${offset}`
      throw new JournalError('offset_out_of_range', detail, { range: { start, end } })
    }
    const records: StoredRecord[] = []
    let [count, bytes] = [0, 0]
    for (let i = this.#indexOf(offset); i < this.#entries.length; i++) {
      const { record, size } = this.#entries[i] as Entry
      bytes += size
      if (count > 0 && (count >= maxRecords || bytes > maxBytes))
        return { records, next: (this.#entries[i - 1] as Entry).record.offset + 1, end }
      count++
      if (isWanted?.({ key: record.key, timestamp: record.timestamp }) ?? true) records.push(record)
    }
    return { records, next: end, end }
  }

  offsetForTime(time: number): number {
    return this.#entries.find(({ record }) => record.timestamp >= time)?.record.offset ?? this.#end
  }

  /** Deletes the newest record of a key, because the next one to be appended takes its place. */
  #supersede(newest: Map<string, number>, key: string): void {
    const older = newest.get(key)
    if (older !== undefined) this.#entries.splice(this.#indexOf(older), 1)
    newest.set(key, this.#end)
  }

  /** Index of the first entry whose offset is `offset` or greater. */
  #indexOf(offset: number): number {
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#entries[middle] as Entry).record.offset < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
