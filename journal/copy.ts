/**
 * Copying a journal offset for offset (docs/decisions/0040-journal-copy.md): what is copied, in which order, and when it
 * is done. The source may be in use while it is copied; the copy is finished only when nobody can write to the source any
 * more.
 */

import { isDeepStrictEqual } from 'node:util'
import { CopyRefusedError, type SourceSide } from './copy-terms.ts'
import {
  type Batch,
  type Journal,
  type PartitionAddress,
  partitionKey,
  type StoredRecord,
  type TopicSettings,
} from './journal.ts'

/** A name's epoch, which must go on growing, and how far its owners have come, by `topic/partition`. */
export type CopiedClaim = {
  readonly name: string
  readonly epoch: number
  readonly positions: Readonly<Record<string, number>>
}

export interface CopySource {
  readonly journal: Journal
  readonly side: Omit<SourceSide, 'ends'>
  claims(): readonly CopiedClaim[]
  /** Whether no other process has it open. */
  isAlone(): Promise<boolean>
  /** Gives the copy that is begun its id. */
  bind(copy: { id: string; to: string }): Promise<void>
  /** From then on every append and transaction is refused, even of who had it open before. */
  markMoved(): Promise<void>
}

export interface CopyTarget {
  /** Another run has done all of it. */
  readonly isFinished: boolean
  /** Where the copy of a partition goes on. */
  end(address: PartitionAddress): Promise<number>
  /** Gives records the offsets that they have, from the end `at` on, and leaves out all others before `to`, the new end. */
  write(address: PartitionAddress, at: number, records: readonly StoredRecord[], to: number): Promise<void>
  /** A batch from an offset on, or from the log start if that is greater. */
  read(address: PartitionAddress, offset: number): Promise<Batch>
  /** Moves the log start. */
  cut(address: PartitionAddress, start: number): Promise<void>
  /** Makes it a journal that can be opened. `ends`: of the source, for good. */
  finish(claims: readonly CopiedClaim[], ends: Readonly<Record<string, number>>): Promise<void>
  close(): void
}

/** A topic at the source and at the target, where it may have another prefix. */
export type CopiedTopic = { readonly from: string; readonly to: string; readonly settings: TopicSettings }

export type CopyOptions = {
  readonly topics: readonly CopiedTopic[]
  /** Records as the target is to have them. */
  readonly translate: (topic: CopiedTopic, records: readonly StoredRecord[]) => Promise<readonly StoredRecord[]>
  /** Hears of each step: `records` copied, and the offsets of the partition that are done with, of those there are. */
  readonly onProgress: (step: { place: string; records: number; done: number; end: number }) => void
  readonly signal: AbortSignal
}

/** `in_use`: all that was there has been copied, but somebody may write more. Throws what source and target throw. */
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
  await target.finish(claims, await endsOf(source.journal, options.topics))
  return 'finished'
}

/** Where each partition of the source ends, by its place at the target. */
export async function endsOf(source: Journal, topics: readonly CopiedTopic[]): Promise<Record<string, number>> {
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

/** Positions by the target's places; what isn't copied has none. */
function renamed(positions: Readonly<Record<string, number>>, topics: readonly CopiedTopic[]): Record<string, number> {
  const moved = partitionsOf(topics).flatMap(({ from, to }) => {
    const { [partitionKey(from)]: position } = positions
    return position === undefined ? [] : [[partitionKey(to), position] as const]
  })
  return Object.fromEntries(moved)
}

type Part = ReturnType<typeof partitionsOf>[number]

async function copyTopics(source: Journal, target: CopyTarget, options: CopyOptions): Promise<void> {
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

/** Everything up to the end as of now. */
async function copyPartition(
  source: Journal,
  target: CopyTarget,
  { topic, from, to }: Part,
  { translate, onProgress, signal }: CopyOptions,
): Promise<void> {
  const place = partitionKey(to)
  const { end } = await source.bounds(from)
  let at = await target.end(to)
  if (at > end) throw differs(place, `ends at ${at}, the journal's at ${end}`)
  await mustGoOn(source, target, { topic, from, to }, translate, at)
  onProgress({ place, records: 0, done: at, end })
  while (at < end) {
    signal.throwIfAborted()
    const { records, next } = await readOn(source, from, at)
    await target.write(to, at, await translate(topic, records), next)
    at = next
    onProgress({ place, records: records.length, done: at, end })
  }
  const { start } = await source.bounds(from)
  if (start > 0 && topic.settings.cleanup === 'delete') await target.cut(to, Math.min(start, at))
}

/** How many offsets before the end of a copy are held against the source. */
const TAIL = 100

/**
 * Whoever goes on must find what the source has: somebody may have written to the copy, or a write of a killed run have
 * come late; and the source may be a backup that has gone another way.
 */
async function mustGoOn(
  source: Journal,
  target: CopyTarget,
  { topic, from, to }: Part,
  translate: CopyOptions['translate'],
  at: number,
): Promise<void> {
  const first = Math.max(at - TAIL, (await source.bounds(from)).start)
  if (first >= at) return
  const expected = await translate(topic, await recordsBetween(first, at, (offset) => readOn(source, from, offset)))
  const found = await recordsBetween(first, at, (offset) => target.read(to, offset))
  const copied = new Map(found.map((record) => [record.offset, plain(record)]))
  const wrong = expected.find((record) => !isDeepStrictEqual(copied.get(record.offset), plain(record)))
  if (wrong) throw differs(partitionKey(to), `is another at offset ${wrong.offset}`)
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

const differs = (place: string, how: string) =>
  new CopyRefusedError(`the copy of ${place} ${how}: somebody else wrote to it, or this is a backup of the journal`)

/** From `at` on, or from the log start if retention has passed by. */
async function readOn(source: Journal, address: PartitionAddress, at: number) {
  for (;;) {
    const { start } = await source.bounds(address)
    try {
      return await source.read(address, Math.max(at, start), LIMITS)
    } catch (error) {
      const { start: now } = await source.bounds(address)
      if (now === start) throw error
    }
  }
}
