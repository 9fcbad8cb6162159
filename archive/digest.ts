/**
 * Digest of a partition's records: it depends on each record up to an offset and on their order, and not on where segments
 * are cut. So one digest proves everything before it, and compaction keeps it.
 */
import { hash } from 'node:crypto'
import type { Topic } from '../contracts/topics.ts'
import type { PackedRecords } from './packed-records.ts'

/** Hash of the digests, and of files. */
export const HASH = 'sha256'

/** Digest before the first record of an archive that begins at offset `from` of a partition. */
export const digestAtStart = (journal: string, topic: Topic, partition: number, from: number): Buffer =>
  hash(HASH, `almanac:${journal}/${topic}/${partition}:${from}`, 'buffer')

/** Digest after a gap: offsets whose records the journal had deleted before they were archived. */
export const digestAfterGap = (before: Uint8Array, from: number, to: number): Buffer =>
  hash(HASH, Buffer.concat([before, Buffer.from(`gap:${from}-${to}`)]), 'buffer')

/**
 * Digest after the first `count` records. It fills the room before them. After each one it is SHA-256 of the digest before it and the record, as
 * `PackedRecords` have it. Integers are big-endian, text is UTF-8:
 *
 *   digest before · u64 offset · i64 time, UTC ms · u32 schema version · u32 key length (4294967295: no key) · key
 *   u32 number of headers, in order of their names, each: u32 name length · name · u32 value length · value
 *   u32 body length · body
 */
export function digestAfter(before: Uint8Array, { bytes, ends }: PackedRecords, count = ends.length): Buffer {
  // As text, because each buffer that `hash` returns has memory outside the heap, which costs more to collect than to fill.
  let digest = Buffer.from(before).toString('latin1')
  let from = 0
  for (let i = 0; i < count; i++) {
    // Cast: there are as many ends.
    const to = ends[i] as number
    bytes.write(digest, from, 'latin1')
    digest = hash(HASH, bytes.subarray(from, to), 'binary')
    from = to
  }
  return Buffer.from(digest, 'latin1')
}
