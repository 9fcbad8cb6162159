import { isDeepStrictEqual } from 'node:util'
import type { Topic } from '../contracts/topics.ts'
import { partitionKey } from '../journal/journal.ts'
import type { Archive } from './archive.ts'
import { type ChainEntry, dataName, encodeEntry, entryName } from './chain-entry.ts'
import { digestAfterGap, digestAtStart } from './digest.ts'
import { ArchiveError } from './errors.ts'
import type { PackedRecords } from './packed-records.ts'
import { type SealedFile, sealedFile, type UnfiledEntry } from './sealed-file.ts'
import { SegmentWriter } from './segment.ts'
import { SegmentTally } from './segment-tally.ts'

/** Encodes the file of one segment. */
export interface SegmentEncoder {
  /** Bytes of the file so far. */
  readonly bytes: number
  /** Takes records in the order of their offsets, and their memory. */
  add(records: PackedRecords): void | Promise<void>
  /** Returns the file, which was read back. It must have a record. */
  seal(unfiled: UnfiledEntry): Promise<SealedFile>
}

/** Begins the file of a segment. */
export type NewEncoder = (topic: Topic, partition: number) => SegmentEncoder

/** Encodes in this thread. */
export const encodeHere: NewEncoder = (topic, partition) => {
  const writer = new SegmentWriter(topic, partition)
  return {
    get bytes() {
      return writer.bytes
    },
    add: (records) => writer.add(records),
    seal: (unfiled) => sealedFile(writer, unfiled),
  }
}

/** A segment to be: it takes records until it is sealed. Its memory is that of one row group and of the file. */
export class OpenSegment {
  readonly topic: Topic
  readonly partition: number
  readonly from: number
  readonly #tally: SegmentTally
  readonly #encoder: SegmentEncoder
  #to: number

  /** @param before digest of the partition's records before `from`, hexadecimal */
  constructor(topic: Topic, partition: number, from: number, before: string, newEncoder = encodeHere) {
    this.topic = topic
    this.partition = partition
    this.from = from
    this.#to = from
    this.#tally = new SegmentTally(before)
    this.#encoder = newEncoder(topic, partition)
  }

  /** Begins the segment that follows the last entry of a chain. `start` is where a chain without entries begins. */
  static after(
    archive: Archive,
    topic: Topic,
    partition: number,
    last: ChainEntry | undefined,
    start: number,
    newEncoder?: NewEncoder,
  ): OpenSegment {
    if (last) return new OpenSegment(topic, partition, last.to, last.after, newEncoder)
    const before = digestAtStart(archive.journal, topic, partition, start).toString('hex')
    return new OpenSegment(topic, partition, start, before, newEncoder)
  }

  /** Offset after the last one that the segment covers. */
  get to(): number {
    return this.#to
  }

  /** Bytes of the file so far. */
  get bytes(): number {
    return this.#encoder.bytes
  }

  get count(): number {
    return this.#tally.count
  }

  /** Adds records, of which it takes the memory, and covers the offsets up to `to`, which may have holes. */
  async add(records: PackedRecords, to: number): Promise<void> {
    this.#to = to
    if (records.ends.length === 0) return
    this.#tally.add(records)
    await this.#encoder.add(records)
  }

  /**
   * Writes the data file, then the entry: a process that is killed between them leaves a data file that no entry names.
   * The segment must cover an offset, and takes nothing more. Throws `other_history` if the archive has other records at these offsets.
   */
  async seal(archive: Archive, now: number): Promise<ChainEntry> {
    const { topic, partition, from, to } = this
    const sealed_at = new Date(now).toISOString()
    const unfiled: UnfiledEntry = { topic, partition, from, to, ...this.#tally.account(), gap: false, sealed_at }
    if (this.count === 0) return writeEntry(archive, { ...unfiled, file: null, bytes: 0 })
    const { entry, file, bytes } = await this.#encoder.seal(unfiled)
    await archive.store.put(dataName(topic, file), bytes)
    return writeEntry(archive, entry)
  }
}

/** Records in the chain that the journal has no records from the end of the chain up to `to` any more. */
export function sealGap(archive: Archive, last: ChainEntry, to: number, now: number): Promise<ChainEntry> {
  const after = digestAfterGap(Buffer.from(last.after, 'hex'), last.to, to).toString('hex')
  return writeEntry(archive, {
    topic: last.topic,
    partition: last.partition,
    from: last.to,
    to,
    ...new SegmentTally(last.after).account(),
    after,
    gap: true,
    file: null,
    bytes: 0,
    sealed_at: new Date(now).toISOString(),
  })
}

/**
 * Writes an entry, with the generation of its end, unless there is one for the range. Returns the one that is there if
 * it has the same records: the answer to an earlier request may have been lost, or another release has written them, in other
 * bytes. Throws `other_history` if it has others.
 */
async function writeEntry(archive: Archive, unnamed: ChainEntry): Promise<ChainEntry> {
  const { topic, partition, to } = unnamed
  const generation = archive.lineage?.generationOf({ partition: partitionKey({ topic, partition }), offset: to })
  const entry = generation === undefined ? unnamed : { ...unnamed, generation }
  const name = entryName(topic, partition, entry)
  if (await archive.store.putIfAbsent(name, encodeEntry(entry))) return entry
  const found = await archive.entry(topic, partition, entry)
  const { file, bytes, sealed_at } = entry
  if (found && isDeepStrictEqual({ ...found, file, bytes, sealed_at }, entry)) return found
  throw new ArchiveError('other_history', 'another writer has archived other records at these offsets', { file: name })
}
