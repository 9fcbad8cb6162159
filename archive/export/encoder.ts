import type { Topic } from '../../contracts/topics.ts'
import type { PortableRecord } from '../../journal/portable-records.ts'

/** Start of a file: the partition, and the first offset that the file covers. */
export type FileStart = { readonly topic: Topic; readonly partition: number; readonly from: number }

/** A record with its decoded value. */
export type ExportedRecord = PortableRecord & { readonly value: unknown }

/** Encoder of one file. The same records give the same bytes. */
export interface FileEncoder {
  /** Takes records in the order of their offsets, at least one in all. */
  add(records: readonly ExportedRecord[]): void | Promise<void>
  /** Returns the file. */
  finish(): Uint8Array | Promise<Uint8Array>
}
