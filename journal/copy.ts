/**
 * Copying a journal offset for offset (docs/decisions/0206): what is to be copied, in which order, and when it is done. The
 * source may be in use while it is copied; the copy is finished only when nobody can write to the source any more.
 */
import type { Journal, NewRecord, PartitionAddress, StoredRecord, TopicSettings } from './journal.ts'

/** A name's epoch, which must go on growing, and how far its owners have come, by `topic/partition`. */
export type CopiedClaim = {
  readonly name: string
  readonly epoch: number
  readonly positions: Readonly<Record<string, number>>
}

export interface CopySource {
  readonly journal: Journal
  claims(): readonly CopiedClaim[]
  /** Whether no other process has it open. */
  isAlone(): Promise<boolean>
  /** From then on nobody can write to it, even if it was open before. */
  markMoved(to: string): Promise<void>
}

export interface CopyTarget {
  /** Another run has done all of it. */
  readonly isFinished: boolean
  /** Where the copy of a partition goes on. */
  end(address: PartitionAddress): Promise<number>
  /** Appends records with offsets from `at` on; `at` is the end. */
  append(address: PartitionAddress, at: number, records: readonly NewRecord[]): Promise<void>
  /** Leaves out the offsets up to `to`, which is then the end. `timestamp`: of the records near by. */
  skip(address: PartitionAddress, to: number, timestamp: number): Promise<void>
  /** Moves the log start. */
  cut(address: PartitionAddress, start: number): Promise<void>
  /** Makes it a journal that can be opened. */
  finish(claims: readonly CopiedClaim[]): Promise<void>
  close(): void
}

export type CopyOptions = {
  readonly topics: Readonly<Record<string, TopicSettings>>
  /** A record's value as the target is to have it. */
  readonly translate: (topic: string, records: readonly StoredRecord[]) => Promise<readonly NewRecord[]>
  /** Where the target is, for those who look for the journal at its old place. */
  readonly movedTo: string
  /** Hears of each step: `records` copied, and the offsets of the partition that are done with, of those there are. */
  readonly onProgress: (step: { address: PartitionAddress; records: number; done: number; end: number }) => void
  readonly signal: AbortSignal
}

const LIMITS = { maxRecords: 10_000, maxBytes: 4_000_000 }

/** `in_use`: all that was there has been copied, but somebody may write more. Throws what source and target throw. */
export async function copyJournal(
  source: CopySource,
  target: CopyTarget,
  options: CopyOptions,
): Promise<'finished' | 'in_use'> {
  await copyTopics(source.journal, target, options)
  if (!(await source.isAlone())) return 'in_use'
  await source.markMoved(options.movedTo)
  await copyTopics(source.journal, target, options)
  await target.finish(source.claims())
  return 'finished'
}

async function copyTopics(source: Journal, target: CopyTarget, options: CopyOptions): Promise<void> {
  const failed = new AbortController()
  const signal = AbortSignal.any([options.signal, failed.signal])
  const partitions = Object.entries(options.topics).flatMap(([topic, { partitions }]) =>
    Array.from({ length: partitions }, (_, partition) => ({ topic, partition })),
  )
  const copying = partitions.map((address) =>
    copyPartition(source, target, address, { ...options, signal }).catch((error) => {
      failed.abort(error)
      throw error
    }),
  )
  await Promise.allSettled(copying)
  await Promise.all(copying)
}

/** Everything up to the end as of now. */
async function copyPartition(
  source: Journal,
  target: CopyTarget,
  address: PartitionAddress,
  { topics, translate, onProgress, signal }: CopyOptions,
): Promise<void> {
  const { end } = await source.bounds(address)
  let at = await target.end(address)
  if (at > end)
    throw new Error(`the copy of ${address.topic}/${address.partition} ends at ${at}, the journal at ${end}`)
  onProgress({ address, records: 0, done: at, end })
  while (at < end) {
    signal.throwIfAborted()
    const { records, next } = await readOn(source, address, at)
    for (const run of runsOf(records)) {
      const [first] = run as [StoredRecord]
      if (first.offset > at) await target.skip(address, first.offset, first.timestamp)
      await target.append(address, first.offset, await translate(address.topic, run))
      at = first.offset + run.length
    }
    if (next > at) await target.skip(address, next, records.at(-1)?.timestamp ?? 0)
    at = next
    onProgress({ address, records: records.length, done: at, end })
  }
  const { start } = await source.bounds(address)
  if (start > 0 && topics[address.topic]?.cleanup === 'delete') await target.cut(address, Math.min(start, at))
}

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

/** Records in groups without a hole between them. */
export function runsOf(records: readonly StoredRecord[]): readonly StoredRecord[][] {
  const runs: StoredRecord[][] = []
  for (const record of records) {
    const run = runs.at(-1)
    if (run && (run.at(-1) as StoredRecord).offset + 1 === record.offset) run.push(record)
    else runs.push([record])
  }
  return runs
}
