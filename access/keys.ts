import type { AccessKey } from '../contracts/records.ts'
import type { Plan } from '../contracts/resources.ts'
import { AccessError } from './error.ts'
import { identityOf } from './identity.ts'
import { generateAddressKey, generateKey, hashKey, type KeyKind, keyIdOf, type Random } from './key.ts'
import { checkOrigin, localhostPatterns } from './origin.ts'

/** What a key is to be. Instants are UTC milliseconds. */
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

/**
 * Creates a key and its record for the topic `access`, as the other decisions here do. The key itself stands in no record. Throws `invalid_owner`, `invalid_origin` or `invalid_expiry`. */
export function createKey({ kind, plan, owner, origins, expiresAt }: NewKey, now: number, random: Random): Issued {
  checkOwner(owner)
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
      parent: null,
    },
  }
}

/**
 * Derives a read-only key for addresses from `parent`. It is charged to the parent's account. Its plan and expiry are those
 * of the parent at any time (`KeyTable`); the record only notes what they are now. Throws `invalid_owner`,
 * `key_not_active`, `key_replaced` if `parent` was rotated, and `key_derived` if it is derived itself.
 */
export function deriveAddressKey(parent: AccessKey, owner: string, now: number, random: Random): Issued {
  checkOwner(owner)
  checkNotDerived(parent, 'derive one from that key instead')
  checkActive(parent, now)
  checkNotReplaced(parent, 'derive from')
  const key = generateAddressKey(random)
  const hash = hashKey(key)
  return {
    key,
    record: {
      key_id: keyIdOf(hash),
      hash,
      plan: parent.plan,
      owner,
      // No origins: no ticket is issued for such a key.
      origins: [],
      status: 'active',
      created_at: timestamp(now),
      expires_at: parent.expires_at,
      replaced_by: null,
      account: identityOf(parent).account,
      kind: keyKind(parent),
      parent: parent.key_id,
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
 * at all), but never longer than before. Read-only keys derived from it end with it. `records` begins with the new key's, so that a reader of only the first record
 * locks no client out. Throws `invalid_overlap`, `key_derived`, and `key_not_active` if `old` is revoked or expired. Throws
 * `key_replaced` if `old` was rotated before: its expiry is then the end of that overlap, and a further key must not
 * inherit it.
 */
export function rotateKey(
  old: AccessKey,
  overlapMs: number,
  now: number,
  random: Random,
): { readonly key: string; readonly records: readonly [created: AccessKey, ending: AccessKey] } {
  checkNotDerived(old, 'derive a further key from that one, then revoke this one')
  const expiresAt = checkActive(old, now)
  checkNotReplaced(old, 'rotate')
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

/** Keys that must be revoked with a key: those derived from it that are not revoked yet. */
export const derivedFrom = (key: AccessKey, all: readonly AccessKey[]): AccessKey[] =>
  all.filter(({ parent, status }) => parent === key.key_id && status === 'active')

function checkOwner(owner: string): void {
  if (/^[^\p{Cc}]{1,200}$/u.test(owner) && owner.trim() !== '') return
  throw new AccessError('invalid_owner', `${JSON.stringify(owner)}: one line of 1 to 200 characters is needed`)
}

/** The end of a key that is neither revoked nor expired, UTC milliseconds; null if it has none. */
function checkActive({ key_id, status, expires_at }: AccessKey, now: number): number | null {
  const expiresAt = expires_at === null ? null : Date.parse(expires_at)
  if (status === 'active' && (expiresAt === null || now < expiresAt)) return expiresAt
  throw new AccessError('key_not_active', `${key_id} is revoked or expired: create a key instead`)
}

function checkNotReplaced({ key_id, replaced_by }: AccessKey, verb: string): void {
  if (replaced_by === null) return
  throw new AccessError('key_replaced', `${key_id} is replaced by ${replaced_by}: ${verb} that key instead`)
}

function checkNotDerived({ key_id, parent }: AccessKey, instead: string): void {
  if (parent !== null) throw new AccessError('key_derived', `${key_id} is a read-only key of ${parent}: ${instead}`)
}

function checkExpiry(expiresAt: number, now: number): number {
  if (expiresAt > now && expiresAt <= LAST_INSTANT) return expiresAt
  if (!(Math.abs(expiresAt) <= LAST_INSTANT)) {
    throw new AccessError('invalid_expiry', `${expiresAt} ms is not an instant before the year 10000`)
  }
  const given = timestamp(expiresAt)
  throw new AccessError('invalid_expiry', `${given} is no later than now, ${timestamp(now)}`)
}

const timestamp = (ms: number): string => new Date(ms).toISOString()
