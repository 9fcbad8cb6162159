import { createHmac, timingSafeEqual } from 'node:crypto'
import { GRACE_MS } from '../../archive/upkeep.ts'

/**
 * A grant to read the files of one table until a time. Engines send no key with requests for files, so the address itself
 * is the proof: it has the grant as a segment of its path. It names the key that loaded the table, and ends with it.
 */
type FileGrant = { readonly topic: string; readonly keyId: string /** UTC seconds. */; readonly expires: number }

/** How long a grant lasts, s: as long as the archive keeps the files that it has replaced. */
export const GRANT_SECONDS = GRACE_MS / 1_000

const sign = (secret: Uint8Array, { topic, keyId, expires }: FileGrant): string =>
  createHmac('sha256', secret).update(`almanac table files\n${topic}\n${keyId}\n${expires}`).digest('base64url')

export const encodeGrant = (secret: Uint8Array, grant: FileGrant): string =>
  `${grant.topic}.${grant.expires}.${grant.keyId}.${sign(secret, grant)}`

/** Reads a grant. Undefined if it was not signed with this secret, or has expired at `now` (UTC ms). */
export function decodeGrant(secret: Uint8Array, text: string, now: number): FileGrant | undefined {
  const [, topic, expires, keyId, signature] = /^([a-z]+)\.(\d{1,12})\.([\w-]{1,64})\.([\w-]{43})$/.exec(text) ?? []
  if (topic === undefined || keyId === undefined || signature === undefined) return undefined
  const grant = { topic, keyId, expires: Number(expires) }
  const isSigned = timingSafeEqual(Buffer.from(signature), Buffer.from(sign(secret, grant)))
  return isSigned && now < grant.expires * 1_000 ? grant : undefined
}
