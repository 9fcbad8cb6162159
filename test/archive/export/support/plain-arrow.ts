import {
  type Data,
  type DataType,
  type Decimal,
  type Field,
  type Map_,
  makeData,
  RecordBatch,
  RecordBatchFileWriter,
  type Schema,
  Struct,
} from 'apache-arrow'
import { decimalData, textData } from '../../../../api/arrow-data.ts'
import type { ColumnType } from '../../../../archive/columns.ts'
import { arrowSchema, BATCH_ROWS } from '../../../../archive/export/arrow-schema.ts'
import type { ExportedRecord, FileEncoder, FileStart } from '../../../../archive/export/encoder.ts'
import { tableData } from '../../support/table-data.ts'

/** The file of `ArrowEncoder` from decoded values, cell by cell. Former releases made it so. */
export class PlainArrowEncoder implements FileEncoder {
  readonly #start: FileStart
  readonly #schema: Schema
  readonly #writer = new RecordBatchFileWriter()
  #waiting: ExportedRecord[] = []

  constructor(start: FileStart) {
    this.#start = start
    this.#schema = arrowSchema(start.topic)
  }

  add(records: readonly ExportedRecord[]): void {
    for (const record of records) {
      this.#waiting.push(record)
      if (this.#waiting.length === BATCH_ROWS) this.#writeBatch()
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
    const { fields } = this.#schema
    const children = tableData(this.#start, records, values).map(({ column, cells }, i) =>
      // Cast: there is a field for each column.
      arrowDataOf(column.type, cells, (fields[i] as Field).type),
    )
    const type = new Struct(fields)
    this.#writer.write(
      new RecordBatch(this.#schema, makeData({ type, length: records.length, nullCount: 0, children })),
    )
  }
}

type MapCell = readonly { readonly key: string; readonly value: unknown }[]

/** Arrow's buffers for the cells of a column, which have the types that `cellOf` gives them. */
function arrowDataOf(columnType: ColumnType, cells: readonly unknown[], type: DataType): Data {
  const length = cells.length
  const nullBitmap = bitsOf(cells, (cell) => cell !== null)
  const nullCount = cells.reduce<number>((count, cell) => count + Number(cell === null), 0)
  const props = { type, length, nullCount, nullBitmap }
  // Casts below: the type of a cell follows from the column's.
  const numbers = cells as readonly (number | null)[]
  const bigints = cells as readonly (bigint | null)[]
  switch (columnType) {
    case 'string':
      return textData(cells as readonly (string | null)[])
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
      return decimalData(bigints, type as Decimal)
    case 'list<string>': {
      const lists = cells as readonly (readonly string[] | null)[]
      const child = textData(lists.flatMap((list) => list ?? []))
      return makeData({ ...props, valueOffsets: offsetsOf(lists.map((list) => list?.length ?? 0)), child } as never)
    }
    case 'map<string, string>':
    case 'map<string, decimal>': {
      const maps = cells as readonly (MapCell | null)[]
      const entries = maps.flatMap((entries) => entries ?? [])
      const [{ type: entryType }] = (type as Map_).children as [Field<Struct>]
      // Cast: an entry has a key and a value.
      const { type: valueType } = entryType.children[1] as Field
      const values = entries.map(({ value }) => value)
      const children = [
        textData(entries.map(({ key }) => key)),
        arrowDataOf(columnType === 'map<string, string>' ? 'string' : 'decimal', values, valueType),
      ]
      const child = makeData({ type: entryType, length: entries.length, nullCount: 0, children })
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

function byteBuffers(values: readonly (Uint8Array | null)[]) {
  const valueOffsets = offsetsOf(values.map((value) => value?.length ?? 0))
  const data = Buffer.alloc(valueOffsets.at(-1) ?? 0)
  for (const [at, value] of values.entries()) if (value) data.set(value, valueOffsets[at] ?? 0)
  return { valueOffsets, data }
}
