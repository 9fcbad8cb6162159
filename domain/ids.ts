import { hash } from 'node:crypto'

const alphabet = Buffer.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ')
const CHARACTERS = 26
const UNDERSCORE = 0x5f
/** Where an id is written: one is made for each figure, and strings put together cost more. */
const written = Buffer.alloc(16 + CHARACTERS)

/**
 * An id derived from what it names, so that the same fact has the same id wherever it is computed. Format: `prefix_`
 * and 26 characters of Crockford base32, the first 130 bits of a SHA-256 over the parts.
 */
export function derivedId(prefix: string, ...parts: readonly string[]): string {
  const text = identityText(parts)
  // In one call and as text of one character a byte, because a hash object or a buffer takes longer than the hash.
  const digest = hash('sha256', text, 'binary')
  let at = 0
  while (at < prefix.length) written[at] = prefix.charCodeAt(at++)
  written[at++] = UNDERSCORE
  for (let bit = 0; bit < 5 * CHARACTERS; bit += 5) {
    const window = (digest.charCodeAt(bit >> 3) << 8) | digest.charCodeAt((bit >> 3) + 1)
    written[at++] = alphabet[(window >> (11 - (bit & 7))) & 31] ?? 0
  }
  return written.toString('latin1', 0, at)
}

/** The parts, each with its length in bytes in front, so that two different lists never have the same text. */
function identityText(parts: readonly string[]): string {
  let text = ''
  for (const part of parts) text += `${part.length}:${part}`
  // Nearly all parts are ASCII, which has as many bytes as characters, and counting once is faster.
  if (Buffer.byteLength(text) === text.length) return text
  return parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('')
}
