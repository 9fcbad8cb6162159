import { hash } from 'node:crypto'
import type { ChainEntry } from '../chain-entry.ts'
import type { TableTopic } from './tables.ts'

/** A table as of a position in the journal. Everything that Iceberg is told of it follows from these members. */
export type Snapshot = {
  readonly journal: string
  readonly topic: TableTopic
  /** Chain of each partition. */
  readonly chains: readonly (readonly ChainEntry[])[]
  /** Sequence of the newest event in the table `events`, 0 before the first; null in another table. */
  readonly lastSequence: number | null
}

/** The entries that have a data file. */
export const filesIn = ({ chains }: Snapshot): readonly (ChainEntry & { readonly file: string })[] =>
  chains.flat().filter((entry): entry is ChainEntry & { readonly file: string } => entry.file !== null)

/** Offset after the last record that the snapshot can hold, for each partition; 0 if nothing of it is archived. */
export const snapshotEnds = ({ chains }: Snapshot): readonly number[] => chains.map((chain) => chain.at(-1)?.to ?? 0)

/** When the newest of the entries was sealed, UTC ms. */
export const sealedAt = ({ chains }: Snapshot): number =>
  Math.max(0, ...chains.flat().map(({ sealed_at }) => Date.parse(sealed_at)))

/**
 * Id of a snapshot: it depends on the data files and the position alone. It has 52 bits, because JSON of many a client
 * rounds integers above 2⁵³.
 */
export function snapshotId(snapshot: Snapshot): number {
  const { journal, topic, chains } = snapshot
  const ranges = chains.map((chain) => chain.map(({ from, to, file }) => [from, to, file]))
  return Number.parseInt(hash('sha256', JSON.stringify([journal, topic, ranges])).slice(0, 13), 16) + 1
}

/** Sequence number of a snapshot: it grows with the table, and a compaction leaves it as it is. */
export const tableSequence = (snapshot: Snapshot): number =>
  snapshotEnds(snapshot).reduce((sum, end) => sum + end, 0) + 1

/** What the name of a snapshot's files says of it: from this any node finds its entries again. */
export type SnapshotName = { readonly id: number; readonly sealedAt: number; readonly ends: readonly number[] }

const snapshotName = (snapshot: Snapshot): string =>
  `${snapshotId(snapshot)}-${sealedAt(snapshot)}-${snapshotEnds(snapshot).join('.')}`

/**
 * Names of the files of a snapshot. The archive has the manifests of the newest one (`publish.ts`). The api makes the manifests
 * that it serves on request, because other addresses are in them.
 */
export function fileNames(snapshot: Snapshot): Readonly<Record<SnapshotFile, string>> {
  const stem = `${metadataFolder(snapshot.topic)}${snapshotName(snapshot)}`
  return {
    metadata: `${stem}.metadata.json`,
    manifestList: `${stem}.manifests.avro`,
    manifest: `${stem}.files.avro`,
  }
}

export type SnapshotFile = 'metadata' | 'manifestList' | 'manifest'

export const metadataFolder = (topic: TableTopic): string => `iceberg/${topic}/`

const kinds: Readonly<Record<string, SnapshotFile>> = {
  'metadata.json': 'metadata',
  'manifests.avro': 'manifestList',
  'files.avro': 'manifest',
}

/** Reads the name of a snapshot's file, without its folder. Undefined for another name. */
export function parseFileName(
  name: string,
): { readonly snapshot: SnapshotName; readonly kind: SnapshotFile } | undefined {
  const [, id, time, ends, suffix] =
    /^(\d{1,16})-(\d{1,16})-(\d{1,16}(?:\.\d{1,16}){0,63})\.([a-z.]+)$/.exec(name) ?? []
  const kind = kinds[suffix ?? '']
  if (!kind || ends === undefined) return undefined
  return { snapshot: { id: Number(id), sealedAt: Number(time), ends: ends.split('.').map(Number) }, kind }
}
