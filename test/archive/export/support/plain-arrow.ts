import {
  Binary,
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Field,
  Int32,
  Int64,
  List,
  Map_,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow'
import { DECIMAL_PRECISION, DECIMAL_SCALE } from '../../../../archive/cells.ts'
import { type ColumnType, tableColumns } from '../../../../archive/columns.ts'
import type { ExportedRecord, FileEncoder, FileStart } from '../../../../archive/export/encoder.ts'
import { tableData } from '../../support/table-data.ts'

/** Rows of a record batch. */
const BATCH = 10_000

const decimal = () => new Decimal(DECIMAL_SCALE, DECIMAL_PRECISION, 128)
const map = (value: DataType, isOptional: boolean) => {
  const members = [new Field('key', new Utf8(), false), new Field('value', value, isOptional)]
  // Cast: the library's own types allow no other fields than those of a literal type.
  return new Map_(new Field('entries', new Struct(members), false) as never)
}

const typeOf: { readonly [T in ColumnType]: () => DataType } = {
  string: () => new Utf8(),
  integer: () => new Int32(),
  long: () => new Int64(),
  boolean: () => new Bool(),
  bytes: () => new Binary(),
  decimal,
  timestamp: () => new TimestampMicrosecond('UTC'),
  date: () => new DateDay(),
  'list<string>': () => new List(new Field('element', new Utf8(), false)),
  'map<string, string>': () => map(new Utf8(), false),
  'map<string, decimal>': () => map(decimal(), true),
}

/** The file of `ArrowEncoder` from decoded values, cell by cell. Former releases made it so. */
export class PlainArrowEncoder implements FileEncoder {
  readonly #start: FileStart
  readonly #schema: Schema
  readonly #writer = new RecordBatchFileWriter()
  #waiting: ExportedRecord[] = []

  constructor(start: FileStart) {
    this.#start = start
    this.#schema = new Schema(
      tableColumns(start.topic).map(({ name, type, isRequired }) => new Field(name, typeOf[type](), !isRequired)),
    )
  }

  add(records: readonly ExportedRecord[]): void {
    for (const record of records) {
      this.#waiting.push(record)
      if (this.#waiting.length === BATCH) this.#writeBatch()
    }
  }

  finish(): Uint8Array {
    if (this.#waiting.length > 0) this.#writeBatch()
    this.#writer.finish()
    return this.#writer.toUint8Array(true)
  }

  #writeBatch(): void {
    const records = this.#waiting
    this.#waiting = []
    const values = records.map(({ value }) => value)
    const children = tableData(this.#start, records, values).map(({ column, cells }) => arrowDataOf(column.type, cells))
    const type = new Struct(this.#schema.fields)
    this.#writer.write(
      new RecordBatch(this.#schema, makeData({ type, length: records.length, nullCount: 0, children })),
    )
  }
}

type MapCell = readonly { readonly key: string; readonly value: unknown }[]

/** Arrow's buffers for the cells of a column, which have the types that `cellOf` gives them. */
function arrowDataOf(columnType: ColumnType, cells: readonly unknown[], type = typeOf[columnType]()): Data {
  const length = cells.length
  const nullBitmap = bitsOf(cells, (cell) => cell !== null)
  const nullCount = cells.reduce<number>((count, cell) => count + Number(cell === null), 0)
  const props = { type, length, nullCount, nullBitmap }
  // Casts below: the type of a cell follows from the column's.
  const numbers = cells as readonly (number | null)[]
  const bigints = cells as readonly (bigint | null)[]
  switch (columnType) {
    case 'string':
      return makeData({ ...props, ...textBuffers(cells as readonly (string | null)[]) } as never)
    case 'bytes':
      return makeData({ ...props, ...byteBuffers(cells as readonly (Uint8Array | null)[]) } as never)
    case 'integer':
    case 'date':
      return makeData({ ...props, data: Int32Array.from(numbers, (cell) => cell ?? 0) } as never)
    case 'long':
    case 'timestamp':
      return makeData({ ...props, data: BigInt64Array.from(bigints, (cell) => cell ?? 0n) } as never)
    case 'boolean':
      return makeData({ ...props, data: bitsOf(cells, (cell) => cell === true) } as never)
    case 'decimal':
      return makeData({ ...props, data: decimalBuffer(bigints) } as never)
    case 'list<string>': {
      const lists = cells as readonly (readonly string[] | null)[]
      const child = arrowDataOf(
        'string',
        lists.flatMap((list) => list ?? []),
      )
      return makeData({ ...props, valueOffsets: offsetsOf(lists.map((list) => list?.length ?? 0)), child } as never)
    }
    case 'map<string, string>':
    case 'map<string, decimal>': {
      const maps = cells as readonly (MapCell | null)[]
      const entries = maps.flatMap((entries) => entries ?? [])
      const [{ type: entryType }] = (type as Map_).children as [Field<Struct>]
      const child = makeData({
        type: entryType,
        length: entries.length,
        nullCount: 0,
        children: [
          arrowDataOf(
            'string',
            entries.map(({ key }) => key),
          ),
          arrowDataOf(
            columnType === 'map<string, string>' ? 'string' : 'decimal',
            entries.map(({ value }) => value),
          ),
        ],
      })
      return makeData({ ...props, valueOffsets: offsetsOf(maps.map((map) => map?.length ?? 0)), child } as never)
    }
  }
}

/** One bit for each cell, the first one lowest. */
function bitsOf(cells: readonly unknown[], isSet: (cell: unknown) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(cells.length / 8))
  for (const [at, cell] of cells.entries()) if (isSet(cell)) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
  return bits
}

function offsetsOf(lengths: readonly number[]): Int32Array {
  const offsets = new Int32Array(lengths.length + 1)
  for (const [at, length] of lengths.entries()) offsets[at + 1] = (offsets[at] ?? 0) + length
  return offsets
}

function textBuffers(texts: readonly (string | null)[]) {
  const valueOffsets = offsetsOf(texts.map((text) => (text === null ? 0 : Buffer.byteLength(text))))
  const data = Buffer.alloc(valueOffsets.at(-1) ?? 0)
  for (const [at, text] of texts.entries()) if (text !== null) data.write(text, valueOffsets[at] ?? 0)
  return { valueOffsets, data }
}

function byteBuffers(values: readonly (Uint8Array | null)[]) {
  const valueOffsets = offsetsOf(values.map((value) => value?.length ?? 0))
  const data = Buffer.alloc(valueOffsets.at(-1) ?? 0)
  for (const [at, value] of values.entries()) if (value) data.set(value, valueOffsets[at] ?? 0)
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
