/** Looks at texts four bytes at a time, which takes a quarter of the time of a loop over bytes. */

/** A text to compare others with: its bytes as words, and the rest of up to three bytes. */
export type WordText = { readonly length: number; readonly words: Int32Array; readonly rest: Uint8Array }

const WORD = 4

/** Copies a text out of its buffer. */
export function wordTextOf(bytes: Buffer): WordText {
  const { length } = bytes
  const words = new Int32Array(Math.floor(length / WORD))
  for (let i = 0; i < words.length; i++) words[i] = bytes.readInt32BE(i * WORD)
  return { length, words, rest: Uint8Array.from(bytes.subarray(words.length * WORD)) }
}

/** Tells whether the bytes from `from` to `to` are those of `text`. */
export function isText({ length, words, rest }: WordText, view: DataView, from: number, to: number): boolean {
  if (to - from !== length) return false
  let at = from
  for (let i = 0; i < words.length; i++, at += WORD) if (view.getInt32(at) !== words[i]) return false
  for (let i = 0; i < rest.length; i++) if (view.getUint8(at + i) !== rest[i]) return false
  return true
}

/**
 * Copies the bytes from `from` to `to`. Returns whether all of them are characters that need no escape in JSON and take one
 * byte in UTF-8.
 */
export function copyPlain(source: DataView, from: number, to: number, target: DataView, targetStart: number): boolean {
  let at = from
  let put = targetStart
  let odd = 0
  for (; at + WORD <= to; at += WORD, put += WORD) {
    const word = source.getInt32(at)
    odd |= oddBytes(word)
    target.setInt32(put, word)
  }
  for (; at < to; at++, put++) {
    const byte = source.getUint8(at)
    odd |= oddBytes(0x20202000 | byte)
    target.setUint8(put, byte)
  }
  return odd === 0
}

const LOW_BITS = 0x01010101
const HIGH_BITS = 0x80808080

/**
 * Nonzero if one of the four bytes is no plain character. `x - LOW_BITS & ~x & HIGH_BITS` is nonzero if a byte of x is zero
 * (Hacker's Delight, 6-1). With 0x20 instead of 0x01 it is nonzero if a byte is below 0x20.
 */
function oddBytes(word: number): number {
  const quote = word ^ 0x22222222
  const backslash = word ^ 0x5c5c5c5c
  const del = word ^ 0x7f7f7f7f
  const isControl = (word - 0x20202020) & ~word
  const isOther = ((quote - LOW_BITS) & ~quote) | ((backslash - LOW_BITS) & ~backslash) | ((del - LOW_BITS) & ~del)
  return (word | isControl | isOther) & HIGH_BITS
}
