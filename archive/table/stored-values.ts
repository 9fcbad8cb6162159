import { days, microseconds, unscaled } from '../cells.ts'
import type { ColumnType } from '../columns.ts'
import { plainInstant } from './instant.ts'
import { NONE, type NumberValues } from './leaf.ts'
import { TextValues } from './text-values.ts'

/** Least and greatest value, in the order of Parquet: texts by their bytes. */
export type Extremes = { readonly least: unknown; readonly greatest: unknown }

/** The values of a leaf as a PLAIN page of Parquet has them. */
export type StoredValues = {
  readonly plain: Uint8Array
  readonly count: number
  /** Where each value ends in `plain`; a number if all have this many bytes. */
  readonly ends: Uint32Array | number
  /** Index of each of the leaf's values among these, or `NONE` if its column cannot hold it; undefined if nothing changes. */
  readonly indexes: Int32Array | undefined
  /** Least and greatest of the values that are used: some are not, because the rest of their record was malformed. */
  readonly extremes: (isUsed: Uint8Array) => Extremes | undefined
}

/** An integer, as a bigint only if it is none that a number has exactly. */
type Integer = number | bigint
type Fixed = {
  readonly width: number
  readonly ofText?: (texts: TextValues, index: number) => Integer | null
  readonly ofNumber?: (number: number) => Integer
  readonly write: (to: Buffer, at: number, value: Integer) => void
}

const HALF_BITS = 64n
const WORD = 2 ** 32

const fixed: { readonly [T in ColumnType]?: Fixed } = {
  decimal: {
    width: 16,
    ofText: (texts, index) => unscaled(texts.text(index)),
    write: (to, at, value) => {
      const integer = BigInt(value)
      to.writeBigInt64BE(integer >> HALF_BITS, at)
      to.writeBigUInt64BE(BigInt.asUintN(64, integer), at + 8)
    },
  },
  // The time of a record is in milliseconds.
  timestamp: { width: 8, ofText: instantOf, ofNumber: microsecondsOf, write: writeLong },
  long: { width: 8, ofNumber: (number) => number, write: writeLong },
  integer: { width: 4, ofNumber: (number) => number, write: writeInteger },
  date: { width: 4, ofText: (texts, index) => days(texts.text(index)), write: writeInteger },
}

function instantOf(texts: TextValues, index: number): Integer | null {
  const plain = plainInstant(texts.bytes, texts.from(index), texts.ends[index] as number)
  return Number.isNaN(plain) ? microseconds(texts.text(index)) : microsecondsOf(plain)
}

function microsecondsOf(milliseconds: number): Integer {
  const micros = milliseconds * 1_000
  return Number.isSafeInteger(micros) ? micros : BigInt(milliseconds) * 1_000n
}

function writeLong(to: Buffer, at: number, value: Integer): void {
  if (typeof value === 'bigint') {
    to.writeBigInt64LE(value, at)
    return
  }
  const high = Math.floor(value / WORD)
  to.writeUInt32LE(value - high * WORD, at)
  to.writeInt32LE(high, at + 4)
}

function writeInteger(to: Buffer, at: number, value: Integer): void {
  to.writeInt32LE(Number(value), at)
}

/** Converts the values of a leaf, which is not of booleans. Throws a RangeError for a number that does not fit. */
export function storedValues(type: ColumnType, values: TextValues | NumberValues): StoredValues {
  const kind = fixed[type]
  if (kind) return fixedValues(kind, values)
  if (!(values instanceof TextValues)) throw new Error(`a column of type ${type} has numbers`)
  return {
    plain: values.bytes.subarray(0, values.size),
    count: values.count,
    ends: values.ends,
    indexes: undefined,
    extremes: (isUsed) => textExtremes(values, isUsed),
  }
}

function fixedValues({ width, ofText, ofNumber, write }: Fixed, values: TextValues | NumberValues): StoredValues {
  const isText = values instanceof TextValues
  const most = isText ? values.count : values.values.length
  const plain = Buffer.allocUnsafe(width * most)
  const indexes = new Int32Array(most)
  const stored: Integer[] = []
  let count = 0
  for (let i = 0; i < most; i++) {
    // Cast: there are as many.
    const value = (isText ? ofText?.(values, i) : ofNumber?.(values.values[i] as number)) ?? null
    if (value === null) {
      indexes[i] = NONE
      continue
    }
    stored.push(value)
    write(plain, width * count, value)
    indexes[i] = count++
  }
  return {
    plain: plain.subarray(0, width * count),
    count,
    ends: width,
    indexes: count === most ? undefined : indexes,
    extremes: (isUsed) => extremesOf(stored, isUsed, (a, b) => (a < b ? -1 : 1)),
  }
}

function textExtremes(values: TextValues, isUsed: Uint8Array): Extremes | undefined {
  const indexes = Array.from({ length: values.count }, (_, index) => index)
  const found = extremesOf(indexes, isUsed, (a, b) => values.compare(a, b))
  // Casts: they are indexes.
  const bytes = (index: unknown) => Buffer.from(values.bytesOf(index as number))
  return found && { least: bytes(found.least), greatest: bytes(found.greatest) }
}

function extremesOf<T>(
  values: readonly T[],
  isUsed: Uint8Array,
  compare: (a: T, b: T) => number,
): Extremes | undefined {
  let [least, greatest]: T[] = []
  for (let i = 0; i < values.length; i++) {
    if (isUsed[i] === 0) continue
    // Cast: there are as many.
    const value = values[i] as T
    if (least === undefined || compare(value, least) < 0) least = value
    if (greatest === undefined || compare(value, greatest) > 0) greatest = value
  }
  return least === undefined ? undefined : { least, greatest }
}
