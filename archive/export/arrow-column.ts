/** Arrow's buffers for the columns of the archive's table. */
import { type Data, type DataType, type Field, type Map_, makeData, type Struct } from 'apache-arrow'
import type { PlainType } from '../columns.ts'
import {
  type ColumnCells,
  ENTRY,
  type Leaf,
  type ListCells,
  NONE,
  NULL_LIST,
  type NumberValues,
} from '../table/leaf.ts'
import { type StoredValues, storedValues } from '../table/stored-values.ts'

/** Parquet's length before each text. */
const LENGTH_BYTES = 4

/** Makes the data of a column, whose Arrow type is given. */
export function arrowColumn(cells: ColumnCells, rows: number, type: DataType): Data {
  if ('places' in cells) return listData(cells, rows, type)
  const indexes = new Int32Array(rows).fill(NONE)
  indexes.set(cells.leaf.indexes.subarray(0, rows))
  // Cast: a column of a leaf has the type of its values.
  return leafData(type, cells.column.type as PlainType, cells.leaf, indexes)
}

/** A list or a map: where the entries of each row end, and the entries as a child. Every row has a place. */
function listData({ column, places, keys, entries }: ListCells, rows: number, type: DataType): Data {
  const valueOffsets = new Int32Array(rows + 1)
  const nullBitmap = new Uint8Array(bytesOfBits(rows))
  const entryPlaces: number[] = []
  let nullCount = 0
  let row = -1
  for (const [place, kind] of places.kinds.entries()) {
    if (places.repetitions[place] === 0) row++
    if (kind === ENTRY) entryPlaces.push(place)
    if (kind === NULL_LIST) nullCount++
    else setBit(nullBitmap, row)
    valueOffsets[row + 1] = entryPlaces.length
  }
  const indexes = (leaf: Leaf) => Int32Array.from(entryPlaces, (place) => leaf.indexes[place] ?? NONE)
  // Cast: types of lists and maps have one child.
  const [{ type: entryType }] = type.children as [Field]
  const values = (type: DataType) =>
    leafData(type, column.type === 'map<string, decimal>' ? 'decimal' : 'string', entries, indexes(entries))
  const child = keys ? mapEntries(entryType as Struct, keys, indexes(keys), values) : values(entryType)
  return makeData({ type: type as Map_, length: rows, nullCount, nullBitmap, valueOffsets, child } as never)
}

function mapEntries(type: Struct, keys: Leaf, indexes: Int32Array, values: (type: DataType) => Data): Data {
  // Cast: the struct has these two fields.
  const [key, value] = type.children as [Field, Field]
  const children = [leafData(key.type, 'string', keys, indexes), values(value.type)]
  return makeData({ type, length: indexes.length, nullCount: 0, children })
}

/** Values of a leaf at these indexes, of which `NONE` is null. */
function leafData(type: DataType, plain: PlainType, leaf: Leaf, indexes: Int32Array): Data {
  const stored = plain === 'boolean' ? undefined : storedValues(plain, leaf.values)
  // A value that its column cannot hold is null.
  if (stored?.indexes) replaceIndexes(indexes, stored.indexes)
  const nullBitmap = new Uint8Array(bytesOfBits(indexes.length))
  let nullCount = 0
  for (let i = 0; i < indexes.length; i++) {
    if (indexes[i] === NONE) nullCount++
    else setBit(nullBitmap, i)
  }
  const buffers = stored ? buffersOf(plain, stored, indexes) : { data: booleans(leaf.values as NumberValues, indexes) }
  return makeData({ type, length: indexes.length, nullCount, nullBitmap, ...buffers } as never)
}

function replaceIndexes(indexes: Int32Array, by: Int32Array): void {
  for (let i = 0; i < indexes.length; i++) {
    const index = indexes[i] as number
    if (index !== NONE) indexes[i] = by[index] as number
  }
}

/** Buffers of values that are stored as Parquet stores them. */
function buffersOf(plain: PlainType, stored: StoredValues, indexes: Int32Array) {
  const { ends } = stored
  if (typeof ends !== 'number') return textBuffers(stored.plain, ends, indexes)
  return { data: plain === 'decimal' ? decimals(stored.plain, ends, indexes) : numbers(stored.plain, ends, indexes) }
}

/** Parquet has the length of each text before it, and Arrow has where it ends. */
function textBuffers(plain: Uint8Array, ends: Uint32Array, indexes: Int32Array) {
  const from = (index: number) => (index === 0 ? 0 : (ends[index - 1] as number)) + LENGTH_BYTES
  const valueOffsets = new Int32Array(indexes.length + 1)
  let size = 0
  for (let i = 0; i < indexes.length; i++) {
    const index = indexes[i] as number
    if (index !== NONE) size += (ends[index] as number) - from(index)
    valueOffsets[i + 1] = size
  }
  const data = Buffer.allocUnsafeSlow(size)
  const texts = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength)
  for (let i = 0; i < indexes.length; i++) {
    const index = indexes[i] as number
    if (index !== NONE) texts.copy(data, valueOffsets[i], from(index), ends[index])
  }
  return { valueOffsets, data }
}

/** Integers, which both store little-endian. */
function numbers(plain: Uint8Array, width: number, indexes: Int32Array): Uint8Array {
  const data = new Uint8Array(width * indexes.length)
  for (let i = 0; i < indexes.length; i++) {
    const from = width * (indexes[i] as number)
    if (from >= 0) for (let byte = 0; byte < width; byte++) data[width * i + byte] = plain[from + byte] as number
  }
  return data
}

/** Parquet has decimals big-endian, and Arrow little-endian. */
function decimals(plain: Uint8Array, width: number, indexes: Int32Array): Uint8Array {
  const data = new Uint8Array(width * indexes.length)
  for (let i = 0; i < indexes.length; i++) {
    const from = width * (indexes[i] as number)
    if (from >= 0)
      for (let byte = 0; byte < width; byte++) data[width * (i + 1) - 1 - byte] = plain[from + byte] as number
  }
  return data
}

function booleans({ values }: NumberValues, indexes: Int32Array): Uint8Array {
  const bits = new Uint8Array(bytesOfBits(indexes.length))
  for (let i = 0; i < indexes.length; i++) if (values[indexes[i] as number] === 1) setBit(bits, i)
  return bits
}

const bytesOfBits = (bits: number): number => Math.ceil(bits / 8)

/** The first bit of a byte is the lowest. */
function setBit(bits: Uint8Array, at: number): void {
  bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7))
}
