import type { AccessKey } from '../contracts/records.ts'

/**
 * Who asks, to every port: calls and streams are counted by `account`, which all keys of one line of rotations share, so
 * that a rotation begins no month, bucket or slots of its own. Revocations, and tickets, are of the key `keyId` alone.
 */
export type Identity = { readonly keyId: string; readonly account: string }

/** The record of a key that was made before there were accounts has none: it is the key's own id then. */
export const identityOf = ({ key_id: keyId, account }: Pick<AccessKey, 'key_id' | 'account'>): Identity => ({
  keyId,
  account: account ?? keyId,
})
