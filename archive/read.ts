import type { Topic } from '../contracts/topics.ts'
import type { PortableBatch } from '../journal/portable-records.ts'
import type { Archive } from './archive.ts'
import { boundsOf } from './chain.ts'
import { type ChainEntry, dataName, entryName } from './chain-entry.ts'
import { ArchiveError } from './errors.ts'
import { unpackedRecords } from './packed-records.ts'
import { provenRecords } from './proven-records.ts'

/**
 * Yields the archived records of a partition from an offset on (inclusive), up to the end that the archive has at the
 * call. Every record is proven before the end of its segment. Throws `damaged`, and `not_archived` for an offset below
 * the archive's start or above its end.
 */
export async function* readArchive(
  archive: Archive,
  topic: Topic,
  partition: number,
  offset: number,
): AsyncGenerator<PortableBatch> {
  let end: number | undefined
  let at = offset
  for (;;) {
    const chain = await archive.chain(topic, partition)
    const bounds = boundsOf(chain)
    if (!bounds || at < bounds.start || at > bounds.end) throw notArchived(topic, partition, at, bounds)
    end ??= bounds.end
    for (const entry of chain) {
      if (entry.to <= at) continue
      if (at >= end) return
      if (entry.gap) throw lost(entry)
      const bytes = await segmentBytes(archive, entry)
      // A compaction has replaced the entry since: read on from the new chain.
      if (bytes === 'replaced') break
      for await (const batch of recordsFrom(entry, bytes, at)) {
        yield { ...batch, end }
        at = batch.next
      }
    }
    if (at >= end) return
  }
}

/** Yields an entry's records from an offset on; the last batch ends where the entry does. */
async function* recordsFrom(entry: ChainEntry, bytes: Uint8Array | undefined, offset: number) {
  if (bytes) {
    for await (const group of provenRecords(entry, bytes)) {
      const records = unpackedRecords(group).filter((record) => record.offset >= offset)
      const last = records.at(-1)
      if (last) yield { records, next: last.offset + 1 }
    }
  }
  yield { records: [], next: entry.to }
}

/**
 * Reads the data file of an entry: undefined for an entry without records, `replaced` if the entry is gone too. Throws
 * `damaged` if only the file is missing.
 */
export async function segmentBytes(
  { store }: Archive,
  entry: ChainEntry,
): Promise<Uint8Array | undefined | 'replaced'> {
  if (entry.file === null) return undefined
  const file = dataName(entry.topic, entry.file)
  const bytes = await store.get(file)
  if (bytes) return bytes
  const name = entryName(entry.topic, entry.partition, entry)
  if ((await store.size(name)) === undefined) return 'replaced'
  throw new ArchiveError('damaged', `is missing, and ${name} names it`, { file })
}

/**
 * Offset of the first archived record at or after a time (UTC ms); the archive's end if all are older, undefined if the
 * archive holds nothing of the partition. Throws `damaged`.
 */
export async function archivedOffsetAt(
  archive: Archive,
  topic: Topic,
  partition: number,
  time: number,
): Promise<number | undefined> {
  const chain = await archive.chain(topic, partition)
  const entry = chain.find(({ max_time }) => max_time !== null && Date.parse(max_time) >= time)
  if (!entry) return boundsOf(chain)?.end
  for await (const { records } of readArchive(archive, topic, partition, entry.from)) {
    const found = records.find(({ timestamp }) => timestamp >= time)
    if (found) return found.offset
  }
  return boundsOf(chain)?.end
}

const lost = ({ topic, partition, from, to }: ChainEntry) =>
  new ArchiveError(
    'not_archived',
    `the journal deleted ${topic}/${partition} from offset ${from} to ${to} before it was archived; read on from ${to}`,
  )

function notArchived(
  topic: Topic,
  partition: number,
  offset: number,
  bounds: ReturnType<typeof boundsOf>,
): ArchiveError {
  const covered = bounds ? `offsets ${bounds.start} to ${bounds.end}` : 'nothing'
  return new ArchiveError(
    'not_archived',
    `of ${topic}/${partition} the archive holds ${covered}, so not offset ${offset}`,
  )
}
