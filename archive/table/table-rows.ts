import avro from 'avsc'
import { avroSchemas } from '../../contracts/avro.ts'
import type { Topic } from '../../contracts/topics.ts'
import { UndecodableRecord } from '../../journal/codec.ts'
import { newestVersion, portableDecoder } from '../../journal/portable-records.ts'
import { memberColumns, recordColumns } from '../columns.ts'
import { PackedCursor, type PackedRecords } from '../packed-records.ts'
import { type ColumnCells, cellsOf, clearCells, clearRow, fillRow } from './leaf.ts'
import { memberFiller } from './member-filler.ts'
import { recordFiller } from './record-filler.ts'

/** Rows of a topic's table, as columns. Records are put into them without an object for each. */
export class TableRows {
  /** In the order of `tableColumns`. */
  readonly columns: readonly ColumnCells[]
  readonly #members: readonly ColumnCells[]
  readonly #record = new PackedCursor()
  readonly #fillRecord: ReturnType<typeof recordFiller>
  readonly #fillMembers: ReturnType<typeof memberFiller>
  readonly #newest: number
  readonly #topic: Topic
  /** Made for the first body of another version. */
  #upToDate: ReturnType<typeof conversion> | undefined
  #count = 0
  #bodyBytes = 0

  constructor(topic: Topic, partition: number) {
    const record = recordColumns.map(cellsOf)
    this.#members = memberColumns[topic].map(cellsOf)
    this.columns = [...record, ...this.#members]
    this.#fillRecord = recordFiller(topic, partition, record)
    const byPath = new Map(memberColumns[topic].map(({ path }, i) => [path.join('.'), this.#members[i] as ColumnCells]))
    this.#fillMembers = memberFiller(avroSchemas[topic], byPath)
    this.#newest = newestVersion(topic)
    this.#topic = topic
  }

  /** Number of rows. */
  get count(): number {
    return this.#count
  }

  /** Bytes of the rows' bodies. */
  get bodyBytes(): number {
    return this.#bodyBytes
  }

  /** Adds a record as a row. Returns false for a body that does not decode: it is there all the same, and its members are null. */
  add(records: PackedRecords, number: number): boolean {
    const record = this.#record
    const row = this.#count++
    record.read(records, number)
    this.#bodyBytes += record.bodyTo - record.bodyFrom
    this.#fillRecord(record, row)
    const isFilled =
      record.schema === this.#newest
        ? this.#fillMembers(record.bytes, record.bodyFrom, record.bodyTo, row)
        : this.#fillConverted(record, row)
    for (const cells of this.#members) {
      if (!isFilled) clearRow(cells, row)
      fillRow(cells, row)
    }
    return isFilled
  }

  clear(): void {
    this.#count = 0
    this.#bodyBytes = 0
    for (const cells of this.columns) clearCells(cells)
  }

  #fillConverted({ schema, bytes, bodyFrom, bodyTo }: PackedCursor, row: number): boolean {
    this.#upToDate ??= conversion(this.#topic)
    const body = this.#upToDate(schema, bytes.subarray(bodyFrom, bodyTo))
    return body !== undefined && this.#fillMembers(body, 0, body.length, row)
  }
}

/** Returns a function that converts bodies to the newest version of the schema. Undefined for one that does not decode. */
function conversion(topic: Topic): (schema: number, body: Uint8Array) => Uint8Array | undefined {
  const decode = portableDecoder(topic)
  // Cast: the schema is JSON, and `forSchema` itself throws for JSON that is no schema.
  const current = avro.Type.forSchema(avroSchemas[topic] as avro.Schema)
  return (schema, body) => {
    try {
      return current.toBuffer(decode({ schema, body }))
    } catch (error) {
      if (error instanceof UndecodableRecord) return undefined
      throw error
    }
  }
}
