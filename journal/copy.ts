/**
 * Copies a journal offset for offset (docs/decisions/0040-journal-copy.md). The source may be in use during the copy.
 * The copy is finished only once no process can write to the source any more.
 */

import { isDeepStrictEqual } from 'node:util'
import type { Generation } from '../contracts/generations.ts'
import { CopyRefusedError, type SourceSide } from './copy-terms.ts'
import {
  type Batch,
  type ClaimState,
  type Journal,
  type PartitionAddress,
  partitionKey,
  type StoredRecord,
  startPast,
  type TopicSettings,
} from './journal.ts'

/** What is read of a source: a journal, or its archive. */
type Records = Pick<Journal, 'bounds' | 'read'>

export interface CopySource {
  readonly journal: Records
  readonly side: Omit<SourceSide, 'ends'>
  claims(): readonly ClaimState[]
  /** Tells whether no other process has the source open. */
  isAlone(): Promise<boolean>
  /** Refuses every append and transaction from now on, also those of processes that already have the source open. */
  markMoved(): Promise<void>
}

export type CopyRequest = {
  readonly source: SourceSide
  /** Address of the schema registry whose ids the copied values contain; `''` for the released schemas. */
  readonly registry: string
  readonly topics: Readonly<Record<string, TopicSettings>>
  /** Notes a new copy at the source, before anything is written to the target, and returns its id. */
  readonly begin: () => Promise<string>
}

export interface CopyTarget {
  /** True if an earlier run has finished the copy. */
  readonly isFinished: boolean
  /** End of the partition at the target: the copy goes on there. */
  end(address: PartitionAddress): Promise<number>
  /** Log start of the partition at the target, which its retention may have moved. */
  start(address: PartitionAddress): Promise<number>
  /**
   * Appends records at their own offsets. `at` is the end before the call and `to` the end after it; every offset
   * between them without a record becomes a hole.
   */
  write(address: PartitionAddress, at: number, records: readonly StoredRecord[], to: number): Promise<void>
  /** Reads a batch from `offset` on, or from the log start if that is greater. */
  read(address: PartitionAddress, offset: number): Promise<Batch>
  /** Moves the log start. */
  cut(address: PartitionAddress, start: number): Promise<void>
  /** Turns the copy into a journal that can be opened. `ends` are the final ends of the source's partitions. */
  finish(
    claims: readonly ClaimState[],
    ends: Readonly<Record<string, number>>,
    generations: readonly Generation[],
  ): Promise<void>
  close(): void | Promise<void>
}

/** A topic at the source and at the target, where it may have another prefix. */
export type CopiedTopic = { readonly from: string; readonly to: string; readonly settings: TopicSettings }

export type CopyOptions = {
  readonly topics: readonly CopiedTopic[]
  /** Rewrites records for the target, such as with the schema ids of its registry. */
  readonly translate: (topic: CopiedTopic, records: readonly StoredRecord[]) => Promise<readonly StoredRecord[]>
  /** Called after each step with the number of records copied, the offset reached and the end of the partition. */
  readonly onProgress: (step: { key: string; records: number; done: number; end: number }) => void
  readonly signal: AbortSignal
}

/**
 * Copies everything the source holds. Returns `in_use` if another process has the source open and may write more: run
 * the copy again once that process has stopped. Throws errors of source and target.
 */
export async function copyJournal(
  source: CopySource,
  target: CopyTarget,
  options: CopyOptions,
): Promise<'finished' | 'in_use'> {
  await copyTopics(source.journal, target, options)
  if (!(await source.isAlone())) return 'in_use'
  await source.markMoved()
  await copyTopics(source.journal, target, options)
  const claims = source.claims().map((claim) => ({ ...claim, positions: renamed(claim.positions, options.topics) }))
  await target.finish(claims, await endsOf(source.journal, options.topics), source.side.generations)
  return 'finished'
}

/** End of each of the source's partitions, by the target's `topic/partition`. */
export async function endsOf(source: Records, topics: readonly CopiedTopic[]): Promise<Record<string, number>> {
  const ends = partitionsOf(topics).map(
    async ({ from, to }) => [partitionKey(to), (await source.bounds(from)).end] as const,
  )
  return Object.fromEntries(await Promise.all(ends))
}

const partitionsOf = (topics: readonly CopiedTopic[]) =>
  topics.flatMap((topic) =>
    Array.from({ length: topic.settings.partitions }, (_, partition) => ({
      topic,
      from: { topic: topic.from, partition },
      to: { topic: topic.to, partition },
    })),
  )

/** Renames positions to the target's `topic/partition`. Drops those of topics that are not copied. */
function renamed(positions: Readonly<Record<string, number>>, topics: readonly CopiedTopic[]): Record<string, number> {
  const moved = partitionsOf(topics).flatMap(({ from, to }) => {
    const { [partitionKey(from)]: position } = positions
    return position === undefined ? [] : [[partitionKey(to), position] as const]
  })
  return Object.fromEntries(moved)
}

type Part = ReturnType<typeof partitionsOf>[number]

async function copyTopics(source: Records, target: CopyTarget, options: CopyOptions): Promise<void> {
  const failed = new AbortController()
  const signal = AbortSignal.any([options.signal, failed.signal])
  const copying = partitionsOf(options.topics).map((part) =>
    copyPartition(source, target, part, { ...options, signal }).catch((error) => {
      failed.abort(error)
      throw error
    }),
  )
  await Promise.allSettled(copying)
  await Promise.all(copying)
}

const LIMITS = { maxRecords: 10_000, maxBytes: 4_000_000 }

/** Copies a partition up to its current end. */
async function copyPartition(
  source: Records,
  target: CopyTarget,
  { topic, from, to }: Part,
  { translate, onProgress, signal }: CopyOptions,
): Promise<void> {
  const key = partitionKey(to)
  const { end } = await source.bounds(from)
  let at = await target.end(to)
  if (at > end) throw differs(key, `ends at ${at}, the journal's partition at ${end}`)
  await assertSameTail(source, target, { topic, from, to }, translate, at)
  onProgress({ key, records: 0, done: at, end })
  while (at < end) {
    signal.throwIfAborted()
    const { records, next } = await readOn(source, from, at)
    await target.write(to, at, await translate(topic, records), next)
    at = next
    onProgress({ key, records: records.length, done: at, end })
  }
  const { start } = await source.bounds(from)
  if (start > 0 && topic.settings.cleanup === 'delete') await target.cut(to, Math.min(start, at))
}

/** Number of offsets before the end of the copy that are compared with the source. */
const TAIL = 100

/**
 * Compares the tail of the copy with the source before the copy goes on. They differ if another program wrote to the
 * target, if a write of a killed run arrived late, or if the source is a backup with a different history. What the target's
 * retention has deleted since is left out: Kafka applies it to old records as soon as they are there. Throws CopyRefusedError.
 */
async function assertSameTail(
  source: Records,
  target: CopyTarget,
  { topic, from, to }: Part,
  translate: CopyOptions['translate'],
  at: number,
): Promise<void> {
  // A compacted topic moves its start only as the source does.
  const kept = topic.settings.cleanup === 'delete' ? await target.start(to) : 0
  const first = Math.max(at - TAIL, (await source.bounds(from)).start, kept)
  if (first >= at) return
  const expected = await translate(topic, await recordsBetween(first, at, (offset) => readOn(source, from, offset)))
  const found = await recordsBetween(first, at, (offset) => target.read(to, offset))
  const copied = new Map(found.map((record) => [record.offset, plain(record)]))
  // Either side of a compacted topic may have forgotten a record that the other still has.
  const mayLack = topic.settings.cleanup === 'compact'
  const wrong = expected.find((record) => {
    const found = copied.get(record.offset)
    return found ? !isDeepStrictEqual(found, plain(record)) : !mayLack
  })
  if (wrong) throw differs(partitionKey(to), `differs at offset ${wrong.offset}`)
}

async function recordsBetween(from: number, to: number, read: (offset: number) => Promise<Batch>) {
  const records: StoredRecord[] = []
  for (let at = from; at < to; ) {
    const batch = await read(at)
    records.push(...batch.records.filter(({ offset }) => offset < to))
    at = batch.next
  }
  return records
}

const plain = ({ value, ...rest }: StoredRecord) => ({ ...rest, value: Buffer.from(value).toString('latin1') })

const differs = (key: string, how: string) =>
  new CopyRefusedError(
    `the copy of ${key} ${how}: another program wrote to the copy, or this is a backup of the journal`,
  )

/** Reads a batch from `at` on, or from the log start if retention has deleted the records at `at`. */
async function readOn(source: Records, address: PartitionAddress, at: number) {
  for (let from = at; ; ) {
    try {
      return await source.read(address, from, LIMITS)
    } catch (error) {
      const start = startPast(from, error)
      if (start === undefined) throw error
      from = start
    }
  }
}
