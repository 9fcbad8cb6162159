/**
 * Kafka transactions under one transactional id. After any failure the producer is spoiled and must be initialised anew
 * (K2: sequence numbers of the failed transaction may have been used; Kafka would take the next records for repeats and
 * commit without them). Initialising ends whatever was left open and fences everybody else with the id.
 */
import { type PartitionAddress, partitionKey } from '../journal.ts'
import { type KafkaClient, KafkaFailure, type OpenTransaction } from './client.ts'
import { countOf, sealBatch } from './record-batch.ts'
import { isPassingFailure, type Patience, persist } from './retry.ts'

/** A batch of a transaction, which may have several for a partition, written in order. */
export type TransactionPart = { readonly address: PartitionAddress; readonly batch: Buffer }

/** Longer than one is tried. A dead owner's that nobody follows stands open for so long, and hides what comes after it. */
const TRANSACTION_TIMEOUT_MS = 30_000
const SEQUENCES = 2 ** 31

export class TransactionFailure extends Error {
  override readonly name = 'TransactionFailure'
  /** Of the first record of each part, if it had come to committing: it may have been done. Undefined: it was not. */
  readonly committing: readonly number[] | undefined
  override readonly cause: unknown
  constructor(cause: unknown, committing: readonly number[] | undefined) {
    super(`transaction: ${(cause as Error).message}`)
    this.cause = cause
    this.committing = committing
  }

  /** Whether initialising the id anew, and then looking what has been done, may help. */
  get isPassing(): boolean {
    return (
      isPassingFailure(this.cause) ||
      isShutOut(this.cause) ||
      (this.committing !== undefined && isUnexplained(this.cause))
    )
  }
}

/**
 * Only a producer that initialises the id (again) can go on: another one has done so since, or Kafka has ended the
 * transaction for having taken too long, or it knows the producer no more.
 */
export const isShutOut = (error: unknown): boolean => error instanceof KafkaFailure && ending.has(error.type)

/** What Kafka 4 answers to a commit that comes while it is shutting the producer out (a moment later it says so), among others. */
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
  private readonly client: KafkaClient
  private readonly transactionalId: string
  private producer: OpenTransaction | undefined
  private readonly sequences = new Map<string, number>()

  constructor(client: KafkaClient, transactionalId: string) {
    this.client = client
    this.transactionalId = transactionalId
  }

  get isReady(): boolean {
    return this.producer !== undefined
  }

  /** Resolves once every earlier transaction of the id is decided and its markers are written. Throws KafkaFailure. */
  async initialise(patience: Patience): Promise<void> {
    const { client, transactionalId } = this
    this.producer = undefined
    this.sequences.clear()
    const identity = await persist(() => client.initProducer(transactionalId, TRANSACTION_TIMEOUT_MS), patience)
    this.producer = { transactionalId, ...identity }
  }

  /** Writes all parts or nothing. Returns the offset of the first record of each. Throws TransactionFailure. */
  async run(parts: readonly TransactionPart[], patience: Patience): Promise<number[]> {
    const { client, producer } = this
    if (!producer) throw new Error(`${this.transactionalId} is not initialised`)
    this.producer = undefined
    let committing: number[] | undefined
    try {
      const byPlace = Array.from(Map.groupBy(parts, ({ address }) => partitionKey(address)).values())
      const addresses = byPlace.map(([first]) => (first as TransactionPart).address)
      await persist(() => client.joinTransaction(producer, addresses), patience)
      const offsetOf = new Map<TransactionPart, number>()
      const produce = async (ofPlace: readonly TransactionPart[]) => {
        for (const part of ofPlace) offsetOf.set(part, await this.produce(producer, part, patience))
      }
      await allOf(byPlace.map(produce))
      const offsets = parts.map((part) => offsetOf.get(part) as number)
      committing = offsets
      // Repeating is safe: Kafka answers the same for a transaction that it has committed.
      await persist(() => client.commitTransaction(producer), patience)
      this.producer = producer
      return offsets
    } catch (error) {
      throw new TransactionFailure(error, committing)
    }
  }

  private async produce(
    producer: OpenTransaction,
    { address, batch }: TransactionPart,
    patience: Patience,
  ): Promise<number> {
    const place = partitionKey(address)
    const sequence = this.sequences.get(place) ?? 0
    sealBatch(batch, { ...producer, sequence }, true)
    const offset = await persist(() => this.client.produce(address, batch, producer.transactionalId), patience)
    this.sequences.set(place, (sequence + countOf(batch)) % SEQUENCES)
    return offset
  }
}

/** As `Promise.all`, but settled only when all of them are: nothing of a failed transaction may be under way still. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** The offset of the record that comes after `before` others, in batches written at their first offsets. */
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
