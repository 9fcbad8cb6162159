import { type ChainEntry, dataName } from '../chain-entry.ts'
import { recordColumns } from '../columns.ts'
import { avroFile } from './avro-file.ts'
import { manifestListSchema, manifestSchema } from './manifest-schemas.ts'
import { icebergSchema } from './schema.ts'
import { fileNames, filesIn, type Snapshot, snapshotId, tableSequence } from './snapshot.ts'

const ADDED = 1
const DATA = 0
const SPEC_ID = 0

const [topicColumn, partitionColumn, offsetColumn, timeColumn] = recordColumns
/** Record columns that have exactly one value in each row. */
const counted = recordColumns.filter(({ isRequired, type }) => isRequired && type !== 'map<string, string>')

/** Manifest of a snapshot: one entry for each data file. `root` is the address of the archive's root. */
export function manifestOf(snapshot: Snapshot, root: string): Buffer {
  const schema = icebergSchema(snapshot.topic)
  const meta = {
    schema: JSON.stringify(schema),
    'schema-id': String(schema['schema-id']),
    'partition-spec': '[]',
    'partition-spec-id': String(SPEC_ID),
    'format-version': '2',
    content: 'data',
  }
  const id = snapshotId(snapshot)
  const entries = filesIn(snapshot).map((entry) => ({
    status: ADDED,
    snapshot_id: id,
    // Null: inherited from the manifest list.
    sequence_number: null,
    file_sequence_number: null,
    data_file: dataFile(entry, `${root}/${dataName(entry.topic, entry.file)}`),
  }))
  return avroFile(manifestSchema, meta, entries)
}

/** Manifest list of a snapshot. `manifestLength` is the size of its manifest, in bytes. */
export function manifestListOf(snapshot: Snapshot, root: string, manifestLength: number): Buffer {
  const id = snapshotId(snapshot)
  const sequence = tableSequence(snapshot)
  const meta = {
    'snapshot-id': String(id),
    'parent-snapshot-id': 'null',
    'sequence-number': String(sequence),
    'format-version': '2',
  }
  const files = filesIn(snapshot)
  const manifest = {
    manifest_path: `${root}/${fileNames(snapshot).manifest}`,
    manifest_length: manifestLength,
    partition_spec_id: SPEC_ID,
    content: DATA,
    sequence_number: sequence,
    min_sequence_number: sequence,
    added_snapshot_id: id,
    added_files_count: files.length,
    existing_files_count: 0,
    deleted_files_count: 0,
    added_rows_count: files.reduce((sum, { count }) => sum + count, 0),
    existing_rows_count: 0,
    deleted_rows_count: 0,
    partitions: [],
    key_metadata: null,
  }
  return avroFile(manifestListSchema, meta, files.length === 0 ? [] : [manifest])
}

/** What the manifest says of a data file. Its bounds enclose the values: offsets from the range, times from the records. */
function dataFile(entry: ChainEntry, address: string) {
  const { topic, partition, from, to, count, bytes, min_time, max_time } = entry
  const bounds = (offset: number, time: string | null) => [
    { key: topicColumn.id, value: Buffer.from(topic) },
    { key: partitionColumn.id, value: int(partition) },
    { key: offsetColumn.id, value: long(BigInt(offset)) },
    ...(time === null ? [] : [{ key: timeColumn.id, value: long(BigInt(Date.parse(time)) * 1_000n) }]),
  ]
  return {
    content: DATA,
    file_path: address,
    file_format: 'PARQUET',
    partition: {},
    record_count: count,
    file_size_in_bytes: bytes,
    column_sizes: null,
    value_counts: counted.map(({ id }) => ({ key: id, value: count })),
    null_value_counts: counted.map(({ id }) => ({ key: id, value: 0 })),
    nan_value_counts: null,
    lower_bounds: bounds(from, min_time),
    upper_bounds: bounds(to - 1, max_time),
    key_metadata: null,
    split_offsets: null,
    equality_ids: null,
    sort_order_id: 0,
  }
}

/** Single-value serialisation (Iceberg table spec, Appendix D). */
function int(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return bytes
}
function long(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
}
