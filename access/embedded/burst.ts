import { type Bucket, type Burst, type BurstDecision, takeFromBucket } from '../burst.ts'

/** Burst limits in the memory of this process: a machine's processes each allow the full rate. */
export class InProcessBurst implements Burst {
  /** Only keys that exist get here, so it stays as small as the key table. */
  readonly #buckets = new Map<string, Bucket>()

  take(keyId: string, perMinute: number, now: number): BurstDecision {
    let bucket = this.#buckets.get(keyId)
    if (!bucket) {
      bucket = { calls: perMinute, at: now }
      this.#buckets.set(keyId, bucket)
    }
    return takeFromBucket(bucket, perMinute, now)
  }
}
