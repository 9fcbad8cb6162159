import type { AccessKey } from '../contracts/records.ts'

/**
 * The key and account of a call, as every port receives them. Calls and streams are counted per `account`, which all
 * keys of one line of rotations share. So a rotated key starts with no new month, bucket or stream slots. Revocations
 * and tickets belong to the single key `keyId`.
 */
export type Identity = { readonly keyId: string; readonly account: string }

/** Records of older keys have no account. Their account is the key's own id. */
export const identityOf = ({ key_id: keyId, account }: Pick<AccessKey, 'key_id' | 'account'>): Identity => ({
  keyId,
  account: account ?? keyId,
})
