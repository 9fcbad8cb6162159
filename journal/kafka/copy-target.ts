/**
 * Kafka as the target of a journal's copy, offset for offset (docs/decisions/0040-journal-copy.md). Fillers take the offsets
 * that have no record in the source. The ends of the target's partitions say how far the copy has come.
 */
import type { Generation } from '../../contracts/generations.ts'
import type { CopyRequest, CopyTarget } from '../copy.ts'
import { CopyRefusedError, type SourceSide, termsOf } from '../copy-terms.ts'
import {
  type Batch,
  type ClaimState,
  type PartitionAddress,
  partitionKey,
  type StoredRecord,
  type TopicSettings,
} from '../journal.ts'
import { KafkaCatalog } from './catalog.ts'
import { type KafkaClient, KafkaFailure } from './client.ts'
import { batchesAt } from './copy-batches.ts'
import { type CopyRow, Ledger, newJournal, ownTopics } from './ledger.ts'
import { openClient } from './open-client.ts'
import type { KafkaJournalOptions } from './options.ts'
import { PartitionWriter } from './partition-writer.ts'
import { Reader } from './reader.ts'
import { countOf } from './record-batch.ts'
import { deadlineIn, retryUntil, toJournalError } from './retry.ts'
import { exists } from './topics-on-record.ts'

const COPY_TIMEOUT_MS = 60_000
const BATCH_BYTES = 4 * 1024 * 1024

/**
 * Starts or continues the copy of a journal, and creates the topics. Throws CopyRefusedError, `unavailable` and
 * `topic_mismatch`.
 */
export async function openCopyTarget(options: KafkaJournalOptions, request: CopyRequest): Promise<CopyTarget> {
  const client = await openClient(options)
  try {
    const { source, topics, registry, begin } = request
    const own = ownTopics(options.prefix)
    const [ledger, ledgerTopic] = [new Ledger(client, own.ledger), own.ledger]
    const there = (await exists(client, ledgerTopic, deadlineIn(COPY_TIMEOUT_MS)))
      ? await ledger.journal(deadlineIn(COPY_TIMEOUT_MS))
      : undefined
    let copy = source.copy
    const terms = termsOf(source, there, registry)
    if (terms === 'begin') {
      await assertEmpty(client, topics)
      copy = { id: await begin(), to: '' }
    }
    const catalog = new KafkaCatalog(client, options.log)
    // After a finished copy the topics belong to the journal. Creating a deleted one again would hide that it is lost.
    if (terms !== 'done') await catalog.ensure({ ...own.settings, ...topics })
    // `termsOf` throws if the source names no copy, unless the terms are `begin`, which has just set it.
    const { id } = copy as { id: string }
    const row = await ledger.change(ledgerTopic, deadlineIn(COPY_TIMEOUT_MS), (found) => {
      const terms = termsOf({ ...source, copy }, found, registry)
      const run = (found?.copy?.run ?? 0) + 1
      return terms === 'done' ? undefined : { row: newJournal(source.id, { id, run, registry }) }
    })
    const parts = { client, catalog, ledger, ledgerTopic, topics: Object.keys(topics), id: source.id }
    return new KafkaCopyTarget({ ...parts, copy: row.copy as CopyRow })
  } catch (error) {
    client.close()
    throw toJournalError(error)
  }
}

/**
 * Takes the copy away from any run that may still be under way, so that none can finish it. Throws CopyRefusedError if the
 * copy is finished or is not on this Kafka.
 */
export async function stopCopy(options: KafkaJournalOptions, source: SourceSide): Promise<void> {
  const client = await openClient(options)
  try {
    const { ledger: topic } = ownTopics(options.prefix)
    const isNotHere = () =>
      new CopyRefusedError(`the copy of journal ${source.id} is not on this Kafka; it was at ${source.copy?.to}`)
    if (!(await exists(client, topic, deadlineIn(COPY_TIMEOUT_MS)))) throw isNotHere()
    await new Ledger(client, topic).change(topic, deadlineIn(COPY_TIMEOUT_MS), (found) => {
      if (!found?.copy || found.copy.id !== source.copy?.id) throw isNotHere()
      if (found.copy.ends) throw new CopyRefusedError('the copy is finished, and may have newer records already')
      return { row: newJournal(found.id, { ...found.copy, run: found.copy.run + 1 }) }
    })
  } catch (error) {
    throw toJournalError(error)
  } finally {
    client.close()
  }
}

type Parts = {
  readonly client: KafkaClient
  readonly catalog: KafkaCatalog
  readonly ledger: Ledger
  readonly ledgerTopic: string
  readonly topics: readonly string[]
  /** Id of the journal. */
  readonly id: string
  /** The copy's row as this run wrote it. */
  readonly copy: CopyRow
}

class KafkaCopyTarget implements CopyTarget {
  readonly isFinished: boolean
  readonly #parts: Parts
  readonly #reader: Reader
  readonly #writers = new Map<string, PartitionWriter>()

  constructor(parts: Parts) {
    this.isFinished = parts.copy.ends !== undefined
    this.#parts = parts
    this.#reader = new Reader(parts.client, undefined)
  }

  end(address: PartitionAddress): Promise<number> {
    return endOf(this.#parts.client, address)
  }

  async start(address: PartitionAddress): Promise<number> {
    return (await this.#reader.bounds(address)).start
  }

  async write(address: PartitionAddress, at: number, records: readonly StoredRecord[], to: number): Promise<void> {
    const { isCompacted, batchBytes } = await this.#parts.catalog.find(address)
    const writer =
      this.#writers.get(partitionKey(address)) ?? new PartitionWriter(this.#parts.client, address, COPY_TIMEOUT_MS)
    this.#writers.set(partitionKey(address), writer)
    let expected = at
    for (const batch of batchesAt(at, records, to, isCompacted, Math.min(batchBytes, BATCH_BYTES))) {
      const offset = await writer.append(batch)
      if (offset !== expected)
        throw new CopyRefusedError(
          `another program writes to ${partitionKey(address)}: the copy was appended at offset ${offset} instead of ${expected}`,
        )
      expected += countOf(batch)
    }
  }

  async read(address: PartitionAddress, offset: number): Promise<Batch> {
    const { start } = await this.#reader.bounds(address)
    return this.#reader.read(address, Math.max(offset, start))
  }

  async cut(address: PartitionAddress, start: number): Promise<void> {
    await retryUntil(() => this.#parts.client.deleteRecords(address, start), deadlineIn(COPY_TIMEOUT_MS)).catch(rethrow)
  }

  async finish(
    claims: readonly ClaimState[],
    ends: Readonly<Record<string, number>>,
    generations: readonly Generation[],
  ): Promise<void> {
    const { ledger, ledgerTopic, topics, id, copy } = this.#parts
    const rows = claims.map(({ name, epoch, positions }) => ({
      name,
      row: { epoch, transaction: 0, owner: null, positions, wrote: [] },
    }))
    const finished = { ...newJournal(id, { ...copy, ends }), generations, topics }
    await ledger
      .change(ledgerTopic, deadlineIn(COPY_TIMEOUT_MS), (found) => {
        if (found?.copy?.id !== copy.id || found.copy.run !== copy.run)
          throw new CopyRefusedError('another run has taken over the copy meanwhile, or it was cancelled')
        return found.copy.ends ? undefined : { row: finished, claims: rows }
      })
      .catch(rethrow)
  }

  close(): void {
    this.#parts.client.close()
  }
}

/** Throws CopyRefusedError if a topic has records. Without a ledger, no journal on this Kafka owns them. */
async function assertEmpty(client: KafkaClient, topics: Readonly<Record<string, TopicSettings>>): Promise<void> {
  for (const topic of Object.keys(topics)) {
    const shape = await retryUntil(() => client.shapeOf(topic), deadlineIn(COPY_TIMEOUT_MS))
    for (let partition = 0; partition < (shape?.partitions ?? 0); partition++)
      if ((await endOf(client, { topic, partition })) > 0)
        throw new CopyRefusedError(`topic ${topic} has records already`)
  }
}

const endOf = (client: KafkaClient, address: PartitionAddress): Promise<number> =>
  retryUntil(() => client.offsetOf(address, 'written'), deadlineIn(COPY_TIMEOUT_MS)).catch(rethrow)

function rethrow(error: unknown): never {
  throw error instanceof KafkaFailure ? toJournalError(error) : error
}
