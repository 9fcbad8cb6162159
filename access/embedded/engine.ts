import type { TicketGrant } from '../tickets.ts'

/**
 * A ticket that can be redeemed, or the mark of one that a client has tried. `wasLate`: it was tried after its end. An
 * older release reads such a mark as an expired ticket.
 */
export type TicketRow =
  | (TicketGrant & { readonly expiresAt: number })
  | { readonly usedUntil: number; readonly wasLate?: boolean }

/** The end of each lease of an account, UTC ms, by the lease's name. */
export type LeaseRow = Readonly<Record<string, number>>

/** Rows by their keys. Writes are allowed only within a transaction. */
export interface Table<V> {
  get(key: string): V | undefined
  doesExist(key: string): boolean
  put(key: string, value: V): unknown
  remove(key: string): unknown
  getRange(): Iterable<{ readonly key: string; readonly value: V }>
  /** Lets later reads of this event loop turn see what other processes have committed. */
  resetReadTxn(): void
}

/** The storage engine below `AccessEnvironment`: LMDB in the service, and memory in simulations. */
export interface AccessEngine {
  readonly quota: Table<number>
  readonly revocations: Table<true>
  readonly leases: Table<LeaseRow>
  readonly tickets: Table<TicketRow>
  /**
   * Runs `group` in a write transaction, which excludes all other processes. Resolves once that is durable, and rejects
   * if it is not.
   */
  transaction<T>(group: () => T): Promise<T>
  /** Runs `decide` within the transaction of a group. If it throws, only its own writes are undone. */
  nested<T>(decide: () => T): T
  close(): Promise<void>
}
