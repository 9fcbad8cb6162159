/**
 * The port to a Kafka client: single requests, each sent once, to the node that is responsible. Code above this port decides
 * what is retried, in which order, and what a failure means, once for every client (`retry.ts`, `partition-writer.ts`,
 * `transactional-producer.ts`, `reader.ts`).
 */
import type { PartitionAddress } from '../journal.ts'

export type ProducerIdentity = { readonly producerId: bigint; readonly epoch: number }
export type OpenTransaction = ProducerIdentity & { readonly transactionalId: string }

export type FetchOptions = {
  readonly maxBytes: number
  /** Longest that the node holds the answer back while there is nothing new; 0: it answers at once. */
  readonly waitMs: number
  /** `committed`: up to the last stable offset, with the list of aborted transactions. `all`: up to the high watermark. */
  readonly isolation: 'committed' | 'all'
}

export type Fetched = {
  /** Record batches, from the one that contains the offset. The last may be cut off. */
  readonly bytes: Buffer
  /** Aborted transactions: readers skip the producer's records in `bytes` from `firstOffset` to its abort marker. */
  readonly aborted: readonly { readonly producerId: bigint; readonly firstOffset: number }[]
  readonly lastStableOffset: number
}

/** A separate connection for fetches, so that a waiting fetch delays no other request. */
export interface Lane {
  /** Throws KafkaFailure `OFFSET_OUT_OF_RANGE` below the log start and above the high watermark. */
  fetch(address: PartitionAddress, offset: number, options: FetchOptions): Promise<Fetched>
  /** Closes the connection. Requests under way fail. */
  close(): void
}

export type NewTopic = {
  readonly partitions: number
  readonly replicas: number
  readonly settings: Readonly<Record<string, string>>
}

/** `replicas` is the number of the partition that has the fewest. */
export type TopicShape = { readonly partitions: number; readonly replicas: number }

/** Client of a cluster. Every call throws KafkaFailure. */
export interface KafkaClient extends Lane {
  openLane(): Lane
  nodeCount(): Promise<number>
  /** Returns undefined if there is no such topic. Throws while a partition has no leader. */
  shapeOf(topic: string): Promise<TopicShape | undefined>
  settingsOf(topic: string, names: readonly string[]): Promise<Readonly<Record<string, string>>>
  /** Throws `TOPIC_ALREADY_EXISTS`. */
  createTopic(name: string, topic: NewTopic): Promise<void>
  /** `null` makes an idempotent producer without transactions. A transactional id fences its earlier producer. */
  initProducer(transactionalId: string | null, transactionTimeoutMs: number): Promise<ProducerIdentity>
  /** Writes one sealed record batch with acks=all. Returns the offset of its first record. */
  produce(address: PartitionAddress, batch: Buffer, transactionalId: string | null): Promise<number>
  joinTransaction(transaction: OpenTransaction, addresses: readonly PartitionAddress[]): Promise<void>
  commitTransaction(transaction: OpenTransaction): Promise<void>
  /** Deletes all records before an offset, which becomes the log start. Kafka refuses it for compacted topics. */
  deleteRecords(address: PartitionAddress, before: number): Promise<void>
  /**
   * `start`: the log start. `end`: the last stable offset. `written`: the high watermark. A new leader may not know yet how
   * much its predecessor has acknowledged. Until it does, this call fails, whereas a fetch is answered with too low an end.
   */
  offsetOf(address: PartitionAddress, edge: 'start' | 'end' | 'written'): Promise<number>
  /**
   * Offset of the first record before the last stable offset whose time is at or after `time` (UTC ms); undefined if there
   * is none. It may be that of a transaction's marker, whose time is the node's, or of a record that readers never see.
   */
  offsetForTime(address: PartitionAddress, time: number): Promise<number | undefined>
}

/**
 * A failed request.
 * - `unreachable`: the request was not sent. Its `type` is `CLOSED` once the client is closed.
 * - `unanswered`: the request may have been sent, and no answer came. It may be done, not done, or done later.
 * - `refused`: the node answered with an error; `type` is Kafka's name for it.
 */
export class KafkaFailure extends Error {
  override readonly name = 'KafkaFailure'
  readonly kind: 'unreachable' | 'unanswered' | 'refused'
  readonly type: string
  constructor(kind: KafkaFailure['kind'], type: string, detail: string, options?: ErrorOptions) {
    super(`${type}: ${detail}`, options)
    this.kind = kind
    this.type = type
  }
}
