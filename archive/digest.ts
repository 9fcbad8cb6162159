/**
 * Digest of a partition's records: it depends on each record up to an offset and on their order, and not on where segments
 * are cut. So one digest proves everything before it, and compaction keeps it.
 */
import { hash } from 'node:crypto'
import type { Topic } from '../contracts/topics.ts'
import type { PortableRecord } from '../journal/portable-records.ts'

/** Hash of the digests, and of files. */
export const HASH = 'sha256'
const HASH_BYTES = 32
const NO_KEY = 0xffff_ffff
const FIXED_BYTES = HASH_BYTES + 8 + 8 + 4 + 4 + 4 + 4
const WORD = 2 ** 32

/** Digest before the first record of an archive that begins at offset `from` of a partition. */
export const digestAtStart = (journal: string, topic: Topic, partition: number, from: number): Buffer =>
  hash(HASH, `almanac:${journal}/${topic}/${partition}:${from}`, 'buffer')

/** Digest after a gap: offsets whose records the journal had deleted before they were archived. */
export const digestAfterGap = (before: Uint8Array, from: number, to: number): Buffer =>
  hash(HASH, Buffer.concat([before, Buffer.from(`gap:${from}-${to}`)]), 'buffer')

let scratch = Buffer.allocUnsafe(65_536)

/**
 * Digest after a record: SHA-256 of the digest before it and the record. Integers are big-endian, text is UTF-8:
 *
 *   digest before · u64 offset · i64 time, UTC ms · u32 schema version · u32 key length (4294967295: no key) · key
 *   u32 number of headers, in order of their names, each: u32 name length · name · u32 value length · value
 *   u32 body length · body
 */
export function digestAfter(before: Uint8Array, record: PortableRecord): Buffer {
  const { offset, timestamp, schema, key, headers, body } = record
  const names = Object.keys(headers).sort()
  // Casts here and below: `names` are the headers' own keys.
  const characters = names.reduce((sum, name) => sum + name.length + (headers[name] as string).length, key?.length ?? 0)
  const most = FIXED_BYTES + 8 * names.length + 3 * characters + body.length
  if (most > scratch.length) scratch = Buffer.allocUnsafe(2 * most)
  scratch.set(before)
  let at = writeLong(offset, HASH_BYTES)
  at = writeLong(timestamp, at)
  at = scratch.writeUInt32BE(schema, at)
  at = key === null ? scratch.writeUInt32BE(NO_KEY, at) : writeText(key, at)
  at = scratch.writeUInt32BE(names.length, at)
  for (const name of names) at = writeText(headers[name] as string, writeText(name, at))
  at = scratch.writeUInt32BE(body.length, at)
  scratch.set(body, at)
  // As text, because each buffer that `hash` returns has memory outside the heap, which costs more to collect than to fill.
  return Buffer.from(hash(HASH, scratch.subarray(0, at + body.length), 'binary'), 'latin1')
}

function writeLong(value: number, at: number): number {
  scratch.writeInt32BE(Math.floor(value / WORD), at)
  return scratch.writeUInt32BE(((value % WORD) + WORD) % WORD, at + 4)
}

function writeText(text: string, at: number): number {
  const length = scratch.write(text, at + 4, 'utf8')
  return scratch.writeUInt32BE(length, at) + length
}
