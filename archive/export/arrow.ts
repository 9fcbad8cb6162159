import { type Field, makeData, RecordBatch, RecordBatchFileWriter, type Schema, Struct } from 'apache-arrow'
import { UndecodableRecord } from '../../journal/codec.ts'
import { portableDecoder } from '../../journal/portable-records.ts'
import { packRecords } from '../packed-records.ts'
import { TableRows } from '../table/table-rows.ts'
import { arrowColumn } from './arrow-column.ts'
import { arrowSchema, BATCH_ROWS } from './arrow-schema.ts'
import type { ExportedRecord, FileEncoder, FileStart } from './encoder.ts'

/** Arrow IPC file with the columns of the archive's table, not compressed, so that readers can map it into memory. */
export class ArrowEncoder implements FileEncoder {
  readonly #start: FileStart
  readonly #schema: Schema
  readonly #writer = new RecordBatchFileWriter()
  readonly #rows: TableRows

  constructor(start: FileStart) {
    this.#start = start
    this.#schema = arrowSchema(start.topic)
    this.#rows = new TableRows(start.topic, start.partition)
  }

  /** Throws UndecodableRecord. */
  add(records: readonly ExportedRecord[]): void {
    const packed = packRecords(records)
    for (const [number, record] of records.entries()) {
      if (!this.#rows.add(packed, number)) throw this.#undecodable(record)
      if (this.#rows.count === BATCH_ROWS) this.#writeBatch()
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
