const ALPHABET = Uint8Array.from(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'))
/** CRC-32 of each byte (ISO 3309, reflected polynomial). That of node:zlib takes a call and a view: a tenth of a frame. */
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

/**
 * Writes cursors of events as `encodeEventCursor` makes them (a test compares them), where every event sent has one: what
 * is the same in all of a journal, its id above all, is summed and encoded once.
 */
export class CursorWriter {
  /** Room that a cursor takes at most. */
  readonly maxBytes: number
  readonly #bytes: Uint8Array
  /** Where the numbers begin. */
  readonly #tail: number
  /** CRC-32, as far as that. */
  readonly #crc: number
  /** All whole groups of three bytes before the numbers, encoded; the checksum is in the first two. */
  readonly #start: Uint8Array
  readonly #startBytes: number

  constructor(journal: string) {
    const same = Buffer.from(`${JSON.stringify(['e', journal]).slice(0, -1)},`)
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

  /** Writes the cursor of an event and answers where it ends. */
  write(sequence: number, hint: number, target: Uint8Array, at: number): number {
    const bytes = this.#bytes
    let end = writeDecimal(sequence, bytes, this.#tail)
    bytes[end++] = 0x2c // ,
    end = writeDecimal(hint, bytes, end)
    bytes[end++] = 0x5d // ]
    // What is left of an earlier one would stand in the last group.
    bytes[end] = bytes[end + 1] = 0
    let crc = this.#crc
    for (let i = this.#tail; i < end; i++) crc = (CRC[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8)
    crc = ~crc
    for (let i = 0; i < SUM_BYTES; i++) bytes[i] = crc >>> (24 - 8 * i)
    target.set(this.#start, at)
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

/** A whole number of 0 or more, in so many digits. */
export function writeDigits(value: number, digits: number, target: Uint8Array, at: number): void {
  let rest = value
  let i = at + digits - 1
  for (; rest > MAX_INT32; i--) {
    const tenth = Math.floor(rest / 10)
    // In brackets: the sum from the left would not be exact near 2^53.
    target[i] = 0x30 + (rest - tenth * 10)
    rest = tenth
  }
  // Whole numbers divide several times faster.
  for (let small = rest | 0; small > 0; i--) {
    const tenth = (small / 10) | 0
    target[i] = 0x30 + small - tenth * 10
    small = tenth
  }
  for (; i >= at; i--) target[i] = 0x30
}

/** base64url without padding, of bytes `from` to `to`; answers where it ends. */
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
  // Of a last group that isn't whole, only what stands for its bytes.
  return at + Math.ceil(((to - from) * 4) / 3)
}
