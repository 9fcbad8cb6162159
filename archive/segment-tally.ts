import type { PortableRecord } from '../journal/portable-records.ts'
import type { ChainEntry } from './chain-entry.ts'
import { digestAfter } from './digest.ts'

/** What an entry says of a segment's records. */
export type Account = Pick<ChainEntry, 'count' | 'min_time' | 'max_time' | 'value_bytes' | 'before' | 'after'>

/** Counts the records of a segment one by one. */
export class SegmentTally {
  readonly #before: string
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

  add(record: PortableRecord): void {
    this.#digest = digestAfter(this.#digest, record)
    this.#count++
    this.#valueBytes += record.body.length
    this.#minTime = Math.min(this.#minTime, record.timestamp)
    this.#maxTime = Math.max(this.#maxTime, record.timestamp)
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
