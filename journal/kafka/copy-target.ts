/**
 * Kafka as the place that a journal is copied to, offset for offset (docs/decisions/0206). An offset that the journal has
 * left out is left out by an aborted transaction: nobody sees its records, and its marker takes one offset itself. How far
 * the copy has come is what is there.
 */
import type { CopiedClaim, CopyTarget } from '../copy.ts'
import { JournalError, type NewRecord, type PartitionAddress, placeOf, type TopicSettings } from '../journal.ts'
import { Catalog } from './catalog.ts'
import { type KafkaClient, KafkaFailure, type OpenTransaction } from './client.ts'
import { fillerBatch, MOST_FILLERS } from './filler.ts'
import { Ledger, ownTopics } from './ledger.ts'
import { openClient } from './open-client.ts'
import type { KafkaJournalOptions } from './options.ts'
import { PartitionWriter } from './partition-writer.ts'
import { countOf, encodeBatches, sealBatch } from './record-batch.ts'
import { forMs, isPassing, type Patience, persist, toJournalError } from './retry.ts'
import { TransactionFailure } from './transactional-producer.ts'

const PATIENCE_MS = 60_000
/** How long fillers may wait for their abort if the copy is killed: nothing behind them can be read meanwhile. */
const TRANSACTION_TIMEOUT_MS = 30_000
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Begins the copy of the journal `id`, or goes on with it, and makes the topics. Throws `unavailable`, `topic_mismatch`,
 * and an Error if what is there is another journal.
 */
export async function openCopyTarget(
  options: KafkaJournalOptions,
  id: string,
  topics: Readonly<Record<string, TopicSettings>>,
): Promise<CopyTarget> {
  const client = await openClient(options)
  try {
    const catalog = new Catalog(client, options.log)
    const own = ownTopics(options.prefix)
    await catalog.ensure(own.settings)
    const ledger = new Ledger(client, own.ledger)
    await catalog.ensure(topics)
    if (!(await ledger.isFounded(forMs(PATIENCE_MS)).catch(rethrow))) await mustBeEmpty(client, topics)
    const found = await ledger.beginCopy(id, own.ledger, forMs(PATIENCE_MS)).catch(rethrow)
    if (found.id !== id) throw new OccupiedTargetError(`${own.ledger} is of another journal, ${found.id}`)
    return new KafkaCopyTarget({ client, catalog, ledger, id, prefix: options.prefix }, found.isFinished)
  } catch (error) {
    client.close()
    throw error
  }
}

/** What is on Kafka is no copy of the journal, or has been written to by somebody else. */
export class OccupiedTargetError extends Error {
  override readonly name = 'OccupiedTargetError'
}

type Parts = {
  readonly client: KafkaClient
  readonly catalog: Catalog
  readonly ledger: Ledger
  readonly id: string
  readonly prefix: string
}
type Place = { readonly writer: PartitionWriter; readonly keyed: boolean; transaction: OpenTransaction | undefined }

class KafkaCopyTarget implements CopyTarget {
  readonly isFinished: boolean
  private readonly parts: Parts
  private readonly places = new Map<string, Place>()

  constructor(parts: Parts, isFinished: boolean) {
    this.parts = parts
    this.isFinished = isFinished
  }

  /** Fillers of a copy that was killed count: the hole they lie in is not full, so `skip` comes next, and ends them. */
  end(address: PartitionAddress): Promise<number> {
    return this.written(address, forMs(PATIENCE_MS))
  }

  async append(address: PartitionAddress, at: number, records: readonly NewRecord[]): Promise<void> {
    const { writer, keyed } = await this.place(address)
    let expected = at
    for (const batch of encodeBatches(records, keyed, BATCH_BYTES)) {
      const offset = await writer.append(batch)
      if (offset !== expected) throw misplaced(address, offset, expected)
      expected += countOf(batch)
    }
  }

  async skip(address: PartitionAddress, to: number, timestamp: number): Promise<void> {
    const patience = forMs(PATIENCE_MS)
    const place = await this.place(address)
    for (;;) {
      const transaction = place.transaction ?? (await this.begin(address, patience))
      const at = await this.written(address, patience)
      if (at > to) throw misplaced(address, at, to)
      if (at === to) return
      place.transaction = undefined
      try {
        await persist(() => this.parts.client.joinTransaction(transaction, [address]), patience)
        const fillers = Math.min(to - at - 1, MOST_FILLERS)
        if (fillers > 0) {
          const batch = fillerBatch(fillers, timestamp)
          sealBatch(batch, { ...transaction, sequence: 0 }, true)
          await persist(() => this.parts.client.produce(address, batch, transaction.transactionalId), patience)
        }
      } catch (error) {
        // Whatever has come of it is aborted next, and what is left of the hole is counted anew.
        if (!isPassing(error) || performance.now() > patience.until) throw toJournalError(error)
      }
    }
  }

  async cut(address: PartitionAddress, start: number): Promise<void> {
    await persist(() => this.parts.client.deleteRecords(address, start), forMs(PATIENCE_MS)).catch(rethrow)
  }

  async finish(claims: readonly CopiedClaim[]): Promise<void> {
    const { ledger, id, prefix } = this.parts
    const rows = claims.map(({ name, epoch, positions }) => ({
      name,
      row: { epoch, transaction: 0, owner: null, positions, wrote: [] },
    }))
    await ledger.finishCopy(id, rows, ownTopics(prefix).ledger, forMs(PATIENCE_MS)).catch((error) => {
      if (!(error instanceof TransactionFailure)) throw toJournalError(error)
      throw error.committing
        ? new JournalError('outcome_unknown', error.message, { cause: error })
        : toJournalError(error.cause)
    })
  }

  close(): void {
    this.parts.client.close()
  }

  private async place(address: PartitionAddress): Promise<Place> {
    const known = this.places.get(placeOf(address))
    if (known) return known
    const { isCompacted } = await this.parts.catalog.find(address)
    const writer = new PartitionWriter(this.parts.client, address, PATIENCE_MS)
    const place: Place = { writer, keyed: isCompacted, transaction: undefined }
    this.places.set(placeOf(address), place)
    return place
  }

  /** Ends what the last transaction for the partition has left open, its marker included. */
  private async begin(address: PartitionAddress, patience: Patience): Promise<OpenTransaction> {
    const place = await this.place(address)
    const { client, prefix } = this.parts
    const transactionalId = `${prefix}copy/${placeOf(address)}`
    const init = () => client.initProducer(transactionalId, TRANSACTION_TIMEOUT_MS)
    const transaction = { transactionalId, ...(await persist(init, patience).catch(rethrow)) }
    place.transaction = transaction
    return transaction
  }

  private written(address: PartitionAddress, patience: Patience): Promise<number> {
    return endOf(this.parts.client, address, patience)
  }
}

/** Records without a ledger are nobody's journal. */
async function mustBeEmpty(client: KafkaClient, topics: Readonly<Record<string, TopicSettings>>): Promise<void> {
  for (const [topic, { partitions }] of Object.entries(topics))
    for (let partition = 0; partition < partitions; partition++)
      if ((await endOf(client, { topic, partition }, forMs(PATIENCE_MS))) > 0)
        throw new OccupiedTargetError(`${topic} has records already`)
}

const endOf = (client: KafkaClient, address: PartitionAddress, patience: Patience): Promise<number> =>
  persist(() => client.offsetOf(address, 'written'), patience).catch(rethrow)

const misplaced = (address: PartitionAddress, found: number, expected: number) =>
  new OccupiedTargetError(`somebody else writes to ${placeOf(address)}: at ${found}, ${expected} expected`)

function rethrow(error: unknown): never {
  throw error instanceof KafkaFailure ? toJournalError(error) : error
}
