import {
  type DataType,
  Decimal,
  Field,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Utf8,
} from 'apache-arrow'
import type { SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { DECIMAL_PRECISION, unscaled } from '../archive/cells.ts'
import { decimalLeaf, textLeaf } from '../archive/parquet-schema.ts'
import { decimalData, textData } from './arrow-data.ts'

/** A column of a table of exact decimals, with what it is by names. A missing value is null. */
type FileColumn = {
  readonly name: string
  readonly texts: readonly (string | null)[]
  readonly about: Readonly<Record<string, string>>
}

/** A column as it is stored: decimals as whole numbers with a common scale, or texts where 38 digits are too few. */
type Stored = FileColumn & { readonly scale: number | undefined; readonly cells: readonly unknown[] }

/** The scale of a column is that of its longest fraction, so no digit is lost. */
function stored(column: FileColumn): Stored {
  const scale = column.texts.reduce((most, text) => Math.max(most, text?.split('.')[1]?.length ?? 0), 0)
  const cells = column.texts.map((text) => (text === null ? null : unscaled(text, scale)))
  const isExact = cells.every((cell, i) => cell !== null || column.texts[i] === null)
  return isExact ? { ...column, scale, cells } : { ...column, scale: undefined, cells: column.texts }
}

const typeOf = ({ scale }: Stored): DataType =>
  scale === undefined ? new Utf8() : new Decimal(scale, DECIMAL_PRECISION, 128)

// Casts: the type of a column's cells follows from its scale.
const dataOf = (column: Stored) =>
  column.scale === undefined
    ? textData(column.cells as readonly (string | null)[])
    : decimalData(column.cells as readonly (bigint | null)[], typeOf(column) as Decimal)

/** The table as an Arrow stream. Each field has what its column is as metadata. */
export const arrowStream = (periods: readonly string[], columns: readonly FileColumn[]): Buffer =>
  streamOf(periods, columns.map(stored))

function streamOf(periods: readonly string[], columns: readonly Stored[]): Buffer {
  const fields = columns.map((one) => new Field(one.name, typeOf(one), true, new Map(Object.entries(one.about))))
  const schema = new Schema([new Field('period', new Utf8(), false), ...fields])
  const children = [textData(periods), ...columns.map(dataOf)]
  const type = new Struct(schema.fields)
  const writer = new RecordBatchStreamWriter()
  writer.write(new RecordBatch(schema, makeData({ type, length: periods.length, nullCount: 0, children })))
  writer.finish()
  return Buffer.from(writer.toUint8Array(true))
}

/**
 * The table as a Parquet file. What the columns are is in its metadata: in `columns` as JSON, and in the Arrow schema, from
 * which readers built on Arrow give it back to the fields.
 */
export function parquetFile(periods: readonly string[], columns: readonly FileColumn[]): Buffer {
  const all = columns.map(stored)
  const schema: SchemaElement[] = [
    { name: 'panel', num_children: columns.length + 1 },
    { name: 'period', repetition_type: 'REQUIRED', ...textLeaf },
    ...all.map(({ name, scale }): SchemaElement => {
      const leaf = scale === undefined ? textLeaf : decimalLeaf(scale)
      return { name, repetition_type: 'OPTIONAL', ...leaf }
    }),
  ]
  const empty = streamOf(
    [],
    all.map((column) => ({ ...column, cells: [] })),
  )
  // The first message of a stream is its schema: a mark, the length, and the message.
  const message = empty.subarray(0, MESSAGE_HEAD + empty.readInt32LE(MESSAGE_HEAD / 2))
  const about = Object.fromEntries(columns.map((column) => [column.name, column.about]))
  const file = parquetWriteBuffer({
    schema,
    columnData: [{ name: 'period', data: [...periods] }, ...all.map(({ name, cells }) => ({ name, data: [...cells] }))],
    kvMetadata: [
      { key: 'columns', value: JSON.stringify(about) },
      { key: 'ARROW:schema', value: message.toString('base64') },
    ],
    createdBy: 'almanac panel',
  })
  return Buffer.from(file)
}

/** Bytes before an Arrow message: four that mark it, and four with its length. */
const MESSAGE_HEAD = 8
