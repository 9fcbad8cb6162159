/** CRC-32C (Castagnoli, RFC 3720 B.4), four words a step. node:zlib has only CRC-32, which uses another polynomial. */
const POLYNOMIAL = 0x82f63b78
const WORD_BYTES = 4
const WORDS_A_STEP = 4

/** `t[256 * s + b]` is the effect of byte b on the checksum after s further bytes. */
const t = makeTable()

function makeTable(): Int32Array {
  const table = new Int32Array(256 * WORD_BYTES * WORDS_A_STEP)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    table[byte] = crc
  }
  for (let i = 256; i < table.length; i++) {
    const crc = table[i - 256] as number
    table[i] = (crc >>> 8) ^ (table[crc & 0xff] as number)
  }
  return table
}

/**
 * Checksum of the bytes from `start` to `end`, as an unsigned number. Aligned words are read in the machine's byte order,
 * which is little-endian on every supported platform. The bytes before and after them are read one by one.
 */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const from = Math.min(end, start + ((WORD_BYTES - ((bytes.byteOffset + start) % WORD_BYTES)) % WORD_BYTES))
  const steps = Math.floor((end - from) / (WORD_BYTES * WORDS_A_STEP))
  const to = from + steps * WORD_BYTES * WORDS_A_STEP
  let crc = ofBytes(bytes, start, from, -1)
  if (steps > 0) crc = ofWords(new Int32Array(bytes.buffer, bytes.byteOffset + from, steps * WORDS_A_STEP), crc)
  return ~ofBytes(bytes, to, end, crc) >>> 0
}

function ofBytes(bytes: Uint8Array, from: number, to: number, before: number): number {
  let crc = before
  for (let i = from; i < to; i++) crc = (crc >>> 8) ^ t[(crc ^ (bytes[i] as number)) & 0xff]!
  return crc
}

function ofWords(words: Int32Array, before: number): number {
  let crc = before
  for (let i = 0; i < words.length; i += WORDS_A_STEP) {
    const a = crc ^ words[i]!
    const b = words[i + 1]!
    const c = words[i + 2]!
    const d = words[i + 3]!
    crc =
      t[0xf00 + (a & 0xff)]! ^
      t[0xe00 + ((a >>> 8) & 0xff)]! ^
      t[0xd00 + ((a >>> 16) & 0xff)]! ^
      t[0xc00 + (a >>> 24)]! ^
      t[0xb00 + (b & 0xff)]! ^
      t[0xa00 + ((b >>> 8) & 0xff)]! ^
      t[0x900 + ((b >>> 16) & 0xff)]! ^
      t[0x800 + (b >>> 24)]! ^
      t[0x700 + (c & 0xff)]! ^
      t[0x600 + ((c >>> 8) & 0xff)]! ^
      t[0x500 + ((c >>> 16) & 0xff)]! ^
      t[0x400 + (c >>> 24)]! ^
      t[0x300 + (d & 0xff)]! ^
      t[0x200 + ((d >>> 8) & 0xff)]! ^
      t[0x100 + ((d >>> 16) & 0xff)]! ^
      t[d >>> 24]!
  }
  return crc
}
