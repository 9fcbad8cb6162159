import type { AccessKey } from '../contracts/records.ts'
import type { Plan } from '../contracts/resources.ts'
import { AccessError } from './error.ts'
import { identityOf } from './identity.ts'
import { generateKey, hashKey, type KeyKind, keyIdOf } from './key.ts'
import { checkOrigin, localhostPatterns } from './origin.ts'

/**
 * Decisions of key administration. Each returns the records to append to the topic `access`, keyed by `key_id`.
 * Instants are UTC milliseconds. The key itself is returned once and stands in no record.
 */
type Random = (size: number) => Uint8Array

export type NewKey = {
  readonly kind: KeyKind
  readonly plan: Plan
  /** The owner's name for the key, in free text of one line. */
  readonly owner: string
  /** Origins for which stream tickets may be issued; see `checkOrigin`. */
  readonly origins: readonly string[]
  /** Null: the key is valid until it is revoked. */
  readonly expiresAt: number | null
}

export type Issued = { readonly key: string; readonly record: AccessKey }

/** Creates a key and its record. Throws `invalid_owner`, `invalid_origin` or `invalid_expiry`. */
export function createKey({ kind, plan, owner, origins, expiresAt }: NewKey, now: number, random: Random): Issued {
  if (!/^[^\p{Cc}]{1,200}$/u.test(owner) || owner.trim() === '') {
    throw new AccessError('invalid_owner', `${JSON.stringify(owner)}: one line of 1 to 200 characters is needed`)
  }
  const key = generateKey(kind, random)
  const hash = hashKey(key)
  const keyId = keyIdOf(hash)
  return {
    key,
    record: {
      key_id: keyId,
      hash,
      plan,
      owner,
      origins: [...new Set(origins.map((origin) => checkOrigin(origin, kind)))],
      status: 'active',
      created_at: timestamp(now),
      expires_at: expiresAt === null ? null : timestamp(checkExpiry(expiresAt, now)),
      replaced_by: null,
      account: keyId,
      kind,
    },
  }
}

/** Last instant that a timestamp with four year digits can express. */
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

/** The kind of a key. Older records lack it; they show it only if they allow an origin that live keys may not. */
export const keyKind = ({ kind, origins }: AccessKey): KeyKind =>
  kind ?? (origins.some((origin) => localhostPatterns.includes(origin)) ? 'test' : 'live')

/**
 * Replaces the key `old` by a new one with its kind, rights and account. `old` stays valid for `overlapMs` more (0: not
 * at all), but never longer than before. `records` begins with the new key's, so that a reader of only the first record
 * locks no client out. Throws `invalid_overlap`, and `key_not_active` if `old` is revoked or expired. Throws
 * `key_replaced` if `old` was rotated before: its expiry is then the end of that overlap, and a further key must not
 * inherit it.
 */
export function rotateKey(
  old: AccessKey,
  overlapMs: number,
  now: number,
  random: Random,
): { readonly key: string; readonly records: readonly [created: AccessKey, ending: AccessKey] } {
  const expiresAt = old.expires_at === null ? null : Date.parse(old.expires_at)
  if (old.status !== 'active' || (expiresAt !== null && expiresAt <= now)) {
    throw new AccessError('key_not_active', `${old.key_id} is revoked or expired: create a key instead`)
  }
  if (old.replaced_by !== null) {
    throw new AccessError('key_replaced', `${old.key_id} is replaced by ${old.replaced_by}: rotate that key instead`)
  }
  if (!(overlapMs >= 0 && now + overlapMs <= LAST_INSTANT)) {
    throw new AccessError('invalid_overlap', `${overlapMs} ms is not a time span that ends before the year 10000`)
  }
  const rights = { kind: keyKind(old), plan: old.plan, owner: old.owner, origins: old.origins, expiresAt }
  const { key, record: fresh } = createKey(rights, now, random)
  const record = { ...fresh, account: identityOf(old).account }
  const end = Math.min(now + overlapMs, expiresAt ?? Number.POSITIVE_INFINITY)
  return { key, records: [record, { ...old, expires_at: timestamp(end), replaced_by: record.key_id }] }
}

/** Marks a key as revoked, for good. A key that is revoked already keeps its record. */
export const revokeKey = (key: AccessKey): AccessKey => ({ ...key, status: 'revoked' })

function checkExpiry(expiresAt: number, now: number): number {
  if (expiresAt > now && expiresAt <= LAST_INSTANT) return expiresAt
  if (!(Math.abs(expiresAt) <= LAST_INSTANT)) {
    throw new AccessError('invalid_expiry', `${expiresAt} ms is not an instant before the year 10000`)
  }
  const given = timestamp(expiresAt)
  throw new AccessError('invalid_expiry', `${given} is no later than now, ${timestamp(now)}`)
}

const timestamp = (ms: number): string => new Date(ms).toISOString()
