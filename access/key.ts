import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { addressKeyShape, keyShape } from '../contracts/key-text.ts'
import { derivedId } from '../domain/ids.ts'

/**
 * An API key: `alm_live_` or `alm_test_`, then 30 random base62 characters (178 bits), then 6 base62 digits: the CRC32
 * of everything before them. The checksum is no secret. It lets the service reject typing errors, and most strings that
 * only look like a key, without a look-up. The prefix lets scanners find a key that was published by mistake.
 */
export type KeyKind = 'live' | 'test'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE36 = '0123456789abcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
/**
 * 23 random base36 characters are 118 bits. The whole has 32 characters without a separator, because some clients of FRED
 * accept nothing else.
 */
const ADDRESS_RANDOM_LENGTH = 23
const ADDRESS_PREFIX = 'alm'

/** A cryptographic source of `size` uniformly random bytes. */
export type Random = (size: number) => Uint8Array

export function generateKey(kind: KeyKind, random: Random): string {
  const body = `alm_${kind}_${randomText(RANDOM_LENGTH, BASE62, random)}`
  return body + checksum(body, BASE62)
}

/**
 * Makes a read-only key for clients that put their key into the address: `alm`, then 23 random base36 characters, then 6
 * base36 digits of the CRC32 of everything before them.
 */
export function generateAddressKey(random: Random): string {
  const body = ADDRESS_PREFIX + randomText(ADDRESS_RANDOM_LENGTH, BASE36, random)
  return body + checksum(body, BASE36)
}

/** The kind of a well-formed key whose checksum is right; undefined for anything else. */
export function kindOfKey(text: string): KeyKind | undefined {
  const kind = keyShape.exec(text)?.[1]
  if (!kind || !hasChecksum(text, BASE62)) return undefined
  return kind === 'live' ? 'live' : 'test'
}

/** Whether a text is a well-formed read-only key for addresses, with the right checksum. */
export const isAddressKey = (text: string): boolean => addressKeyShape.test(text) && hasChecksum(text, BASE36)

/**
 * SHA-256 of the key, hexadecimal: the only form in which a key is stored. 178 random bits, or 118 of a read-only key,
 * need neither salt nor pepper.
 */
export const hashKey = (key: string): string => hash('sha256', key)

/** The public name of a key, derived from its hash: `key_` and 26 characters of Crockford base32. */
export const keyIdOf = (keyHash: string): string => derivedId('key', keyHash)

function randomText(length: number, alphabet: string, random: Random): string {
  // Greater bytes would make the first characters of the alphabet more frequent.
  const end = 256 - (256 % alphabet.length)
  let characters = ''
  while (characters.length < length) {
    for (const byte of random(length)) {
      if (byte < end && characters.length < length) characters += alphabet[byte % alphabet.length]
    }
  }
  return characters
}

const hasChecksum = (text: string, alphabet: string): boolean =>
  checksum(text.slice(0, -CHECKSUM_LENGTH), alphabet) === text.slice(-CHECKSUM_LENGTH)

function checksum(body: string, alphabet: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = `${alphabet[rest % alphabet.length]}${digits}`
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
