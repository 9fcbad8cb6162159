import type { Identity } from './identity.ts'

/**
 * The flag beside the journal that says a key is revoked: quota and lease decisions read it, so that a node which no
 * longer hears from the journal obeys too. Key ids are never reused, and a flag is never taken back.
 * Throws (or rejects with) AccessError `unavailable`.
 */
export interface Revocations {
  /** Resolves once durable, and safe to repeat. */
  revoke(who: Identity): Promise<void>
  isRevoked(who: Identity): boolean | Promise<boolean>
}
