/**
 * Kafka transactions under one transactional id. After any failure the producer must be initialised again, because the
 * failed transaction may have used sequence numbers: Kafka would take the next records for retries and commit without
 * them (K2). Initialising ends an open transaction and fences every other producer with the id.
 */
import { errorMessage } from '../../base/errors.ts'
import { type PartitionAddress, partitionKey } from '../journal.ts'
import { type KafkaClient, KafkaFailure, type OpenTransaction } from './client.ts'
import { countOf, sealBatch } from './record-batch.ts'
import { isPassingFailure, type RetryDeadline, retryUntil } from './retry.ts'

/** One batch of a transaction. A transaction may have several for a partition; they are written in order. */
export type TransactionPart = { readonly address: PartitionAddress; readonly batch: Buffer }

/**
 * Longer than a transaction is retried. If an owner dies and has no successor, Kafka ends its transaction after this time;
 * until then readers do not see later records of its partitions.
 */
const TRANSACTION_TIMEOUT_MS = 30_000
const SEQUENCES = 2 ** 31

export class TransactionFailure extends Error {
  override readonly name = 'TransactionFailure'
  /**
   * Offsets of the first record of each part, if the commit was sent and may have been performed. Undefined if it was not
   * sent.
   */
  readonly committing: readonly number[] | undefined
  override readonly cause: unknown
  constructor(cause: unknown, committing: readonly number[] | undefined) {
    super(`transaction: ${errorMessage(cause)}`)
    this.cause = cause
    this.committing = committing
  }

  /** Whether it may help to initialise the id again and then read what was committed. */
  get isPassing(): boolean {
    return (
      isPassingFailure(this.cause) ||
      isShutOut(this.cause) ||
      (this.committing !== undefined && isUnexplained(this.cause))
    )
  }
}

/**
 * Whether the id must be initialised again: another producer has fenced this one, the transaction has timed out, or Kafka
 * has forgotten the producer.
 */
export const isShutOut = (error: unknown): boolean => error instanceof KafkaFailure && ending.has(error.type)

/**
 * Whether the failure is UNKNOWN_SERVER_ERROR. Among other cases, Kafka 4 answers it to a commit while it is fencing the
 * producer.
 */
export const isUnexplained = (error: unknown): boolean =>
  error instanceof KafkaFailure && error.type === 'UNKNOWN_SERVER_ERROR'

const ending = new Set([
  'INVALID_PRODUCER_EPOCH',
  'PRODUCER_FENCED',
  'INVALID_PRODUCER_ID_MAPPING',
  'INVALID_TXN_STATE',
  'UNKNOWN_PRODUCER_ID',
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'TRANSACTION_ABORTABLE',
])

export class TransactionalProducer {
  readonly #client: KafkaClient
  readonly #transactionalId: string
  #producer: OpenTransaction | undefined
  readonly #sequences = new Map<string, number>()

  constructor(client: KafkaClient, transactionalId: string) {
    this.#client = client
    this.#transactionalId = transactionalId
  }

  get isReady(): boolean {
    return this.#producer !== undefined
  }

  /** Resolves once every earlier transaction of the id has ended and its markers are written. Throws KafkaFailure. */
  async initialise(deadline: RetryDeadline): Promise<void> {
    const [client, transactionalId] = [this.#client, this.#transactionalId]
    this.#producer = undefined
    this.#sequences.clear()
    const identity = await retryUntil(() => client.initProducer(transactionalId, TRANSACTION_TIMEOUT_MS), deadline)
    this.#producer = { transactionalId, ...identity }
  }

  /** Writes all parts or none. Returns the offset of the first record of each part. Throws TransactionFailure. */
  async run(parts: readonly TransactionPart[], deadline: RetryDeadline): Promise<number[]> {
    const [client, producer] = [this.#client, this.#producer]
    if (!producer) throw new Error(`${this.#transactionalId} is not initialised`)
    this.#producer = undefined
    let committing: number[] | undefined
    try {
      const byPartition = Array.from(Map.groupBy(parts, ({ address }) => partitionKey(address)).values())
      const addresses = byPartition.map(([first]) => (first as TransactionPart).address)
      await retryUntil(() => client.joinTransaction(producer, addresses), deadline)
      const offsetOf = new Map<TransactionPart, number>()
      const produce = async (group: readonly TransactionPart[]) => {
        for (const part of group) offsetOf.set(part, await this.#produce(producer, part, deadline))
      }
      await allOf(byPartition.map(produce))
      const offsets = parts.map((part) => offsetOf.get(part) as number)
      committing = offsets
      // A retry is safe: Kafka gives the same answer for a transaction that it has committed.
      await retryUntil(() => client.commitTransaction(producer), deadline)
      this.#producer = producer
      return offsets
    } catch (error) {
      throw new TransactionFailure(error, committing)
    }
  }

  async #produce(
    producer: OpenTransaction,
    { address, batch }: TransactionPart,
    deadline: RetryDeadline,
  ): Promise<number> {
    const key = partitionKey(address)
    const sequence = this.#sequences.get(key) ?? 0
    sealBatch(batch, { ...producer, sequence }, true)
    const offset = await retryUntil(() => this.#client.produce(address, batch, producer.transactionalId), deadline)
    this.#sequences.set(key, (sequence + countOf(batch)) % SEQUENCES)
    return offset
  }
}

/**
 * Works as `Promise.all`, but settles only when all promises have. No request of a failed transaction may still be under
 * way.
 */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/**
 * Returns the offset of the record that comes after `before` others, given batches and the offset of each one's first
 * record.
 */
export function offsetAfter(
  before: number,
  runs: readonly { readonly batch: Buffer; readonly first: number }[],
): number | undefined {
  let left = before
  for (const { batch, first } of runs) {
    if (left < countOf(batch)) return first + left
    left -= countOf(batch)
  }
  return undefined
}
