import { type Bucket, type Burst, type BurstDecision, takeFromBucket } from '../burst.ts'
import type { Identity } from '../identity.ts'

/** Burst limits in the memory of one process. Each process of a machine allows the full rate. */
export class InProcessBurst implements Burst {
  /** Only accounts of existing keys are looked up, so the map stays as small as the key table. */
  readonly #buckets = new Map<string, Bucket>()

  take({ account }: Identity, perMinute: number, now: number): BurstDecision {
    let bucket = this.#buckets.get(account)
    if (!bucket) {
      bucket = { calls: perMinute, at: now }
      this.#buckets.set(account, bucket)
    }
    return takeFromBucket(bucket, perMinute, now)
  }
}
