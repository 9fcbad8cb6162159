/**
 * Appends to one partition, in order, each append as one record batch, one at a time (K1: with several under way a client
 * that repeats one of them loses and doubles others). An attempt without an answer is repeated with the same sequence
 * number until Kafka answers: it recognises a batch that it has, and says where it is.
 *
 * But it knows a producer by the times of its records: when they are older than `producer.id.expiration.ms` (a day), a
 * node that is started again has forgotten it and takes the repeat for news. So what may be there is looked for first.
 */
import { JournalError, type PartitionAddress } from '../journal.ts'
import { type KafkaClient, KafkaFailure, type ProducerIdentity } from './client.ts'
import { batchesIn, countOf, sealBatch } from './record-batch.ts'
import { forMs, type Patience, persist, toJournalError } from './retry.ts'

const LAST_SEQUENCE = 2 ** 30

const FIND_BYTES = 1_000_000

/** `end`: an offset that the next batch can't lie below. */
type Writing = ProducerIdentity & { readonly sequence: number; readonly end: number }

export class PartitionWriter {
  private readonly client: KafkaClient
  private readonly address: PartitionAddress
  private readonly patienceMs: number
  private producer: Writing | undefined
  private last: Promise<unknown> = Promise.resolve()

  constructor(client: KafkaClient, address: PartitionAddress, patienceMs: number) {
    this.client = client
    this.address = address
    this.patienceMs = patienceMs
  }

  /** Returns the offset of the first record. Throws `unavailable`, `outcome_unknown` or `record_too_large`. */
  append(batch: Buffer): Promise<number> {
    const patience = forMs(this.patienceMs)
    const appended = this.last.then(() => this.send(batch, patience))
    this.last = appended.catch(() => undefined)
    return appended
  }

  /** Resolves once everything asked for so far has been done or has failed. */
  async settled(): Promise<void> {
    await this.last
  }

  private async send(batch: Buffer, patience: Patience): Promise<number> {
    const producer = await this.identify(patience)
    sealBatch(batch, producer, false)
    let isInDoubt = false
    try {
      const produce = async () => {
        const found = isInDoubt ? await this.find(producer) : undefined
        return found ?? this.client.produce(this.address, batch, null)
      }
      const offset = await persist(produce, patience, (failure) => {
        isInDoubt ||= leavesDoubt(failure)
      })
      const [sequence, end] = [producer.sequence + countOf(batch), offset + countOf(batch)]
      this.producer = sequence < LAST_SEQUENCE ? { ...producer, sequence, end } : undefined
      return offset
    } catch (error) {
      // The next append must not take a number that this one may have used: to Kafka it would be a repeat, and be dropped.
      this.producer = undefined
      if (!isInDoubt) throw toJournalError(error)
      const { topic, partition } = this.address
      throw new JournalError('outcome_unknown', `append to ${topic}/${partition}`, { cause: error })
    }
  }

  private async identify(patience: Patience): Promise<Writing> {
    if (this.producer) return this.producer
    const init = async () => {
      const [identity, end] = await Promise.all([
        this.client.initProducer(null, 0),
        this.client.offsetOf(this.address, 'end'),
      ])
      return { ...identity, sequence: 0, end }
    }
    return persist(init, patience).catch((error) => {
      throw toJournalError(error)
    })
  }

  /** The offset of the batch that has the producer's next sequence number, if it is in the log. */
  private async find({ producerId, epoch, sequence, end }: Writing): Promise<number | undefined> {
    const written = await this.client.offsetOf(this.address, 'written')
    for (let at = end; at < written; ) {
      const from = at
      const options = { maxBytes: FIND_BYTES, waitMs: 0, isolation: 'all' } as const
      const { bytes } = await this.client.fetch(this.address, from, options)
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

/** Whether the batch may have been, or may yet be, written although we were not told so. */
const leavesDoubt = ({ kind, type }: KafkaFailure): boolean =>
  kind === 'unanswered' ||
  type === 'REQUEST_TIMED_OUT' ||
  type === 'NOT_ENOUGH_REPLICAS_AFTER_APPEND' ||
  type === 'NETWORK_EXCEPTION' ||
  type === 'KAFKA_STORAGE_ERROR' ||
  type === 'DUPLICATE_SEQUENCE_NUMBER'
