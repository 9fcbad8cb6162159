import { hash } from 'node:crypto'

const alphabet = Buffer.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ')
const CHARACTERS = 26
/** Where the characters of an id are gathered: an id is made for each figure, and strings put together cost more. */
const characters = Buffer.alloc(CHARACTERS)

/**
 * An id derived from what it names, so that the same fact has the same id wherever it is computed. Format: `prefix_`
 * and 26 characters of Crockford base32, the first 130 bits of a SHA-256 over the parts.
 */
export function derivedId(prefix: string, ...parts: readonly string[]): string {
  // Each part has its length in front, so that two different lists never hash the same text.
  let text = ''
  for (const part of parts) text += `${Buffer.byteLength(part)}:${part}`
  // In one call and as text of one character a byte, because a hash object or a buffer takes longer than the hash.
  const digest = hash('sha256', text, 'binary')
  for (let i = 0, bit = 0; i < CHARACTERS; i++, bit += 5) {
    const window = (digest.charCodeAt(bit >> 3) << 8) | digest.charCodeAt((bit >> 3) + 1)
    characters[i] = alphabet[(window >> (11 - (bit & 7))) & 31] ?? 0
  }
  return `${prefix}_${characters.toString('latin1')}`
}
