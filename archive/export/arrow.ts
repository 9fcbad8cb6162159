import {
  Binary,
  Bool,
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
import { UndecodableRecord } from '../../journal/codec.ts'
import { portableDecoder } from '../../journal/portable-records.ts'
import { DECIMAL_PRECISION, DECIMAL_SCALE } from '../cells.ts'
import { type ColumnType, tableColumns } from '../columns.ts'
import { packRecords } from '../packed-records.ts'
import { TableRows } from '../table/table-rows.ts'
import { arrowColumn } from './arrow-column.ts'
import type { ExportedRecord, FileEncoder, FileStart } from './encoder.ts'

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

/** Arrow IPC file with the columns of the archive's table, not compressed, so that readers can map it into memory. */
export class ArrowEncoder implements FileEncoder {
  readonly #start: FileStart
  readonly #schema: Schema
  readonly #writer = new RecordBatchFileWriter()
  readonly #rows: TableRows

  constructor(start: FileStart) {
    this.#start = start
    this.#schema = new Schema(
      tableColumns(start.topic).map(({ name, type, isRequired }) => new Field(name, typeOf[type](), !isRequired)),
    )
    this.#rows = new TableRows(start.topic, start.partition)
  }

  /** Throws UndecodableRecord. */
  add(records: readonly ExportedRecord[]): void {
    const packed = packRecords(records)
    for (const [number, record] of records.entries()) {
      if (!this.#rows.add(packed, number)) throw this.#undecodable(record)
      if (this.#rows.count === BATCH) this.#writeBatch()
    }
  }

  finish(): Uint8Array {
    if (this.#rows.count > 0) this.#writeBatch()
    this.#writer.finish()
    return this.#writer.toUint8Array(true)
  }

  #writeBatch(): void {
    const { fields } = this.#schema
    const { columns, count: length } = this.#rows
    // Cast: there is a field for each column.
    const children = columns.map((cells, i) => arrowColumn(cells, length, (fields[i] as Field).type))
    this.#writer.write(
      new RecordBatch(this.#schema, makeData({ type: new Struct(fields), length, nullCount: 0, children })),
    )
    this.#rows.clear()
  }

  /** The decoder says what is wrong with a value. */
  #undecodable(record: ExportedRecord): UndecodableRecord {
    const { topic, partition } = this.#start
    const place = `${topic}/${partition} offset ${record.offset}`
    try {
      portableDecoder(topic)(record)
    } catch (cause) {
      return new UndecodableRecord(`${place}: ${cause instanceof Error ? cause.message : cause}`, { cause })
    }
    return new UndecodableRecord(`${place}: the value is not as its schema says`)
  }
}
