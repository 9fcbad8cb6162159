import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { derivedId } from '../domain/ids.ts'

/**
 * An API key: `alm_live_` or `alm_test_`, then 30 random base62 characters (178 bits), then 6 base62 digits: the CRC32
 * of everything before them. The checksum is no secret. It lets the service reject typing errors, and most strings that
 * only look like a key, without a look-up. The prefix lets scanners find a key that was published by mistake.
 */
export type KeyKind = 'live' | 'test'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
const shape = /^alm_(live|test)_[0-9A-Za-z]{36}$/

/** Makes a key. `random` returns `size` uniformly random bytes from a cryptographic source. */
export function generateKey(kind: KeyKind, random: (size: number) => Uint8Array): string {
  let characters = ''
  while (characters.length < RANDOM_LENGTH) {
    for (const byte of random(RANDOM_LENGTH)) {
      // 248 is the greatest multiple of 62 in a byte. Bytes from 248 on would make the first characters more frequent.
      if (byte < 248 && characters.length < RANDOM_LENGTH) characters += BASE62[byte % 62]
    }
  }
  const body = `alm_${kind}_${characters}`
  return body + checksum(body)
}

/** The kind of a well-formed key whose checksum is right; undefined for anything else. */
export function kindOfKey(text: string): KeyKind | undefined {
  const kind = shape.exec(text)?.[1]
  if (!kind || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return undefined
  return kind === 'live' ? 'live' : 'test'
}

/**
 * SHA-256 of the key, hexadecimal: the only form in which a key is stored. 178 random bits need neither salt nor
 * pepper.
 */
export const hashKey = (key: string): string => hash('sha256', key)

/** The public name of a key, derived from its hash: `key_` and 26 characters of Crockford base32. */
export const keyIdOf = (keyHash: string): string => derivedId('key', keyHash)

function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = `${BASE62[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return digits
}
