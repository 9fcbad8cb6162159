import { days, microseconds, unscaled } from '../cells.ts'
import type { ColumnType } from '../columns.ts'
import { DistinctTexts } from './distinct-texts.ts'
import { plainInstant } from './instant.ts'
import { type DistinctNumbers, NONE } from './leaf.ts'

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
  readonly bounds: () => Extremes | undefined
}

/** An integer, as a bigint only if it is none that a number has exactly. */
type Integer = number | bigint
type Fixed = {
  readonly width: number
  readonly ofText?: (texts: DistinctTexts, index: number) => Integer | null
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

function instantOf(texts: DistinctTexts, index: number): Integer | null {
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
export function storedValues(type: ColumnType, values: DistinctTexts | DistinctNumbers): StoredValues {
  const kind = fixed[type]
  if (kind) return fixedValues(kind, values)
  if (!(values instanceof DistinctTexts)) throw new Error(`a column of type ${type} has numbers`)
  return {
    plain: values.bytes.subarray(0, values.size),
    count: values.count,
    ends: values.ends,
    indexes: undefined,
    bounds: () => textBounds(values),
  }
}

function fixedValues({ width, ofText, ofNumber, write }: Fixed, values: DistinctTexts | DistinctNumbers): StoredValues {
  const isText = values instanceof DistinctTexts
  const most = isText ? values.count : values.values.length
  const plain = Buffer.allocUnsafe(width * most)
  const indexes = new Int32Array(most)
  let [least, greatest]: Integer[] = []
  let count = 0
  for (let i = 0; i < most; i++) {
    // Cast: there are as many.
    const value = (isText ? ofText?.(values, i) : ofNumber?.(values.values[i] as number)) ?? null
    if (value === null) {
      indexes[i] = NONE
      continue
    }
    if (least === undefined || value < least) least = value
    if (greatest === undefined || value > greatest) greatest = value
    write(plain, width * count, value)
    indexes[i] = count++
  }
  return {
    plain: plain.subarray(0, width * count),
    count,
    ends: width,
    indexes: count === most ? undefined : indexes,
    bounds: () => (count === 0 ? undefined : { least, greatest }),
  }
}

function textBounds(values: DistinctTexts): Extremes | undefined {
  if (values.count === 0) return undefined
  let [least, greatest] = [0, 0]
  for (let i = 1; i < values.count; i++) {
    if (values.compare(i, least) < 0) least = i
    else if (values.compare(i, greatest) > 0) greatest = i
  }
  return { least: Buffer.from(values.bytesOf(least)), greatest: Buffer.from(values.bytesOf(greatest)) }
}
