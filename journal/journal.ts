/**
 * The journal port: the part of Kafka's log that this product needs. It carries bytes; `typed.ts` encodes and decodes
 * the records of `contracts/`. Every adapter passes `test/contracts/journal-contract.ts`.
 *
 * Semantics shared by all adapters, which are Kafka's:
 * - A topic has a fixed number of partitions. Within one, offsets strictly increase and are **not dense**: a
 *   transaction leaves a hole behind it, compaction leaves holes, retention moves the start.
 * - An append is acknowledged only once it survives SIGKILL of any process.
 * - A failed write has one of three outcomes. Refused: nothing was written. `fenced`: a newer owner has the name, and
 *   nothing was written. `outcome_unknown`: it may or may not be written, so claim again and read the tail. The
 *   embedded adapter can no longer be used then: every call throws `closed` until the process has started again.
 * - A reader has caught up when its position (`Batch.next`) has reached the end seen. It need not have received a
 *   record with the last offset.
 */

import type { Generation } from '../contracts/generations.ts'

export type PartitionAddress = { readonly topic: string; readonly partition: number }

/** Text form of an address, for map keys and messages. */
export const partitionKey = ({ topic, partition }: PartitionAddress): string => `${topic}/${partition}`

/** A record to append. In a compacted topic it replaces the older record with the same `key`, unless that is null. */
export type NewRecord = {
  readonly key: string | null
  readonly value: Uint8Array
  /** UTC milliseconds; the record's time in the journal (Kafka's CreateTime). */
  readonly timestamp: number
  readonly headers: Readonly<Record<string, string>>
}

export type StoredRecord = NewRecord & { readonly offset: number }

export type Batch = {
  readonly records: readonly StoredRecord[]
  /** Offset to read on from; never below the requested offset, even if no record was delivered (holes). */
  readonly next: number
  /** The end of the partition as of this read: the offset after the newest visible record or marker. */
  readonly end: number
}

/** Values of consecutive records, which share one buffer: number `i` is in `bytes` from `from[i]` to `to[i]`. */
export type ValueRun = {
  readonly bytes: Buffer
  readonly offsets: readonly number[]
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** Makes a run of values that lie apart. */
export function runOf(records: readonly Pick<StoredRecord, 'offset' | 'value'>[]): ValueRun {
  const bytes = Buffer.concat(records.map(({ value }) => value))
  const to: number[] = []
  for (const { value } of records) to.push((to.at(-1) ?? 0) + value.length)
  return { bytes, offsets: records.map(({ offset }) => offset), from: [0, ...to.slice(0, -1)], to }
}

/** Where a read has got to: a batch without its records. */
export type ReadPosition = Omit<Batch, 'records'>

/**
 * A write to one partition. Its records get consecutive offsets, in order. Exception: Kafka takes more than 1 MB of a
 * transaction in several batches, so records that other clients append at the same time may lie between them.
 */
export type Write = PartitionAddress & { readonly records: readonly NewRecord[] }

/** How far a claim's owner has read an input partition: the next offset to process. */
export type Position = PartitionAddress & { readonly offset: number }

export type ReadLimits = { readonly maxRecords?: number; readonly maxBytes?: number }

/** What tells whether a record is wanted, without its value. */
export type RecordHead = Pick<StoredRecord, 'key' | 'timestamp'>

export type ReadOptions = ReadLimits & {
  /** Called for each record of the batch, in order. Those for which it returns false count for the limits, and are left out. */
  readonly isWanted?: ((head: RecordHead) => boolean) | undefined
}

export type FollowOptions = ReadLimits & {
  /** How long to retry an unavailable journal before `unavailable` is thrown, ms; for ever by default. */
  readonly patienceMs?: number
}

/** Settings that a topic is created with. Its partition count never changes afterwards. */
export type TopicSettings = {
  readonly partitions: number
  /** `delete` drops records older than `retentionMs` (null: kept for ever); `compact` keeps the newest of each key. */
  readonly cleanup: 'delete' | 'compact'
  readonly retentionMs: number | null
}

export type EnsureOptions = {
  /**
   * Set for a journal that a service already uses. Throws `no_journal` if none of the topics exists. Changes no setting
   * of existing topics, and still creates topics that only a newer release has.
   */
  readonly inUse?: boolean
}

/**
 * A claim's epoch and committed positions, by `topic/partition`. Another journal that goes on from them must fence every
 * owner up to this epoch.
 */
export type ClaimState = {
  readonly name: string
  readonly epoch: number
  readonly positions: Readonly<Record<string, number>>
}

/** A partition of a cut. `tail`: where the records begin that the cut is to hold; without it, the cut holds none. */
export type PartitionToCut = PartitionAddress & { readonly tail?: number }

/**
 * A consistent moment of a journal, by `topic/partition`: of each transaction it has all writes and positions, or none. It
 * holds the records from the `tail` of its partitions on, because a compacted topic forgets them.
 */
export type Cut = {
  readonly bounds: Readonly<Record<string, { readonly start: number; readonly end: number }>>
  readonly tails: Readonly<Record<string, readonly StoredRecord[]>>
  readonly claims: readonly ClaimState[]
}

export interface Journal {
  /** Names this journal for ever, across copies and moves: cursors are bound to it. */
  readonly id: string

  /** The generations after the first, in order; the last one is the current. Cursors are bound to them, too. */
  readonly generations: readonly Generation[]

  /** Creates missing topics. Throws `topic_mismatch` if a topic exists with another partition count or cleanup. */
  ensureTopics(topics: Readonly<Record<string, TopicSettings>>, options?: EnsureOptions): Promise<void>

  /**
   * Appends in order to one partition, all or nothing; resolves once durable, with the offset of the first record.
   * Throws `unavailable` (nothing written, retry), `outcome_unknown`, `full` or `record_too_large`. A write larger than
   * the topic takes at once, some MB on Kafka, needs `transact`.
   */
  append(write: Write): Promise<{ readonly firstOffset: number }>

  /**
   * Writes all of `writes` and moves `positions`, atomically, if `claim` is still the newest of its name.
   * Throws `fenced`, or what `append` throws. After `outcome_unknown` the claim is spent: claim again.
   */
  transact(
    claim: Claim,
    writes: readonly Write[],
    positions?: readonly Position[],
  ): Promise<readonly { readonly firstOffset: number }[]>

  /**
   * Reads one batch from `offset` on (inclusive); at the tail it is empty and `next === end`. Delivers at least one
   * record if there is one that is wanted in the batch, whatever its size. Throws `offset_out_of_range` below the log start or above the end,
   * because a silent jump would lose records.
   */
  read(address: PartitionAddress, offset: number, options?: ReadOptions): Promise<Batch>

  /**
   * Reads as `read` does, but makes no records: passes the values to `take` in runs, in order. A run is valid only during the
   * call, in which the journal must not be used. Making a record takes longer than reading it, and what is not kept needs no
   * memory of its own.
   */
  readValues(
    address: PartitionAddress,
    offset: number,
    take: (run: ValueRun) => void,
    limits?: ReadLimits,
  ): Promise<ReadPosition>

  /**
   * Yields batches from `offset` on and waits at the tail, until `signal` aborts. The first batch comes at once, even
   * if empty, so that the follower learns the end. Throws as `read` does, also when retention overtakes the follower.
   * Adapters over a network retry transient errors for `patienceMs`.
   */
  follow(address: PartitionAddress, offset: number, signal: AbortSignal, options?: FollowOptions): AsyncIterable<Batch>

  /** Returns the log start (oldest readable offset) and the end (next offset to be written) of a partition. */
  bounds(address: PartitionAddress): Promise<{ readonly start: number; readonly end: number }>

  /**
   * Returns the offset of the first record whose time is at or after `time` (UTC ms), the end if there is none. Times within
   * a partition need not increase: later records may have earlier times, and it is the first by offset that counts.
   */
  offsetForTime(address: PartitionAddress, time: number): Promise<number>

  /**
   * Finds a consistent moment, with the state of every claim, while others write. Kafka has to try until none commits
   * meanwhile: throws `unavailable` if there is no such moment within 30 s.
   */
  cut(partitions: readonly PartitionToCut[]): Promise<Cut>

  /**
   * Waits until this process owns `name`, then fences every earlier owner by a greater epoch. A dead owner's claim
   * passes to a standby by itself, a live owner's only when released. Rejects with `signal.reason` when aborted.
   */
  claim(name: string, signal?: AbortSignal): Promise<Claim>

  /** Deletes expired records as of `now` (UTC ms). A no-op on Kafka, which does so itself. */
  retain(now: number): Promise<void>

  close(): Promise<void>
}

/** Exclusive ownership of a name, such as that of a processor or a projection. */
export interface Claim {
  readonly name: string
  /** Grows with each owner of the name: the fencing token. */
  readonly epoch: number
  /** Aborts when ownership is lost. */
  readonly lost: AbortSignal
  /**
   * Returns the position that this or an earlier owner of the name committed; undefined before the first commit. `name`: of
   * another name, whose owner may go on meanwhile, so that it may be an earlier one. What was written with it can be read.
   */
  position(address: PartitionAddress, name?: string): Promise<number | undefined>
  release(): Promise<void>
}

export type JournalErrorCode =
  | 'unavailable'
  | 'outcome_unknown'
  | 'fenced'
  | 'offset_out_of_range'
  | 'record_too_large'
  | 'full'
  | 'unknown_topic'
  | 'topic_mismatch'
  /** A topic of the journal was deleted. Only on Kafka. */
  | 'topic_lost'
  /** The topics hold records that don't belong to this journal. */
  | 'foreign_records'
  | 'closed'
  /** There is no journal, and the caller did not ask to create one. */
  | 'no_journal'
  /** `almanac journal copy` has moved the journal to Kafka. */
  | 'moved'
  /** What is there is an unfinished copy. Running the command that began it again finishes it. */
  | 'unfinished_copy'

export class JournalError extends Error {
  readonly code: JournalErrorCode
  /** Range of readable offsets; only with `offset_out_of_range`. */
  readonly range: { readonly start: number; readonly end: number } | undefined
  constructor(
    code: JournalErrorCode,
    detail: string,
    options?: ErrorOptions & { range?: { start: number; end: number } },
  ) {
    super(`${code}: ${detail}`, options)
    this.name = 'JournalError'
    this.code = code
    this.range = options?.range
  }
}

/** Returns the log start if an error says that retention has deleted the record at `offset`; undefined for other errors. */
export function startPast(offset: number, error: unknown): number | undefined {
  const start = error instanceof JournalError ? error.range?.start : undefined
  return start !== undefined && start > offset ? start : undefined
}

const passing: ReadonlySet<JournalErrorCode> = new Set(['unavailable', 'full', 'outcome_unknown', 'fenced'])
/** Tells whether the caller may recover by claiming again, reading the committed state and continuing from it. */
export const isPassing = (error: unknown): error is JournalError =>
  error instanceof JournalError && passing.has(error.code)

/** Tells whether a read asked for records that are no longer kept, or not written yet. */
export const isOutOfRange = (error: unknown): error is JournalError =>
  error instanceof JournalError && error.code === 'offset_out_of_range'

/** Largest value that every adapter takes: Kafka's default message.max.bytes, less room for the envelope. */
export const MAX_RECORD_BYTES = 1_000_000
/** Largest record key. LMDB keys end at 1,978 bytes, and the embedded journal indexes compacted topics by them. */
export const MAX_KEY_BYTES = 1_024
/** Largest size of all headers of a record together. */
export const MAX_HEADER_BYTES = 32_768
