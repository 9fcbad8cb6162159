/** Kafka's variable-length integers within ±2^52: zigzag encoding, then seven bits a byte, lowest first. */

export function varintBytes(value: number): number {
  let zigzag = value < 0 ? -2 * value - 1 : 2 * value
  let bytes = 1
  for (; zigzag >= 0x80; zigzag = Math.floor(zigzag / 0x80)) bytes++
  return bytes
}

/** Writes a number at `start` and returns the position after it. */
export function writeVarint(target: Uint8Array, start: number, value: number): number {
  let zigzag = value < 0 ? -2 * value - 1 : 2 * value
  let at = start
  for (; zigzag >= 0x80; zigzag = Math.floor(zigzag / 0x80)) target[at++] = (zigzag % 0x80) | 0x80
  target[at++] = zigzag
  return at
}

/** Number of bytes of a text in UTF-8. Throws a RangeError for text that UTF-8 cannot encode. */
export function textBytes(text: string): number {
  const length = Buffer.byteLength(text)
  if (length !== text.length && !text.isWellFormed()) throw new RangeError('text with a lone surrogate')
  return length
}

/** Reads fields one after the other, from position `at`. */
export class Bytes {
  at: number
  readonly #source: Buffer

  constructor(source: Buffer, at: number) {
    this.#source = source
    this.at = at
  }

  varint(): number {
    let byte = this.#source[this.at++] as number
    if (byte < 0x80) return byte & 1 ? -(byte + 1) / 2 : byte / 2
    let zigzag = byte & 0x7f
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = this.#source[this.at++] as number
      zigzag += (byte & 0x7f) * scale
    }
    return zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2
  }

  /** Reads bytes as a view, not a copy. Returns null if the length says that they are absent. */
  bytes(): Buffer | null {
    const length = this.varint()
    if (length < 0) return null
    this.at += length
    return this.#source.subarray(this.at - length, this.at)
  }

  text(): string {
    const length = this.varint()
    if (length <= 0) return ''
    this.at += length
    return this.#source.toString('utf8', this.at - length, this.at)
  }
}
