import type { AccessKey } from '../contracts/records.ts'
import { identityOf } from './identity.ts'
import { hashKey, isAddressKey, kindOfKey } from './key.ts'

export type KeyRefusal = 'malformed' | 'unknown' | 'revoked' | 'expired'
export type KeyFinding =
  | { readonly ok: true; readonly key: AccessKey }
  | { readonly ok: false; readonly why: KeyRefusal }

type KnownKey = { readonly key: AccessKey; readonly expiresAt: number }

const refused: Readonly<Record<KeyRefusal, KeyFinding>> = {
  malformed: { ok: false, why: 'malformed' },
  unknown: { ok: false, why: 'unknown' },
  revoked: { ok: false, why: 'revoked' },
  expired: { ok: false, why: 'expired' },
}

/** All keys, in memory: a fold over the topic `access` in which the newest record of a key id counts. */
export class KeyTable {
  readonly #byId = new Map<string, KnownKey>()
  readonly #byHash = new Map<string, KnownKey>()

  apply(key: AccessKey): void {
    const known = this.#byId.get(key.key_id)
    if (known && known.key.hash !== key.hash) this.#byHash.delete(known.key.hash)
    const expiresAt = key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at)
    const entry = { key, expiresAt }
    this.#byId.set(key.key_id, entry)
    this.#byHash.set(key.hash, entry)
  }

  /** Judges a key as the client presented it in a header, at `now` (UTC ms). A key with a wrong checksum is not looked up. */
  find(presented: string, now: number): KeyFinding {
    if (kindOfKey(presented) === undefined) return refused.malformed
    // The duration of a look-up reveals at most something about a SHA-256 hash, from which no key can be found.
    const entry = this.#byHash.get(hashKey(presented))
    return entry && entry.key.parent !== null ? refused.unknown : judge(entry, now)
  }

  /** Judges a read-only key as the client presented it in an address, at `now` (UTC ms). */
  findInAddress(presented: string, now: number): KeyFinding {
    if (!isAddressKey(presented)) return refused.malformed
    const entry = this.#byHash.get(hashKey(presented))
    return entry?.key.parent === null ? refused.unknown : this.#judge(entry, now)
  }

  /** Judges the newest record of a key, found by its id, at `now` (UTC ms). */
  standing(keyId: string, now: number): KeyFinding {
    return this.#judge(this.#byId.get(keyId), now)
  }

  get(keyId: string): AccessKey | undefined {
    return this.#byId.get(keyId)?.key
  }

  list(): AccessKey[] {
    return Array.from(this.#byId.values(), ({ key }) => key)
  }

  /** Judges a key by its record. A derived key is valid as long as its parent is, for the parent's plan and account. */
  #judge(entry: KnownKey | undefined, now: number): KeyFinding {
    if (!entry || entry.key.parent === null) return judge(entry, now)
    const { key } = entry
    if (key.status !== 'active') return refused.revoked
    const parent = judge(this.#byId.get(entry.key.parent), now)
    if (!parent.ok) return parent
    const { plan, expires_at } = parent.key
    const { account } = identityOf(parent.key)
    return { ok: true, key: { ...key, plan, expires_at, account } }
  }
}

function judge(entry: KnownKey | undefined, now: number): KeyFinding {
  if (!entry) return refused.unknown
  if (entry.key.status !== 'active') return refused.revoked
  if (!(now < entry.expiresAt)) return refused.expired
  return { ok: true, key: entry.key }
}
