/**
 * The journal port: Kafka's log, as far as this product needs it. Bytes in, bytes out; `topics.ts` puts the typed
 * records on top. Every adapter passes `test/contracts/journal-contract.ts`.
 *
 * Semantics shared by all adapters (they are Kafka's, so that an adapter for it changes nothing outside this room):
 * - A topic has a fixed number of partitions. Within one, offsets strictly increase and are **not dense**: a
 *   transaction leaves a hole behind it, compaction leaves holes, retention moves the start.
 * - An append is acknowledged only once it survives SIGKILL of any process.
 * - A failed write has one of three outcomes: refused (nothing written), or `outcome_unknown` (it may or may not be
 *   there: claim again and read the tail), or `fenced` (somebody newer owns the name; nothing written).
 * - Caught up means that the fetch position (`Batch.next`) has reached the end seen, not that a record with the last
 *   offset was delivered.
 */

export type PartitionAddress = { readonly topic: string; readonly partition: number }

/** As text, for maps and messages. */
export const partitionKey = ({ topic, partition }: PartitionAddress): string => `${topic}/${partition}`

/** A record to be appended. `key` decides compaction; absent keys are never compacted. */
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
  /** Where to read on; at least the offset asked for, even if no record was delivered (holes). */
  readonly next: number
  /** The end of the partition as of this read: the offset after the newest visible record or marker. */
  readonly end: number
}

/**
 * A write to one partition; all records of it get consecutive offsets, in order. But where a transaction writes more than
 * 1 MB to a partition, records that others append at the same time may lie between (Kafka takes it in several batches).
 */
export type Write = PartitionAddress & { readonly records: readonly NewRecord[] }

/** How far a claim's owner has read an input partition: the next offset to process. */
export type Position = PartitionAddress & { readonly offset: number }

export type ReadLimits = { readonly maxRecords?: number; readonly maxBytes?: number }

export type FollowOptions = ReadLimits & {
  /** How long a journal that is away is waited for before `unavailable` is thrown, ms; for ever by default. */
  readonly patienceMs?: number
}

/** What a topic is created with. A partition count never changes afterwards. */
export type TopicSettings = {
  readonly partitions: number
  /** `delete` drops records older than `retentionMs` (null: kept for ever); `compact` keeps the newest of each key. */
  readonly cleanup: 'delete' | 'compact'
  readonly retentionMs: number | null
}

export type EnsureOptions = {
  /**
   * For a journal that a service uses already: throws `no_journal` if none of the topics exists, and changes no setting of
   * those that do. Topics that only a newer release has are still created.
   */
  readonly inUse?: boolean
}

export interface Journal {
  /** Names this journal for ever, across copies and moves: cursors are bound to it. */
  readonly id: string

  /** Creates what is missing; throws `topic_mismatch` where a topic exists with another partition count. */
  ensureTopics(topics: Readonly<Record<string, TopicSettings>>, options?: EnsureOptions): Promise<void>

  /**
   * Appends in order to one partition, all or nothing; resolves once durable, with the offset of the first record.
   * Throws `unavailable` (nothing written, retry), `outcome_unknown`, `full` or `record_too_large`: what is more than a
   * topic takes at once, some MB on Kafka, is for `transact`.
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
   * One batch from `offset` on (inclusive); empty with `next === end` at the tail. At least one record is delivered if
   * one exists, whatever its size. Throws `offset_out_of_range` below the log start or above the end: never a silent jump.
   */
  read(address: PartitionAddress, offset: number, limits?: ReadLimits): Promise<Batch>

  /**
   * Batches from `offset` on, for ever, waiting at the tail; ends when `signal` aborts. The first batch comes at once,
   * even if empty, so that a follower learns the end. Throws as `read` does, also when retention passes it by; what passes is
   * waited out by adapters that can, for `patienceMs`.
   */
  follow(address: PartitionAddress, offset: number, signal: AbortSignal, options?: FollowOptions): AsyncIterable<Batch>

  /** The log start (oldest readable offset) and end (next offset to be written) of a partition. */
  bounds(address: PartitionAddress): Promise<{ readonly start: number; readonly end: number }>

  /**
   * Waits until this process owns `name`, then fences every earlier owner by a greater epoch. A dead owner's claim
   * passes on by itself; a live one's only when released. Rejects with `signal.reason` when aborted.
   */
  claim(name: string, signal?: AbortSignal): Promise<Claim>

  /** Deletes what retention allows as of `now` (UTC ms). Kafka does this by itself; a no-op there. */
  retain(now: number): Promise<void>

  close(): Promise<void>
}

/** Exclusive ownership of a name: who may run a processor or a projection. */
export interface Claim {
  readonly name: string
  /** Grows with each owner of the name: the fencing token. */
  readonly epoch: number
  /** Aborts when ownership is lost. */
  readonly lost: AbortSignal
  /** The position committed under this name by this or an earlier owner; undefined before the first. */
  position(address: PartitionAddress): Promise<number | undefined>
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
  /** A topic that the journal had is gone: on Kafka, where somebody can delete it. */
  | 'topic_lost'
  /** The topics hold records that are not known to be of this journal. */
  | 'foreign_records'
  | 'closed'
  /** There is none, and the caller did not ask to create one. */
  | 'no_journal'
  /** It is on Kafka now: `almanac journal copy` was here. */
  | 'moved'
  /** What is there is the beginning of a copy: `almanac journal copy` goes on with it. */
  | 'unfinished_copy'

export class JournalError extends Error {
  readonly code: JournalErrorCode
  /** With `offset_out_of_range`: the range that can be read. */
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

const passing: ReadonlySet<JournalErrorCode> = new Set(['unavailable', 'full', 'outcome_unknown', 'fenced'])
/** Whether it may go well for whoever claims again, reads what is on record and goes on from there, now or later. */
export const isPassing = (error: unknown): error is JournalError =>
  error instanceof JournalError && passing.has(error.code)

/** The greatest value an adapter takes (Kafka's default message.max.bytes less room for the envelope). */
export const MAX_RECORD_BYTES = 1_000_000
/** LMDB takes keys of 1,978 bytes, and the embedded journal's index of a compacted topic is made of record keys. */
export const MAX_KEY_BYTES = 1_024
/** All headers of a record together. */
export const MAX_HEADER_BYTES = 32_768
