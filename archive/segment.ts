/**
 * Segments: the records of one partition between two offsets as a Parquet file. The same records always give the same
 * bytes. Reading back needs only the position columns, so a reader of this release reads a segment of any other.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type AsyncBuffer, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { Topic } from '../contracts/topics.ts'
import { UndecodableRecord } from '../journal/codec.ts'
import { type PortableRecord, portableDecoder } from '../journal/portable-records.ts'
import { tableColumns } from './columns.ts'
import { parquetSchemaOf } from './parquet-schema.ts'
import { tableData } from './table-data.ts'

/**
 * Limits of a row group, which a writer encodes and a reader unpacks without letting others run. A group is complete
 * with the record that reaches one of them.
 */
const GROUP_RECORDS = 5_000
const GROUP_BYTES = 4 * 2 ** 20
/** Part of the bytes of every segment. Another release of the writer must not change it. */
const CREATED_BY = 'almanac archive 1'

/** Columns whose least and greatest value are of no use to a query. */
const withoutStatistics = new Set(['_headers', '_value', 'data', 'state', 'bytes'])

/** Encodes the file of one segment. */
export interface SegmentEncoder {
  /** Bytes of the file so far. */
  readonly bytes: number
  /** Takes records in the order of their offsets. */
  add(records: readonly PortableRecord[]): void | Promise<void>
  /** Returns the file. It must have a record. */
  finish(): Uint8Array | Promise<Uint8Array>
}

/**
 * Writes a segment while its records arrive. Holds the records of one row group at most, and the file.
 * Where the records are divided among the calls makes no difference to the file.
 */
export class SegmentWriter implements SegmentEncoder {
  readonly #topic: Topic
  readonly #partition: number
  readonly #decode: (record: PortableRecord) => unknown
  readonly #file = new ByteWriter()
  readonly #parquet: ParquetWriter
  #waiting: PortableRecord[] = []
  #waitingBytes = 0

  constructor(topic: Topic, partition: number) {
    this.#topic = topic
    this.#partition = partition
    this.#decode = memberDecoder(topic)
    this.#parquet = new ParquetWriter({
      writer: this.#file,
      schema: parquetSchemaOf(tableColumns(topic)),
      codec: 'ZSTD',
      compressors: { ZSTD: (page) => zstdCompressSync(page) },
      createdBy: CREATED_BY,
    })
  }

  get bytes(): number {
    return this.#file.offset
  }

  /** Takes records in the order of their offsets, and copies their bodies. */
  add(records: readonly PortableRecord[]): void {
    for (const record of records) {
      this.#waiting.push({ ...record, body: Buffer.from(record.body) })
      this.#waitingBytes += record.body.length
      if (this.#waiting.length === GROUP_RECORDS || this.#waitingBytes >= GROUP_BYTES) this.#writeGroup()
    }
  }

  finish(): Uint8Array {
    if (this.#waiting.length > 0) this.#writeGroup()
    this.#parquet.finish()
    return this.#file.getBytes()
  }

  #writeGroup(): void {
    const records = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    const values = records.map(this.#decode)
    this.#parquet.write({
      rowGroupSize: records.length,
      columnData: tableData({ topic: this.#topic, partition: this.#partition }, records, values).map(
        ({ column: { name }, cells }) => ({ name, data: cells, statistics: !withoutStatistics.has(name) }),
      ),
    })
  }
}

/** Decodes a record's members. A body that does not decode is archived all the same: its members are null. */
function memberDecoder(topic: Topic): (record: PortableRecord) => unknown {
  const decode = portableDecoder(topic)
  return (record) => {
    try {
      return decode(record)
    } catch (error) {
      if (error instanceof UndecodableRecord) return null
      throw error
    }
  }
}

const read = {
  compressors: { ZSTD: (page: Uint8Array) => zstdDecompressSync(page) },
  // The library's own parsers lose a text's byte order mark, and the microseconds of a time.
  parsers: {
    stringFromBytes: (bytes: Uint8Array | undefined) =>
      bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
    timestampFromMicroseconds: (micros: bigint) => micros,
  },
  utf8: false,
  geoparquet: false,
}

const neededToRead = ['_offset', '_time', '_key', '_headers', '_schema', '_value']

/**
 * Yields the records of a segment, a row group at a time, from group number `first` on; −1 is the last one. Each group is a
 * turn of the event loop. Throws an Error of the library if the file is no segment.
 */
export async function* decodeSegment(bytes: Uint8Array, first = 0): AsyncGenerator<readonly PortableRecord[]> {
  const file: AsyncBuffer = {
    byteLength: bytes.byteLength,
    // Cast: segments are never in shared memory.
    slice: (start, end = bytes.byteLength) =>
      bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + end) as ArrayBuffer,
  }
  const metadata = await parquetMetadataAsync(file, read)
  const groups = metadata.row_groups
  const rowsIn = (found: typeof groups) => found.reduce((sum, { num_rows }) => sum + Number(num_rows), 0)
  let rowStart = rowsIn(groups.slice(0, first))
  for (const group of groups.slice(first)) {
    const rowEnd = rowStart + rowsIn([group])
    const rows = await parquetReadObjects({ ...read, file, metadata, columns: neededToRead, rowStart, rowEnd })
    yield rows.map(({ _offset, _time, _key, _headers, _schema, _value }) => ({
      offset: Number(_offset),
      timestamp: Number(_time / 1_000n),
      key: _key ?? null,
      headers: _headers,
      schema: _schema,
      body: _value,
    }))
    rowStart = rowEnd
    // The file is in memory, so that nothing else lets others run.
    await nextTurn()
  }
}
