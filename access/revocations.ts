import type { Identity } from './identity.ts'

/**
 * Port for the revocation flags of keys, which are kept beside the journal. Quota and lease decisions read the flag, so
 * that a node that has lost contact with the journal obeys it too. Key ids are never reused, and a flag is never
 * removed. Throws (or rejects with) AccessError `unavailable`.
 */
export interface Revocations {
  /** Sets the flag. Resolves when it is durable; safe to repeat. */
  revoke(identity: Identity): Promise<void>
  isRevoked(identity: Identity): boolean | Promise<boolean>
}
