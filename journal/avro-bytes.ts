/** Avro's binary encoding, read value by value. `from` is the place of the next one, and `end` that of the last byte. */
export type AvroBytes = { bytes: Uint8Array; from: number; end: number }

/** Thrown for bytes that are no value of the schema. */
export const malformedAvro = new Error('not a value of the schema')

/** Reads an integer: zigzag, seven bits a byte, the lowest first. Throws for one of 2^53 − 1 or more. */
export function readLong(at: AvroBytes): number {
  const { bytes, end } = at
  let byte = bytes[at.from++] as number
  const isNegative = byte % 2 === 1
  let magnitude = (byte & 0x7f) >> 1
  for (let weight = 0x40; byte >= 0x80 && at.from < end; weight *= 0x80) {
    byte = bytes[at.from++] as number
    magnitude += (byte & 0x7f) * weight
  }
  const value = isNegative ? -magnitude - 1 : magnitude
  // A number of many bytes is infinite, or NaN, which is less than nothing.
  if (byte >= 0x80 || at.from > end || !(Math.abs(value) < Number.MAX_SAFE_INTEGER)) throw malformedAvro
  return value
}

/** Reads the length of a text or of bytes. Throws `malformedAvro` if there are not as many. */
export function readLength(at: AvroBytes): number {
  const length = readLong(at)
  if (length < 0 || at.from + length > at.end) throw malformedAvro
  return length
}

/** Calls `read` for each entry of an array or a map. A negative count is followed by the size of its block. */
export function readBlocks(at: AvroBytes, read: () => void): void {
  for (let count = readLong(at); count !== 0; count = readLong(at)) {
    if (count < 0) readLong(at)
    for (let left = Math.abs(count); left > 0; left--) read()
  }
}
