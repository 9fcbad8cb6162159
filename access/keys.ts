import type { AccessKey } from '../contracts/records.ts'
import type { Plan } from '../contracts/resources.ts'
import { AccessError } from './error.ts'
import { identityOf } from './identity.ts'
import { generateKey, hashKey, type KeyKind, keyIdOf } from './key.ts'
import { checkOrigin, localhostPatterns } from './origin.ts'

/**
 * What the administration of keys decides: each answers with the records to append to the topic `access`, keyed by
 * `key_id`. Instants are UTC milliseconds. The key itself is in the answer once and in no record.
 */
type Random = (size: number) => Uint8Array

export type NewKey = {
  readonly kind: KeyKind
  readonly plan: Plan
  /** Who the key is for, in their own words; one line. */
  readonly owner: string
  /** Origins for which stream tickets may be issued; see `checkOrigin`. */
  readonly origins: readonly string[]
  /** Null: valid until revoked. */
  readonly expiresAt: number | null
}

export type Issued = { readonly key: string; readonly record: AccessKey }

/** Throws `invalid_owner`, `invalid_origin` or `invalid_expiry`. */
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

/** Last instant that a timestamp of four year digits can say. */
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z')

/** The kind of a key. Records from before it was recorded show it only where they allow what live keys may not. */
export const keyKind = ({ kind, origins }: AccessKey): KeyKind =>
  kind ?? (origins.some((origin) => localhostPatterns.includes(origin)) ? 'test' : 'live')

/**
 * A new key with the kind, rights and account of `old`, which itself stays valid for `overlapMs` more (0: not at all),
 * never longer than it would have. `records`: the new key's first, so that whoever reads half of them locks nobody out.
 * Throws `invalid_overlap`, `key_not_active` if `old` no longer is, and `key_replaced` if it was rotated before: the expiry it has now is
 * the end of that overlap, and not for a further key to inherit.
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
    throw new AccessError('key_replaced', `${old.key_id} is replaced by ${old.replaced_by}: rotate that`)
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

/** A revoked key stays one: there is no way back. The same record if it is revoked already. */
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
