import type { AccessKey } from '../contracts/records.ts'
import { hashKey, kindOfKey } from './key.ts'

/** Why a presented key is refused: for metrics and logs; the caller learns no more than `unauthorized`. */
type KeyRefusal = 'malformed' | 'unknown' | 'revoked' | 'expired'
type KeyFinding = { readonly ok: true; readonly key: AccessKey } | { readonly ok: false; readonly why: KeyRefusal }

type Entry = { readonly key: AccessKey; readonly expiresAt: number }

const refused: Readonly<Record<KeyRefusal, KeyFinding>> = {
  malformed: { ok: false, why: 'malformed' },
  unknown: { ok: false, why: 'unknown' },
  revoked: { ok: false, why: 'revoked' },
  expired: { ok: false, why: 'expired' },
}

/** All keys, in memory: the fold of the topic `access`, where the newest record of a key id counts. */
export class KeyTable {
  readonly #byId = new Map<string, Entry>()
  readonly #byHash = new Map<string, Entry>()

  apply(key: AccessKey): void {
    const known = this.#byId.get(key.key_id)
    if (known && known.key.hash !== key.hash) this.#byHash.delete(known.key.hash)
    const expiresAt = key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at)
    const entry = { key, expiresAt }
    this.#byId.set(key.key_id, entry)
    this.#byHash.set(key.hash, entry)
  }

  /** Judges a key as it was presented, at `now` (UTC ms). A key that fails its checksum is not looked up. */
  find(presented: string, now: number): KeyFinding {
    if (kindOfKey(presented) === undefined) return refused.malformed
    // How long a look-up takes can tell no more than of a SHA-256, from which no key can be found.
    return judge(this.#byHash.get(hashKey(presented)), now)
  }

  /** Judges a key that is known by its id, as of its newest record, at `now` (UTC ms). */
  standing(keyId: string, now: number): KeyFinding {
    return judge(this.#byId.get(keyId), now)
  }

  get(keyId: string): AccessKey | undefined {
    return this.#byId.get(keyId)?.key
  }

  list(): AccessKey[] {
    return Array.from(this.#byId.values(), ({ key }) => key)
  }
}

function judge(entry: Entry | undefined, now: number): KeyFinding {
  if (!entry) return refused.unknown
  if (entry.key.status !== 'active') return refused.revoked
  if (!(now < entry.expiresAt)) return refused.expired
  return { ok: true, key: entry.key }
}
