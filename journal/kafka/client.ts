/**
 * What the journal needs of a Kafka client: single requests, each sent once, to the node that they belong to. What is
 * repeated, in which order and what a failure means is decided above this seam, once for every client
 * (`retry.ts`, `partition-writer.ts`, `transactional-producer.ts`, `reader.ts`).
 */
import type { PartitionAddress } from '../journal.ts'

export type ProducerIdentity = { readonly producerId: bigint; readonly epoch: number }
export type OpenTransaction = ProducerIdentity & { readonly transactionalId: string }

export type FetchOptions = {
  readonly maxBytes: number
  /** How long the node may hold the answer back until there is something new; 0: not at all. */
  readonly waitMs: number
  /** `committed`: up to the last stable offset, with the list of aborted transactions. `all`: up to the high watermark. */
  readonly isolation: 'committed' | 'all'
}

export type Fetched = {
  /** Record batches from the one that holds the offset on; the last may be cut off. */
  readonly bytes: Buffer
  /** Transactions whose records among `bytes` are to be skipped, each from its first offset to its producer's abort marker. */
  readonly aborted: readonly { readonly producerId: bigint; readonly firstOffset: number }[]
  readonly lastStableOffset: number
}

/** A connection of its own, so that a fetch that waits delays nobody. */
export interface Lane {
  /** Throws KafkaFailure `OFFSET_OUT_OF_RANGE` below the log start and above the high watermark. */
  fetch(address: PartitionAddress, offset: number, options: FetchOptions): Promise<Fetched>
  /** What is under way fails. */
  close(): void
}

export type NewTopic = {
  readonly partitions: number
  readonly replicas: number
  readonly settings: Readonly<Record<string, string>>
}

/** `replicas`: of the partition that has the fewest. */
export type TopicShape = { readonly partitions: number; readonly replicas: number }

/** Every call throws KafkaFailure. */
export interface KafkaClient extends Lane {
  openLane(): Lane
  nodeCount(): Promise<number>
  /** Undefined: no such topic. Throws while a partition has no leader. */
  shapeOf(topic: string): Promise<TopicShape | undefined>
  settingsOf(topic: string, names: readonly string[]): Promise<Readonly<Record<string, string>>>
  /** Throws `TOPIC_ALREADY_EXISTS`. */
  createTopic(name: string, topic: NewTopic): Promise<void>
  /** `null`: for an idempotent producer without transactions. Otherwise fences whoever had the id before. */
  initProducer(transactionalId: string | null, transactionTimeoutMs: number): Promise<ProducerIdentity>
  /** Writes one sealed record batch with acks=all. Returns the offset of its first record. */
  produce(address: PartitionAddress, batch: Buffer, transactionalId: string | null): Promise<number>
  joinTransaction(transaction: OpenTransaction, addresses: readonly PartitionAddress[]): Promise<void>
  commitTransaction(transaction: OpenTransaction): Promise<void>
  /** Deletes what lies before an offset, which is then the log start. Not of compacted topics. */
  deleteRecords(address: PartitionAddress, before: number): Promise<void>
  /**
   * `start`: the log start. `end`: the last stable offset. `written`: the high watermark. Unlike a fetch, which may be
   * answered by a new leader that doesn't know yet how much its predecessor has acknowledged, this fails meanwhile.
   */
  offsetOf(address: PartitionAddress, edge: 'start' | 'end' | 'written'): Promise<number>
}

/**
 * - `unreachable`: never sent; of type `CLOSED` once the client is closed.
 * - `unanswered`: sent, or perhaps sent, and no answer came: done, not done, or yet to be done.
 * - `refused`: the node said no; `type` is Kafka's name of the error.
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
