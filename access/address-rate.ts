import { type Bucket, type BurstDecision, takeFromBucket } from './burst.ts'
import { countedAddress } from './connection-table.ts'

/** Most addresses that are remembered. The one that called longest ago is forgotten first. */
const MOST_ADDRESSES = 10_000

/** Limits the calls a minute of one remote address, for what needs no key. Counts are those of this process. */
export class AddressRate {
  readonly #perMinute: number
  /** The address that called longest ago comes first. */
  readonly #buckets = new Map<string, Bucket>()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** `now`: UTC milliseconds. */
  take(address: string, now: number): BurstDecision {
    const counted = countedAddress(address)
    const bucket = this.#buckets.get(counted) ?? { calls: this.#perMinute, at: now }
    this.#buckets.delete(counted)
    this.#buckets.set(counted, bucket)
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > MOST_ADDRESSES && oldest !== undefined) this.#buckets.delete(oldest)
    return takeFromBucket(bucket, this.#perMinute, now)
  }
}
