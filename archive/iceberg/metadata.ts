import { hash } from 'node:crypto'
import { encodeEventCursor } from '../../domain/cursor.ts'
import { historyName } from '../../domain/lineage.ts'
import { manifestListOf, manifestOf } from './manifest.ts'
import { icebergSchema, lastColumnId } from './schema.ts'
import {
  fileNames,
  filesIn,
  metadataFolder,
  type Snapshot,
  type SnapshotFile,
  sealedAt,
  snapshotEnds,
  snapshotId,
  tableSequence,
} from './snapshot.ts'

/** Table metadata of a snapshot (Iceberg table spec, version 2, "Table Metadata"). `root` is the address of the archive's root. */
export function metadataOf(snapshot: Snapshot, root: string) {
  const { topic } = snapshot
  const schema = icebergSchema(topic)
  const id = snapshotId(snapshot)
  const time = sealedAt(snapshot)
  return {
    'format-version': 2,
    'table-uuid': tableUuid(snapshot),
    location: `${root}/${metadataFolder(topic).slice(0, -1)}`,
    'last-sequence-number': tableSequence(snapshot),
    'last-updated-ms': time,
    'last-column-id': lastColumnId(topic),
    schemas: [schema],
    'current-schema-id': schema['schema-id'],
    'partition-specs': [{ 'spec-id': 0, fields: [] }],
    'default-spec-id': 0,
    'last-partition-id': 999,
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    'default-sort-order-id': 0,
    properties: { 'almanac.journal': snapshot.journal },
    'current-snapshot-id': id,
    refs: { main: { 'snapshot-id': id, type: 'branch' } },
    snapshots: [
      {
        'snapshot-id': id,
        'sequence-number': tableSequence(snapshot),
        'timestamp-ms': time,
        'manifest-list': `${root}/${fileNames(snapshot).manifestList}`,
        summary: summaryOf(snapshot),
        'schema-id': schema['schema-id'],
      },
    ],
    'snapshot-log': [{ 'snapshot-id': id, 'timestamp-ms': time }],
    'metadata-log': [],
  }
}

/** The bytes of a snapshot's file. */
export function fileOf(snapshot: Snapshot, kind: SnapshotFile, root: string): Buffer {
  if (kind === 'metadata') return Buffer.from(JSON.stringify(metadataOf(snapshot, root)))
  const manifest = manifestOf(snapshot, root)
  return kind === 'manifest' ? manifest : manifestListOf(snapshot, root, manifest.length)
}

/**
 * Summary of a snapshot. `almanac.offset.N` is the offset after the last one of partition N that the table can hold: a replay
 * from it goes on without a gap. `almanac.cursor`, in the table of events, does so for pages and the stream.
 */
function summaryOf(snapshot: Snapshot): Record<string, string> {
  const { journal, lastSequence } = snapshot
  const files = filesIn(snapshot)
  const sum = (of: (entry: (typeof files)[number]) => number) =>
    String(files.reduce((total, file) => total + of(file), 0))
  const totals = {
    'data-files': String(files.length),
    records: sum(({ count }) => count),
    'files-size': sum(({ bytes }) => bytes),
  }
  return {
    operation: 'append',
    'added-data-files': totals['data-files'],
    'added-records': totals.records,
    'added-files-size': totals['files-size'],
    'total-data-files': totals['data-files'],
    'total-records': totals.records,
    'total-files-size': totals['files-size'],
    'total-delete-files': '0',
    'total-position-deletes': '0',
    'total-equality-deletes': '0',
    'almanac.journal': journal,
    ...Object.fromEntries(snapshotEnds(snapshot).map((end, partition) => [`almanac.offset.${partition}`, String(end)])),
    ...(lastSequence === null
      ? {}
      : { 'almanac.sequence': String(lastSequence), 'almanac.cursor': cursorBehind(snapshot, lastSequence) }),
  }
}

/** A cursor that continues behind the table's events. Its generation is that of the newest entry. */
function cursorBehind({ journal, chains }: Snapshot, lastSequence: number): string {
  const name = historyName(journal, chains[0]?.at(-1)?.generation)
  return encodeEventCursor({ journal: name, sequence: lastSequence + 1, hint: lastSequence + 1 })
}

/** Id of a table: the same for the same journal, wherever its archive is (RFC 9562, version 8). */
function tableUuid({ journal, topic }: Snapshot): string {
  const digits = [...hash('sha256', `almanac:${journal}/${topic}`).slice(0, 32)]
  digits[12] = '8'
  digits[16] = '8'
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
