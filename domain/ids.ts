import { createHash } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * An id derived from what it names, so that the same fact has the same id wherever it is computed. Format: `prefix_`
 * and 26 characters of Crockford base32, the first 130 bits of a SHA-256 over the parts.
 */
export function derivedId(prefix: string, ...parts: readonly string[]): string {
  const hash = createHash('sha256')
  // Each part has its length in front, so that two different lists never hash the same text.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  const bits = hash.digest()
  let id = ''
  for (let bit = 0; bit < 130; bit += 5) {
    const window = ((bits[bit >> 3] ?? 0) << 8) | (bits[(bit >> 3) + 1] ?? 0)
    id += alphabet[(window >> (11 - (bit & 7))) & 31]
  }
  return `${prefix}_${id}`
}
