import type { Identity } from './identity.ts'

/**
 * The stream lease port: how many streams of an account are open, over prices, events and predictions and over all
 * processes and nodes that share a store. A stream holds a lease for as long as it is open; one that has not been
 * renewed for `streamLimits.leaseMs` has ended, so that what a crashed node held comes free by itself and never sooner.
 * Every adapter passes `test/contracts/leases-contract.ts`:
 * - one decision is one atomic step of the store, so never more than `limit` leases of an account are held at once;
 * - a revoked key is refused, and its leases are not renewed, by the flag in the same store; other keys of its account
 *   go on;
 * - a decision that fails grants nothing that its caller could use; a lease that nobody knows of ends by itself.
 *
 * `now` is UTC milliseconds, of the clock that all holders share. Set back, it frees nothing, and what is left of a
 * lease is never taken for more than one term. Set forward, it ends leases early, as no store can tell it from time that
 * passed: their holders hear so with their next renewal. A holder judges its own leases by a clock that is never set,
 * in `HeldLeases`. Rejects with AccessError `unavailable`.
 */
export interface Leases {
  take(who: Identity, limit: number, now: number): Promise<LeaseDecision>
  /** Renews leases of one key, each for a whole term from `now`; resolves with those that are lost, for good. */
  renew(who: Identity, leases: readonly string[], now: number): Promise<readonly string[]>
  /** Ends a lease at once; one that has ended already is none of its business. */
  release(who: Identity, lease: string): Promise<void>
  count(who: Identity, now: number): number | Promise<number>
}

export type LeaseDecision =
  | { readonly outcome: 'granted'; readonly lease: string }
  | { readonly outcome: 'limit' | 'revoked' }
