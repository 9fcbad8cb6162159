import { crc32 } from 'node:zlib'

/**
 * The names of what is stored. Every key id belongs to one of 64 partitions, and the partition is the Redis Cluster hash
 * tag of all names: what a decision needs (a key's counts, its revocation, its leases and tickets, and since when this
 * server has been the one that decides) is in one slot, so that one script can decide.
 *
 * A partition is a character of base64url, so that a ticket can begin with it: whoever redeems knows no more than that.
 */
const PARTITIONS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

export const partitions: readonly string[] = [...PARTITIONS]

/** CRC32 of the key id, its last six bits. */
export const partitionOf = (keyId: string): string => PARTITIONS.charAt(crc32(keyId) & 63)

const name = (partition: string, rest: string): string => `almanac:{${partition}}:${rest}`
const ofKey = (keyId: string, kind: string, rest = ''): string => name(partitionOf(keyId), `${kind}:${keyId}${rest}`)

/** The server that decides for a partition, and since when. */
export const runName = (partition: string): string => name(partition, 'run')
/** The set of a partition's revoked key ids. */
export const revokedName = (partition: string): string => name(partition, 'revoked')
/** `month` as `2026-11`. */
export const quotaName = (keyId: string, month: string): string => ofKey(keyId, 'quota', `:${month}`)
export const burstName = (keyId: string): string => ofKey(keyId, 'burst')
export const leasesName = (keyId: string): string => ofKey(keyId, 'leases')
export const ticketName = (partition: string, ticketHash: string): string => name(partition, `ticket:${ticketHash}`)
