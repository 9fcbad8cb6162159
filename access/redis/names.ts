import { crc32 } from 'node:zlib'

/**
 * The names of what is stored. Every account belongs to one of 64 partitions, and the partition is the Redis Cluster hash
 * tag of all names: what a decision needs (an account's counts and leases, the revocations and tickets of its
 * keys, and since when this server has been the one that decides) is in one slot, so that one script can decide.
 *
 * A partition is a character of base64url, so that a ticket can begin with it: whoever redeems knows no more than that.
 */
const PARTITIONS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

export const partitions: readonly string[] = [...PARTITIONS]

/** CRC32 of the account, its last six bits. */
export const accessPartition = (account: string): string => PARTITIONS.charAt(crc32(account) & 63)

const name = (partition: string, rest: string): string => `almanac:{${partition}}:${rest}`
const ofAccount = (account: string, kind: string, rest = ''): string =>
  name(accessPartition(account), `${kind}:${account}${rest}`)

/** The server that decides for a partition, and since when. */
export const runName = (partition: string): string => name(partition, 'run')
/** The set of a partition's revoked key ids. */
export const revokedName = (partition: string): string => name(partition, 'revoked')
/** `month` as `2026-11`. */
export const quotaName = (account: string, month: string): string => ofAccount(account, 'quota', `:${month}`)
export const burstName = (account: string): string => ofAccount(account, 'burst')
export const leasesName = (account: string): string => ofAccount(account, 'leases')
export const ticketName = (partition: string, ticketHash: string): string => name(partition, `ticket:${ticketHash}`)
