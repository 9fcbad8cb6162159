import { hash } from 'node:crypto'
import type { ChainEntry } from './chain-entry.ts'
import { HASH } from './digest.ts'
import { provenRecords } from './proven-records.ts'
import type { SegmentWriter } from './segment.ts'

/** An entry before its data file is known. */
export type UnfiledEntry = Omit<ChainEntry, 'file' | 'bytes'>
export type SealedFile = { readonly entry: ChainEntry; readonly file: string; readonly bytes: Uint8Array }

/**
 * Ends the file of a segment, and reads it back: the journal may forget what the archive holds. Throws `damaged` if the file
 * does not have what the entry says.
 */
export async function sealedFile(writer: SegmentWriter, unfiled: UnfiledEntry): Promise<SealedFile> {
  const bytes = writer.finish()
  const file = hash(HASH, bytes)
  const entry = { ...unfiled, file, bytes: bytes.length }
  for await (const _ of provenRecords(entry, bytes));
  return { entry, file, bytes }
}
