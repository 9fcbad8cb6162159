/** Arrow's buffers for the cells of a panel. */
import { type Data, type Decimal, makeData, Utf8 } from 'apache-arrow'

/** Data of texts, or nulls. */
export const textData = (texts: readonly (string | null)[]): Data =>
  makeData({ ...common(texts), type: new Utf8(), ...textBuffers(texts) })

/** Data of whole numbers, which are decimals of the type's scale, or nulls. */
export const decimalData = (numbers: readonly (bigint | null)[], type: Decimal): Data =>
  makeData({ ...common(numbers), type, data: decimalBuffer(numbers) })

const common = (cells: readonly unknown[]) => ({
  length: cells.length,
  nullCount: cells.reduce<number>((count, cell) => count + Number(cell === null), 0),
  nullBitmap: bitsOf(cells),
})

/** One bit for each cell that is not null, the first one lowest. */
function bitsOf(cells: readonly unknown[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(cells.length / 8))
  for (const [at, cell] of cells.entries()) if (cell !== null) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
  return bits
}

function textBuffers(texts: readonly (string | null)[]) {
  const valueOffsets = new Int32Array(texts.length + 1)
  for (const [at, text] of texts.entries())
    valueOffsets[at + 1] = (valueOffsets[at] ?? 0) + (text === null ? 0 : Buffer.byteLength(text))
  const data = Buffer.alloc(valueOffsets.at(-1) ?? 0)
  for (const [at, text] of texts.entries()) if (text !== null) data.write(text, valueOffsets[at] ?? 0)
  return { valueOffsets, data }
}

const HALF_BITS = 64n

/** 128-bit integers, little-endian, in two's complement. */
function decimalBuffer(cells: readonly (bigint | null)[]): Uint32Array {
  const halves = new BigUint64Array(2 * cells.length)
  for (const [at, cell] of cells.entries()) {
    const bits = BigInt.asUintN(128, cell ?? 0n)
    halves[2 * at] = BigInt.asUintN(64, bits)
    halves[2 * at + 1] = bits >> HALF_BITS
  }
  return new Uint32Array(halves.buffer)
}
