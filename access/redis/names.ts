import { crc32 } from 'node:zlib'

/**
 * Names of the keys in Redis. Every account belongs to one of 64 partitions, and every name has the partition as its Redis
 * Cluster hash tag. So everything that a decision needs is in one hash slot, where one script can decide. These are an
 * account's counts and leases, the revocations and tickets of its keys, and the server's run row.
 *
 * A partition is a character of base64url, so that a ticket can begin with it. A redeemer knows the ticket and nothing else.
 */
const PARTITIONS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

export const partitions: readonly string[] = [...PARTITIONS]

/** The partition of an account, from the last six bits of its CRC32. */
export const accessPartition = (account: string): string => PARTITIONS.charAt(crc32(account) & 63)

const name = (partition: string, rest: string): string => `almanac:{${partition}}:${rest}`
const ofAccount = (account: string, kind: string, rest = ''): string =>
  name(accessPartition(account), `${kind}:${account}${rest}`)

/** The row that says which server process decides for a partition, and since when. */
export const runName = (partition: string): string => name(partition, 'run')
/** The set of a partition's revoked key ids. */
export const revokedName = (partition: string): string => name(partition, 'revoked')
/** `month` as `2026-11`. */
export const quotaName = (account: string, month: string): string => ofAccount(account, 'quota', `:${month}`)
export const burstName = (account: string): string => ofAccount(account, 'burst')
export const leasesName = (account: string): string => ofAccount(account, 'leases')
export const ticketName = (partition: string, ticketHash: string): string => name(partition, `ticket:${ticketHash}`)
