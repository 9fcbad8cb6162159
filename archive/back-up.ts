import { partitionsOf, type Topic, topicNames, topics } from '../contracts/topics.ts'
import { partitionKey, startPast } from '../journal/journal.ts'
import type { PortableBatch } from '../journal/portable-records.ts'
import type { TypedJournal } from '../journal/typed.ts'
import { type ArchivedPartition, continuedChain, merged, ownChain } from './archive-partition.ts'
import { type ChainEntry, entryName } from './chain-entry.ts'
import { SEGMENT_BYTES, SEGMENT_RECORDS } from './compaction.ts'
import { type ArchivedCut, type CutPartition, writeCut } from './cut.ts'
import { digestAtStart } from './digest.ts'
import { ArchiveError } from './errors.ts'
import { OpenSegment, sealGap } from './open-segment.ts'
import { packRecords } from './packed-records.ts'
import { GRACE_MS, sweepPartition, UnnamedFiles } from './upkeep.ts'

/** Claim that a running backup holds. */
export const BACKUP_CLAIM = 'backup'
/** Claims of commands that copy the journal. A restored journal has nothing to go on with from them. */
const PASSING_CLAIMS: ReadonlySet<string> = new Set([BACKUP_CLAIM, 'journal/copy'])

const READ = { maxRecords: 1_000 }

type BackupOptions = Pick<ArchivedPartition, 'journal' | 'archive' | 'now' | 'signal' | 'onGap' | 'newEncoder'> & {
  readonly onProgress: (step: { key: string; records: number; done: number; end: number }) => void
}

type PartitionBackup = ArchivedPartition & {
  /** Its `topic/partition`. */
  readonly key: string
  readonly onProgress: BackupOptions['onProgress']
}

/** Reads the records from an offset on. */
type ReadFrom = (offset: number) => Promise<PortableBatch>

/**
 * Brings the archive up to a consistent moment of the journal, which may be in use, and writes the cut last. What an earlier
 * run has archived is kept, so a run that was killed is continued by the next. Throws errors of journal, store and archive.
 */
export async function backUp(options: BackupOptions): Promise<ArchivedCut> {
  const { journal, archive, now } = options
  const backups = partitionBackups(options)
  const chains = new Map<string, readonly ChainEntry[]>()
  // Before anything is written: this may be the backup of another journal.
  for (const backup of backups) chains.set(backup.key, await ownChain(backup))
  await archive.store.sweep(now() - GRACE_MS)
  // Nearly everything is archived before the cut, so that little is left of which retention could delete something.
  for (const backup of backups) {
    const { start, end } = await journal.bounds(backup.topic, backup.partition)
    const chain = await continuedChain(backup, chains.get(backup.key) ?? [])
    assertFirst(backup, chain[0], start)
    chains.set(backup.key, await archiveUpTo(backup, chain, end, readOf(backup)))
  }
  const chainOf = ({ key }: PartitionBackup) => chains.get(key) ?? []
  const compacted = backups.filter(({ topic }) => topics[topic].cleanup === 'compact')
  const taken = now()
  const { bounds, tails, claims } = await journal.cut(
    Object.fromEntries(compacted.map((backup) => [backup.key, chainOf(backup).at(-1)?.to ?? 0])),
  )
  const partitions: Record<string, CutPartition> = {}
  for (const backup of backups) {
    const { start, end } = bounds[backup.key] ?? { start: 0, end: 0 }
    const { [backup.key]: records } = tails
    // A newer record of a key, from after the cut, may have removed one that the cut needs: the cut itself holds them.
    const read: ReadFrom = records ? async () => ({ records, next: end, end }) : readOf(backup)
    const chain = await archiveUpTo(backup, chainOf(backup), end, read)
    partitions[backup.key] = cutPartition(backup, chain, start, end)
  }
  const cut = {
    journal: journal.id,
    ...(journal.generations.length > 0 && { generations: journal.generations }),
    taken_at: new Date(taken).toISOString(),
    partitions,
    claims: claims.filter(({ name }) => !PASSING_CLAIMS.has(name)),
  }
  await writeCut(archive, cut)
  await sweep(backups, options)
  return cut
}

/** Throws `damaged` if the first entries are missing. An earlier run began where the journal did, which can have moved forward alone. */
function assertFirst({ topic, partition }: PartitionBackup, first: ChainEntry | undefined, start: number): void {
  if (!first || first.from <= start) return
  const detail = `is the first entry, and the journal begins at offset ${start}: an entry is missing, so back up into another place`
  throw new ArchiveError('damaged', detail, { file: entryName(topic, partition, first) })
}

/** Deletes what nothing needs any more. Only the owner of the claim writes to a backup, so no unnamed file is about to be named. */
async function sweep(backups: readonly PartitionBackup[], { archive, now, signal }: BackupOptions): Promise<void> {
  const unnamed = new UnnamedFiles(-1)
  for (const { topic, partition } of backups) await sweepPartition(archive, topic, partition, now())
  for (const topic of topicNames) {
    signal.throwIfAborted()
    await unnamed.sweep(archive, topic, topics[topic].partitions, 0)
  }
}

const partitionBackups = (options: BackupOptions): PartitionBackup[] =>
  topicNames.flatMap((topic) =>
    partitionsOf(topic).map((partition) => ({
      ...options,
      topic,
      partition,
      key: partitionKey({ topic, partition }),
    })),
  )

const readOf =
  ({ journal, topic, partition }: { journal: TypedJournal; topic: Topic; partition: number }): ReadFrom =>
  (offset) =>
    journal.readPortable(topic, partition, offset, READ)

/** Continues a chain up to exactly the offset `end`, and returns it. */
async function archiveUpTo(
  backup: PartitionBackup,
  before: readonly ChainEntry[],
  end: number,
  read: ReadFrom,
): Promise<ChainEntry[]> {
  const { journal, archive, topic, partition, now, signal, onGap, onProgress, newEncoder } = backup
  const chain = [...before]
  const { start } = await journal.bounds(topic, partition)
  const begin = (from: number) => OpenSegment.after(archive, topic, partition, chain.at(-1), from, newEncoder)
  let segment = begin(Math.min(start, end))
  const seal = async (next: number) => {
    if (segment.to > segment.from) chain.push(await segment.seal(archive, now()))
    segment = begin(next)
  }
  onProgress({ key: backup.key, records: 0, done: Math.min(segment.to, end), end })
  while (segment.to < end) {
    signal.throwIfAborted()
    try {
      const batch = await read(segment.to)
      const records = batch.records.filter(({ offset }) => offset < end)
      await segment.add(packRecords(records), Math.min(batch.next, end))
      onProgress({ key: backup.key, records: records.length, done: segment.to, end })
      if (segment.count >= SEGMENT_RECORDS || segment.bytes >= SEGMENT_BYTES) await seal(segment.to)
    } catch (error) {
      // Retention has deleted what comes next.
      const later = startPast(segment.to, error)
      if (later === undefined) throw error
      const from = Math.min(later, end)
      await seal(from)
      const last = chain.at(-1)
      if (last) {
        const gap = await sealGap(archive, last, from, now())
        onGap(gap)
        chain.push(gap)
      }
      segment = begin(from)
    }
  }
  await seal(end)
  return merged(backup, chain, signal)
}

/** What the cut says of a partition. It needs nothing before the journal's log start, or before a gap in the archive. */
function cutPartition(
  { archive, topic, partition }: PartitionBackup,
  chain: readonly ChainEntry[],
  start: number,
  end: number,
) {
  const first = chain[0]?.from ?? end
  const afterGap = chain.findLast(({ gap }) => gap)?.to ?? 0
  const last = chain.at(-1)
  const digest = last ? last.after : digestAtStart(archive.journal, topic, partition, end).toString('hex')
  return { start: Math.min(end, Math.max(start, first, afterGap)), end, digest }
}
