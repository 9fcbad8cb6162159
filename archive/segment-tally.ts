import type { ChainEntry } from './chain-entry.ts'
import { digestAfter } from './digest.ts'
import { PackedCursor, type PackedRecords } from './packed-records.ts'

/** What an entry says of a segment's records. */
export type Account = Pick<ChainEntry, 'count' | 'min_time' | 'max_time' | 'value_bytes' | 'before' | 'after'>

/** Counts the records of a segment. */
export class SegmentTally {
  readonly #before: string
  readonly #at = new PackedCursor()
  #digest: Uint8Array
  #count = 0
  #valueBytes = 0
  #minTime = Number.POSITIVE_INFINITY
  #maxTime = Number.NEGATIVE_INFINITY

  /** @param before digest before the first record, hexadecimal */
  constructor(before: string) {
    this.#before = before
    this.#digest = Buffer.from(before, 'hex')
  }

  get count(): number {
    return this.#count
  }

  add(records: PackedRecords): void {
    const count = records.ends.length
    this.#digest = digestAfter(this.#digest, records)
    this.#count += count
    for (let i = 0; i < count; i++) {
      this.#at.read(records, i)
      const { bodyFrom, bodyTo, timestamp } = this.#at
      this.#valueBytes += bodyTo - bodyFrom
      this.#minTime = Math.min(this.#minTime, timestamp)
      this.#maxTime = Math.max(this.#maxTime, timestamp)
    }
  }

  account(): Account {
    return {
      count: this.#count,
      min_time: this.#count === 0 ? null : new Date(this.#minTime).toISOString(),
      max_time: this.#count === 0 ? null : new Date(this.#maxTime).toISOString(),
      value_bytes: this.#valueBytes,
      before: this.#before,
      after: Buffer.from(this.#digest).toString('hex'),
    }
  }
}
