import type { Identity } from './identity.ts'

/**
 * Port for the monthly quota: how many calls an account has left in the current calendar month, UTC. All processes and
 * nodes that share a store share one count. Every adapter passes `test/contracts/quota-contract.ts`:
 * - Never more than `limit` calls of one account and month are granted, whichever process stops or dies at any time.
 * - A call is granted only after its charge is durable. A crash, or a store that fails, may leave calls charged that were
 *   never granted: where an adapter reserves blocks, one block, and another whose return is not on disk yet. A call is never
 *   granted without a charge.
 * - A revoked key is refused, because the flag is in the same store, whatever the key table says. Other keys of its
 *   account go on.
 *
 * `limit` is the calls a month in the plan of the key. Instants are UTC milliseconds. An adapter that can answer from
 * memory answers at once rather than with a promise. Throws (or rejects with) AccessError `unavailable` if the quota
 * cannot be checked; then nothing was granted.
 */
export interface Quota {
  take(identity: Identity, limit: number, now: number): QuotaDecision | Promise<QuotaDecision>

  /**
   * Refunds the call that was granted at `takenAt`. Call it at most once for each grant. A refund that cannot be stored
   * is lost; no refund is counted twice.
   */
  refund(identity: Identity, takenAt: number): void

  peek(identity: Identity, limit: number, now: number): QuotaState | Promise<QuotaState>

  /** Returns reserved calls that were not granted. Every later call is `unavailable`. */
  close(): Promise<void>
}

export type QuotaState = {
  /** Calls counted this month. An adapter that reserves blocks counts the blocks of other processes as used. */
  readonly used: number
  readonly remaining: number
  /** End of the month, UTC milliseconds. */
  readonly resetAt: number
}

/** The decision on one call. `used` and `remaining` include it. */
export type QuotaDecision = QuotaState & { readonly outcome: 'granted' | 'exhausted' | 'revoked' }
