import type { Topic } from '../../contracts/topics.ts'
import { ArchiveError } from '../errors.ts'
import type { ObjectStore } from '../objects.ts'
import { openSealedJson, sealJson } from '../sealed-json.ts'
import type { ExportQuestion } from './question.ts'

/** An exported file: the selected records of one partition between two offsets, `to` exclusive. */
export type ExportedFile = {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly records: number
  readonly bytes: number
  readonly sha256: string
}

export type ExportedPartition = {
  readonly topic: Topic
  readonly partition: number
  readonly from: number
  readonly to: number
  /** Offset up to which the files reach; `to` once the partition is exported. */
  readonly next: number
  readonly records: number
  readonly files: readonly ExportedFile[]
}

/**
 * What an export is to hold, and what it holds so far. It is replaced whole after each file, so a killed export goes on
 * after the last file that it names. It has no time of its own, so the same range gives the same bytes.
 */
export type ExportManifest = {
  /** Name of the journal, and the generation that has the whole range (`Lineage.nameOf`). */
  readonly journal: string
  readonly question: ExportQuestion
  readonly complete: boolean
  /** Cursor of the first event after the exported ones: a stream that begins there has no gap. Null without events. */
  readonly next_event: string | null
  readonly partitions: readonly ExportedPartition[]
}

export const MANIFEST_FILE = 'manifest.json'
/** Version of the manifest that this release writes, and the newest that it reads. */
const FORMAT = 1

/** Reads the manifest; undefined if there is none. Throws `damaged` or `newer_format`. */
export async function readManifest(store: ObjectStore): Promise<ExportManifest | undefined> {
  const bytes = await store.get(MANIFEST_FILE)
  if (!bytes) return undefined
  const { format, ...members } = openSealedJson(MANIFEST_FILE, bytes)
  if (typeof format !== 'number' || !Array.isArray(members.partitions))
    throw new ArchiveError('damaged', 'is no manifest of an export', { file: MANIFEST_FILE })
  if (format > FORMAT)
    throw new ArchiveError('newer_format', `this release reads formats up to ${FORMAT}, and the export has ${format}`)
  // Cast: its hash proves that it was written by `writeManifest`.
  return members as ExportManifest
}

export const writeManifest = (store: ObjectStore, manifest: ExportManifest): Promise<void> =>
  store.put(MANIFEST_FILE, sealJson({ format: FORMAT, ...manifest }))
