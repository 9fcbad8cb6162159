/**
 * Segments: the records of one partition between two offsets as a Parquet file. The same records always give the same
 * bytes. Reading back needs only the position columns, so a reader of this release reads a segment of any other.
 */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Topic } from '../contracts/topics.ts'
import { tableColumns } from './columns.ts'
import type { PackedRecords } from './packed-records.ts'
import { parquetSchemaOf } from './parquet-schema.ts'
import { writeRowGroup } from './table/row-group.ts'
import { TableRows } from './table/table-rows.ts'

/**
 * Limits of a row group, which a writer encodes and a reader unpacks without letting others run. A group is complete
 * with the record that reaches one of them.
 */
const GROUP_RECORDS = 5_000
const GROUP_BYTES = 4 * 2 ** 20
/** Part of the bytes of every segment: it says which writer made them, so it changes when they do. */
const CREATED_BY = 'almanac archive 2'

/**
 * Writes a segment while its records arrive. Holds the rows of one row group at most, and the file.
 * Where the records are divided among the calls makes no difference to the file.
 */
export class SegmentWriter {
  readonly #file = new ByteWriter()
  readonly #parquet: ParquetWriter
  readonly #rows: TableRows

  constructor(topic: Topic, partition: number) {
    this.#rows = new TableRows(topic, partition)
    this.#parquet = new ParquetWriter({
      writer: this.#file,
      schema: parquetSchemaOf(tableColumns(topic)),
      createdBy: CREATED_BY,
    })
  }

  /** Bytes of the file so far. */
  get bytes(): number {
    return this.#file.offset
  }

  /** Takes records in the order of their offsets. */
  add(records: PackedRecords): void {
    for (let i = 0; i < records.ends.length; i++) {
      this.#rows.add(records, i)
      if (this.#rows.count === GROUP_RECORDS || this.#rows.bodyBytes >= GROUP_BYTES) this.#writeGroup()
    }
  }

  /** Returns the file. It must have a record. */
  finish(): Uint8Array {
    if (this.#rows.count > 0) this.#writeGroup()
    this.#parquet.finish()
    return this.#file.getBytes()
  }

  /** The library writes the file around the row groups. */
  #writeGroup(): void {
    this.#parquet.row_groups.push(writeRowGroup(this.#file, this.#rows))
    this.#parquet.num_rows += BigInt(this.#rows.count)
    this.#rows.clear()
  }
}
