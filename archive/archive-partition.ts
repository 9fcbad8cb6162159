import { isDeepStrictEqual } from 'node:util'
import { SerialQueue } from '../base/async/serial-queue.ts'
import type { Topic } from '../contracts/topics.ts'
import { Lineage } from '../domain/lineage.ts'
import type { PortableBatch, PortableRecord } from '../journal/portable-records.ts'
import type { TypedJournal } from '../journal/typed.ts'
import type { Archive } from './archive.ts'
import { type ChainEntry, entryName } from './chain-entry.ts'
import { merge, mergeable, SEGMENT_BYTES, SEGMENT_RECORDS } from './compaction.ts'
import { ArchiveError } from './errors.ts'
import { type NewEncoder, OpenSegment, sealGap } from './open-segment.ts'
import { packRecords, unpackedRecords } from './packed-records.ts'
import { assertWhole } from './proven-records.ts'
import { segmentBytes } from './read.ts'
import { decodeSegment } from './segment-reader.ts'

/** Small batches, because each is taken in one turn of the event loop. */
const READ = { maxRecords: 250 }

/**
 * Longest time that offsets without records wait to be archived, ms. If they waited for ever, the journal's retention might
 * pass them, and they would look like lost records. If they did not wait, each transaction would make an entry.
 */
const HOLES_MS = 3_600_000

/** Shortest time after which records that were written before the start are sealed, ms, so that a slow start makes progress. */
const BEHIND_MS = 60_000

/** A partition of the journal, and the archive that it is written to. */
export type ArchivedPartition = {
  readonly journal: TypedJournal
  readonly archive: Archive
  readonly topic: Topic
  readonly partition: number
  readonly now: () => number
  readonly signal: AbortSignal
  readonly onGap: (gap: ChainEntry) => void
  /** Where files are encoded: in this thread by default. */
  readonly newEncoder?: NewEncoder
}

type PartitionJob = ArchivedPartition & {
  /** Longest time that a record waits to be archived, ms. */
  readonly sealMs: number
  /** What `ownChain` found. */
  readonly known: readonly ChainEntry[]
  /** End of the partition at the start. What is before it is archived at once, however long `sealMs` is. */
  readonly behind: number
  /** Merges run one after the other, because each holds the files that it merges. */
  readonly merges: SerialQueue
  /** Called with the offset up to which all records are archived, and when the segment before it was written. */
  readonly onEnd: (end: number, sealedAt: string | undefined) => void
}

/**
 * Archives a partition from the end of its chain on, and follows it until `signal` aborts. A segment is sealed when it is
 * large or old. Throws errors of the journal, the store and the archive; the chain is whole then, and the next start
 * continues it.
 */
export async function archivePartition(job: PartitionJob): Promise<void> {
  const { journal, archive, topic, partition, now, sealMs, behind, newEncoder } = job
  const failed = new AbortController()
  const signal = AbortSignal.any([job.signal, failed.signal])
  /** The batch loop and the timer take turns. */
  const turns = new SerialQueue()
  let chain = await continuedChain(job, job.known)
  const { start } = await journal.bounds(topic, partition)
  let segment = OpenSegment.after(archive, topic, partition, chain.at(-1), start, newEncoder)
  let sealAt = Number.POSITIVE_INFINITY
  job.onEnd(segment.from, chain.at(-1)?.sealed_at)

  const seal = async () => {
    sealAt = Number.POSITIVE_INFINITY
    const entry = await segment.seal(archive, now())
    chain.push(entry)
    segment = OpenSegment.after(archive, topic, partition, entry, start, newEncoder)
    job.onEnd(entry.to, entry.sealed_at)
    await job.merges.run(async () => {
      chain = await merged(job, chain, signal)
    })
  }
  const take = async ({ records, next }: PortableBatch) => {
    await segment.add(packRecords(records), next)
    if (segment.count === 0) job.onEnd(next, chain.at(-1)?.sealed_at)
    // What is behind goes into larger segments: small ones would only be merged, and so be written again.
    const ageMs = next < behind ? Math.max(sealMs, BEHIND_MS) : sealMs
    if (next > segment.from) sealAt = Math.min(sealAt, performance.now() + (segment.count > 0 ? ageMs : HOLES_MS))
    const isFull = segment.count >= SEGMENT_RECORDS || segment.bytes >= SEGMENT_BYTES
    const hasCaughtUp = segment.count > 0 && segment.from < behind && next >= behind
    if (isFull || hasCaughtUp) await seal()
  }
  const sealIfOld = async () => {
    if (!signal.aborted && performance.now() >= sealAt) await seal()
  }
  const timer = setInterval(
    () => void turns.run(sealIfOld).catch((error) => failed.abort(error)),
    Math.min(sealMs, 1_000),
  )
  try {
    for await (const batch of journal.followPortable(topic, partition, segment.from, signal, READ)) {
      await turns.run(() => take(batch))
      // Others run between two batches, also while the journal answers at once.
      await new Promise(setImmediate)
    }
  } finally {
    clearInterval(timer)
    await turns.run(async () => undefined)
  }
  failed.signal.throwIfAborted()
}

/** Merges small neighbours until there are none left, and returns the chain. */
export async function merged(
  job: ArchivedPartition,
  chain: readonly ChainEntry[],
  signal: AbortSignal,
): Promise<ChainEntry[]> {
  const { archive, topic, partition, now, newEncoder } = job
  let current = [...chain]
  for (let window = mergeable(current); window && !signal.aborted; window = mergeable(current)) {
    const entry = await merge(archive, window, now(), newEncoder)
    if (!entry) return [...(await archive.chain(topic, partition))]
    const at = current.indexOf(window[0] as ChainEntry)
    current = current.toSpliced(at, window.length, entry)
  }
  return current
}

/**
 * Returns the partition's chain once it is known to be that of this journal. Writes nothing: the archive of another journal must
 * stay as it is, so this is asked of all partitions before anything is written. Throws `other_history`, and `damaged` if the
 * newest segment is.
 */
export async function ownChain({ journal, archive, topic, partition }: ArchivedPartition): Promise<ChainEntry[]> {
  const chain = [...(await archive.chain(topic, partition))]
  const last = chain.at(-1)
  if (!last) return chain
  archive.assertInLine(chain, new Lineage(journal))
  const { start, end } = await journal.bounds(topic, partition)
  if (last.to > end) {
    const detail = `${topic}/${partition} is archived up to offset ${last.to}, and ends at ${end} in the journal`
    throw new ArchiveError('other_history', `${detail}: the journal was set back, or the archive is that of a copy`)
  }
  const archived = await newestRecords(archive, chain)
  const [first] = archived
  if (first) await assertSameRecords(journal, topic, partition, archived, Math.max(first.offset, start), last.to)
  return chain
}

/**
 * Returns a chain of `ownChain`, with a gap that it records if the journal has deleted what comes next. Throws `damaged` if an
 * entry is missing there: a gap in its place would make good entries behind it look replaced.
 */
export async function continuedChain(job: ArchivedPartition, known: readonly ChainEntry[]): Promise<ChainEntry[]> {
  const { journal, archive, topic, partition, now, onGap } = job
  const last = known.at(-1)
  const { start } = await journal.bounds(topic, partition)
  if (!last || last.to >= start) return [...known]
  const behind = (await archive.ranges(topic, partition)).find(({ from }) => from >= last.to)
  if (behind) {
    const detail = `does not join the chain, which ends at offset ${last.to}: an entry is missing`
    throw new ArchiveError('damaged', detail, { file: entryName(topic, partition, behind) })
  }
  const gap = await sealGap(archive, last, start, now())
  onGap(gap)
  return [...known, gap]
}

/** Records of the last row group of a chain; none if the newest segment with records is gone. Throws `damaged`. */
async function newestRecords(archive: Archive, chain: readonly ChainEntry[]): Promise<readonly PortableRecord[]> {
  const entry = chain.findLast(({ file }) => file !== null)
  const bytes = entry && (await segmentBytes(archive, entry))
  if (!bytes || bytes === 'replaced') return []
  assertWhole(entry, bytes)
  for await (const records of decodeSegment(bytes, -1)) return unpackedRecords(records)
  return []
}

/**
 * Compares archived records with those that the journal has in these offsets. A compacted topic may have fewer. Throws
 * `other_history`.
 */
async function assertSameRecords(
  journal: TypedJournal,
  topic: Topic,
  partition: number,
  archived: readonly PortableRecord[],
  from: number,
  to: number,
): Promise<void> {
  const expected = new Map(archived.map((record) => [record.offset, comparable(record)]))
  for (let at = from; at < to; ) {
    const { records, next } = await journal.readPortable(topic, partition, at)
    const wrong = records.find(
      (record) => record.offset < to && !isDeepStrictEqual(expected.get(record.offset), comparable(record)),
    )
    if (wrong) {
      const detail = `offset ${wrong.offset} of ${topic}/${partition} has another record in the journal`
      throw new ArchiveError('other_history', `${detail}: the archive is that of a copy of this journal`)
    }
    at = next
  }
}

const comparable = ({ body, headers, ...rest }: PortableRecord) => ({
  ...rest,
  headers: Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1)),
  body: Buffer.from(body).toString('latin1'),
})
