import type { Lineage } from '../../domain/lineage.ts'

const ALPHABET = Uint8Array.from(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'))
/** CRC-32 of each byte (ISO 3309, reflected polynomial). `crc32` of node:zlib needs a call and a view: a tenth of a frame. */
const CRC = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})
const VERSION = Buffer.from('v1.')
const SUM_BYTES = 4
const MAX_JOURNAL = 400
/** Two numbers of 16 digits, a comma and a bracket. */
const MAX_TAIL = 40

/** Writes the cursors of events, each with the name of the generation that its place is of. */
export class CursorWriters {
  /** Longest cursor, in bytes. */
  readonly maxBytes: number
  /** In order of the sequences that they name, up to `last`; that of the current generation is the last one. */
  readonly #writers: readonly { readonly writer: CursorWriter; readonly last: number }[]
  readonly #newest: CursorWriter
  /** Sequence from which on the current generation names the events. */
  readonly #newestFrom: number

  constructor(lineage: Lineage) {
    this.#writers = lineage.eventNames.map(({ name, last }) => ({ writer: new CursorWriter(name), last }))
    // Cast: the current generation has a name.
    this.#newest = (this.#writers.at(-1) as { writer: CursorWriter }).writer
    this.#newestFrom = (this.#writers.at(-2)?.last ?? 0) + 1
    this.maxBytes = Math.max(...this.#writers.map(({ writer }) => writer.maxBytes))
  }

  /** Writes the cursor of an event and returns the offset of its end. */
  write(sequence: number, hint: number, target: Uint8Array, at: number): number {
    const writer =
      sequence >= this.#newestFrom ? this.#newest : this.#writers.find(({ last }) => sequence <= last)?.writer
    return (writer ?? this.#newest).write(sequence, hint, target, at)
  }
}

/**
 * Writes the cursors of events of one generation, byte for byte as `encodeEventCursor` does (a test compares them).
 * Every event has a cursor, so the part that all cursors share, such as the journal's id, is summed and encoded only
 * once.
 *
 * Casts of array elements: each index is within its array, and a check for every byte would cost time.
 */
class CursorWriter {
  /** Longest cursor, in bytes. */
  readonly maxBytes: number
  readonly #bytes: Uint8Array
  /** Offset of the numbers in `#bytes`. */
  readonly #tail: number
  /** CRC-32 of the bytes before the numbers. */
  readonly #crc: number
  /** The whole groups of three bytes before the numbers, encoded. The first two groups hold the checksum. */
  readonly #start: Buffer
  readonly #startBytes: number

  /** @param name of journal and generation */
  constructor(name: string) {
    const same = Buffer.from(`${JSON.stringify(['e', name]).slice(0, -1)},`)
    if (same.length > MAX_JOURNAL) throw new Error('the journal has too long an id for cursors')
    this.#tail = SUM_BYTES + same.length
    this.#bytes = new Uint8Array(this.#tail + MAX_TAIL)
    this.maxBytes = VERSION.length + Math.ceil((this.#bytes.length * 4) / 3)
    this.#bytes.set(same, SUM_BYTES)
    this.#crc = same.reduce((crc, byte) => (CRC[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8), -1)
    this.#startBytes = this.#tail - (this.#tail % 3)
    const start = Buffer.from(this.#bytes.subarray(0, this.#startBytes)).toString('base64url')
    this.#start = Buffer.concat([VERSION, Buffer.from(start)])
  }

  /** Writes the cursor of an event and returns the offset of its end. */
  write(sequence: number, hint: number, target: Uint8Array, at: number): number {
    const bytes = this.#bytes
    let end = writeDecimal(sequence, bytes, this.#tail)
    bytes[end++] = 0x2c // ,
    end = writeDecimal(hint, bytes, end)
    bytes[end++] = 0x5d // ]
    // Clears leftovers of the cursor before, which would end up in the last group.
    bytes[end] = bytes[end + 1] = 0
    let crc = this.#crc
    for (let i = this.#tail; i < end; i++) crc = (CRC[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8)
    crc = ~crc
    for (let i = 0; i < SUM_BYTES; i++) bytes[i] = crc >>> (24 - 8 * i)
    this.#start.copy(target, at)
    writeBase64(bytes, 0, 6, target, at + VERSION.length)
    return writeBase64(bytes, this.#startBytes, end, target, at + this.#start.length)
  }
}

/** A whole number of 0 or more, in as many digits as it has; answers where they end. */
function writeDecimal(value: number, target: Uint8Array, at: number): number {
  let digits = 1
  for (let bound = 10; bound <= value; bound *= 10) digits++
  writeDigits(value, digits, target, at)
  return at + digits
}

const MAX_INT32 = 0x7fffffff

/** Writes a whole number of 0 or more with exactly `digits` digits, zeros in front. */
export function writeDigits(value: number, digits: number, target: Uint8Array, at: number): void {
  let rest = value
  let i = at + digits - 1
  for (; rest > MAX_INT32; i--) {
    const tenth = Math.floor(rest / 10)
    // The brackets matter: added from the left, the sum would not be exact near 2^53.
    target[i] = 0x30 + (rest - tenth * 10)
    rest = tenth
  }
  // Division of 32-bit integers is several times faster.
  for (let small = rest | 0; small > 0; i--) {
    const tenth = (small / 10) | 0
    target[i] = 0x30 + small - tenth * 10
    small = tenth
  }
  for (; i >= at; i--) target[i] = 0x30
}

/** Writes bytes `from` to `to` as base64url without padding. Returns the offset of its end. */
function writeBase64(bytes: Uint8Array, from: number, to: number, target: Uint8Array, at: number): number {
  let end = at
  for (let i = from; i < to; i += 3) {
    const group = ((bytes[i] as number) << 16) | ((bytes[i + 1] as number) << 8) | (bytes[i + 2] as number)
    target[end] = ALPHABET[group >>> 18] as number
    target[end + 1] = ALPHABET[(group >>> 12) & 0x3f] as number
    target[end + 2] = ALPHABET[(group >>> 6) & 0x3f] as number
    target[end + 3] = ALPHABET[group & 0x3f] as number
    end += 4
  }
  // A last group that isn't whole counts only the characters that stand for its bytes.
  return at + Math.ceil(((to - from) * 4) / 3)
}
