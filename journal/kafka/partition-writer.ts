/**
 * Appends to one partition, in order. Each append is one record batch, and only one is under way at a time: with several, a
 * retry of one may lose or duplicate others (K1). An attempt without an answer is retried with the same sequence number. If
 * Kafka has the batch already, it recognises the number and returns the batch's offset.
 *
 * There is one exception: Kafka forgets a producer whose records are older than `producer.id.expiration.ms` (a day). After a
 * restart the node would write such a retry again. So a retry first looks for the batch in the log.
 */
import { JournalError, type PartitionAddress } from '../journal.ts'
import { type KafkaClient, KafkaFailure, type ProducerIdentity } from './client.ts'
import { batchesIn, countOf, sealBatch } from './record-batch.ts'
import { deadlineIn, type RetryDeadline, retryUntil, toJournalError } from './retry.ts'

const LAST_SEQUENCE = 2 ** 30

const FIND_BYTES = 1_000_000

/** The producer and its next sequence number. `end` is a lower bound of the next batch's offset. */
type Writing = ProducerIdentity & { readonly sequence: number; readonly end: number }

export class PartitionWriter {
  readonly #client: KafkaClient
  readonly #address: PartitionAddress
  readonly #patienceMs: number
  #producer: Writing | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: KafkaClient, address: PartitionAddress, patienceMs: number) {
    this.#client = client
    this.#address = address
    this.#patienceMs = patienceMs
  }

  /** Returns the offset of the first record. Throws `unavailable`, `outcome_unknown` or `record_too_large`. */
  append(batch: Buffer): Promise<number> {
    const deadline = deadlineIn(this.#patienceMs)
    const appended = this.#last.then(() => this.#send(batch, deadline))
    // The caller gets the failure; the next append only waits for this one to end.
    this.#last = appended.catch(() => undefined)
    return appended
  }

  /** Resolves once all appends so far have succeeded or failed. */
  async settled(): Promise<void> {
    await this.#last
  }

  async #send(batch: Buffer, deadline: RetryDeadline): Promise<number> {
    const producer = await this.#identify(deadline)
    sealBatch(batch, producer, false)
    let isInDoubt = false
    try {
      const produce = async () => {
        const found = isInDoubt ? await this.#find(producer) : undefined
        return found ?? this.#client.produce(this.#address, batch, null)
      }
      const offset = await retryUntil(produce, deadline, (failure) => {
        isInDoubt ||= leavesDoubt(failure)
      })
      const [sequence, end] = [producer.sequence + countOf(batch), offset + countOf(batch)]
      this.#producer = sequence < LAST_SEQUENCE ? { ...producer, sequence, end } : undefined
      return offset
    } catch (error) {
      // This append may have used its sequence number. Kafka would take another batch with that number for a retry and
      // drop it.
      this.#producer = undefined
      if (!isInDoubt) throw toJournalError(error)
      const { topic, partition } = this.#address
      throw new JournalError('outcome_unknown', `append to ${topic}/${partition}`, { cause: error })
    }
  }

  async #identify(deadline: RetryDeadline): Promise<Writing> {
    if (this.#producer) return this.#producer
    const init = async () => {
      const [identity, end] = await Promise.all([
        this.#client.initProducer(null, 0),
        this.#client.offsetOf(this.#address, 'end'),
      ])
      return { ...identity, sequence: 0, end }
    }
    return retryUntil(init, deadline).catch((error) => {
      throw toJournalError(error)
    })
  }

  /** Returns the offset of the batch with the producer's next sequence number, or undefined if it is not in the log. */
  async #find({ producerId, epoch, sequence, end }: Writing): Promise<number | undefined> {
    const written = await this.#client.offsetOf(this.#address, 'written')
    for (let at = end; at < written; ) {
      const from = at
      const options = { maxBytes: FIND_BYTES, waitMs: 0, isolation: 'all' } as const
      const { bytes } = await this.#client.fetch(this.#address, from, options)
      for (const batch of batchesIn(bytes)) {
        if (batch.producerId === producerId && batch.epoch === epoch && batch.sequence === sequence)
          return batch.firstOffset
        at = batch.lastOffset + 1
      }
      if (at === from) throw new KafkaFailure('refused', 'OFFSET_NOT_AVAILABLE', `nothing at ${from}`)
    }
    return undefined
  }
}

/** Whether the batch may have been written, or may still be written, in spite of the failure. */
const leavesDoubt = ({ kind, type }: KafkaFailure): boolean =>
  kind === 'unanswered' ||
  type === 'REQUEST_TIMED_OUT' ||
  type === 'NOT_ENOUGH_REPLICAS_AFTER_APPEND' ||
  type === 'NETWORK_EXCEPTION' ||
  type === 'KAFKA_STORAGE_ERROR' ||
  type === 'DUPLICATE_SEQUENCE_NUMBER'
