import type { Identity } from './identity.ts'

/**
 * The monthly quota port: how many calls of an account are left in the current calendar month, UTC. All processes and
 * nodes that share a store share one count, and every adapter passes `test/contracts/quota-contract.ts`:
 * - never more than `limit` calls of one account and month are granted, whatever runs, stops or dies when;
 * - a call is granted only once its charge is durable. A crash may leave calls charged that were never granted (at most
 *   a block, where an adapter reserves blocks), never the other way round;
 * - a revoked key is refused, from the flag in the same store, whatever the key table says; other keys of its
 *   account go on.
 *
 * `limit` is the calls a month of the plan of the key that asks; instants are UTC milliseconds. Where an adapter can
 * answer from memory it answers at once rather than with a promise. Throws (or rejects with) AccessError `unavailable`
 * when the quota can't be checked: then nothing was granted.
 */
export interface Quota {
  take(who: Identity, limit: number, now: number): QuotaDecision | Promise<QuotaDecision>

  /**
   * Gives back the one call that was granted at `takenAt`. To be called at most once a grant. As far as possible: a
   * refund that can't be kept is lost, and never counted twice.
   */
  refund(who: Identity, takenAt: number): void

  peek(who: Identity, limit: number, now: number): QuotaState | Promise<QuotaState>

  /** Gives back what is reserved and not granted; every later call is `unavailable`. */
  close(): Promise<void>
}

export type QuotaState = {
  /** Calls counted this month; an adapter that reserves blocks counts other processes' blocks as used. */
  readonly used: number
  readonly remaining: number
  /** When the month ends. */
  readonly resetAt: number
}

/** Used and remaining are as of after the decision. */
export type QuotaDecision = QuotaState & { readonly outcome: 'granted' | 'exhausted' | 'revoked' }
