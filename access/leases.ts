import type { Identity } from './identity.ts'

/**
 * Port for stream leases: how many streams of an account are open. The count covers prices, events and predictions, and
 * all processes and nodes that share a store. A stream holds a lease while it is open. A lease that was not renewed for
 * `streamLimits.leaseMs` has ended. So the leases of a crashed node come free by themselves, and never sooner. Every
 * adapter passes `test/contracts/leases-contract.ts`:
 * - One decision is one atomic step of the store, so an account never holds more than `limit` leases at once.
 * - A revoked key is refused and its leases are not renewed, because the flag is in the same store. Other keys of its
 *   account go on.
 * - A decision that fails gives its caller nothing to use. A lease that no process holds ends by itself.
 *
 * `now` is UTC milliseconds, from the clock that all holders share. If it is set back, no lease comes free, and the
 * rest of a lease never counts for more than one term. If it is set forward, leases end early, because no store can
 * tell this from time that passed. Their holders learn it at the next renewal. A holder judges its own leases by a
 * clock that is never set, in `OwnedLeases`. Rejects with AccessError `unavailable`.
 */
export interface Leases {
  take(identity: Identity, limit: number, now: number): Promise<LeaseDecision>
  /** Renews leases of one key, each for a whole term from `now`. Resolves with the leases that are lost for good. */
  renew(identity: Identity, leases: readonly string[], now: number): Promise<readonly string[]>
  /** Ends a lease at once. Does nothing if the lease has ended already. */
  release(identity: Identity, lease: string): Promise<void>
  count(identity: Identity, now: number): number | Promise<number>
}

export type LeaseDecision =
  | { readonly outcome: 'granted'; readonly lease: string }
  | { readonly outcome: 'limit' | 'revoked' }
