/**
 * The journal on Apache Kafka (4.0 or newer).
 *
 *   client.ts                  the port to a Kafka client                routed-client.ts  finds the responsible node
 *   kafkajs/                   a node on kafkajs                         platformatic/     a node on @platformatic/kafka
 *   record-batch.ts            Kafka's format of records                 retry.ts          what is retried, and how long
 *   partition-writer.ts        appends                                   reader.ts         reads and follows
 *   transactional-producer.ts  transactions                              catalog.ts        topics
 *   claims.ts, owned-claim.ts  ownership, transactions under a claim     heartbeats.ts     which owners are alive
 *   commit-rules.ts            how a transaction under a claim ends      ../ownership.ts   when a name may be taken
 *   ledger.ts                  the journal's id, claims, positions       options.ts        settings
 *   copy-target.ts             another journal, offset for offset        open-client.ts    picks the client
 *   contact.ts                 why a broker refuses a connection         trouble.ts        logs nodes that don't answer
 *   visible.ts                 waits until readers see what was written
 *   topics-on-record.ts        detects lost topics and foreign records
 *
 * - A write is acknowledged (acks=all) once every in-sync replica has it. With three nodes there are at least two. Kafka
 *   does not flush each write: with one node a power cut may lose the last writes, a killed process loses none.
 * - An append without an answer is retried under the same sequence number. A transaction is decided by the claim's row in
 *   the ledger. Both have `patienceMs`. `unavailable` means that nothing was written, `outcome_unknown` that it is unknown.
 * - Reading ends at the last stable offset. `transact` resolves once its records lie before that offset.
 * - Keys and headers may be as large as in the embedded journal, so that records can move between the two.
 */
import type { Generation } from '../../contracts/generations.ts'
import {
  type Batch,
  type Claim,
  type Cut,
  type EnsureOptions,
  type Journal,
  JournalError,
  type NewRecord,
  type PartitionAddress,
  type PartitionToCut,
  type Position,
  partitionKey,
  type ReadLimits,
  type ReadOptions,
  type ReadPosition,
  runOf,
  type TopicSettings,
  type ValueRun,
  type Write,
} from '../journal.ts'
import { KafkaCatalog, type Known } from './catalog.ts'
import { KafkaClaims } from './claims.ts'
import type { KafkaClient } from './client.ts'
import { kafkaCut } from './cut.ts'
import { Ledger, ownTopics } from './ledger.ts'
import { openClient } from './open-client.ts'
import type { KafkaJournalOptions } from './options.ts'
import { KafkaOwnedClaim } from './owned-claim.ts'
import { PartitionWriter } from './partition-writer.ts'
import { Reader } from './reader.ts'
import { countOf, encodeBatch, encodeBatches } from './record-batch.ts'
import { atMost, deadlineIn, toJournalError } from './retry.ts'
import { assertJournal, assertSomeTopic, ensureOnRecord } from './topics-on-record.ts'
import { offsetAfter } from './transactional-producer.ts'

const OPEN_MS = 30_000
const CUT_MS = 30_000
/** Their sum, with a claim's release before, is less than the time of a process's shutdown (`infra/lifecycle.ts`). */
const [LAST_WRITES_MS, LAST_RELEASES_MS] = [800, 1_000]
/** Largest batch of a transaction: it is answered quickly, and a reader holds a whole batch in memory. */
const TRANSACTED_BATCH_BYTES = 8 * 1024 * 1024

/**
 * Opens the journal whose topics begin with `prefix`. If there is none, creates it, or throws `no_journal` if `create` is
 * false. Throws `unavailable` after 30 s.
 */
export async function openKafkaJournal(options: KafkaJournalOptions): Promise<Journal> {
  const { prefix, claimExpiryMs: expiryMs = 8_000, patienceMs = 20_000, releaseMs = 1_200, create = true } = options
  const client = await openClient(options)
  try {
    const catalog = new KafkaCatalog(client, options.log)
    const topics = ownTopics(prefix)
    const ledger = new Ledger(client, topics.ledger)
    if (create) await catalog.ensure(topics.settings)
    else await assertJournal(client, ledger, deadlineIn(OPEN_MS))
    const { id, generations } = await ledger.identify(topics.ledger, deadlineIn(OPEN_MS)).catch((error) => {
      throw toJournalError(error)
    })
    const ours = { heartbeatTopic: topics.heartbeats, prefix, journalId: id }
    const claimsOptions = { client, ledger, ...ours, expiryMs, patienceMs, releaseMs }
    return new KafkaJournal({ id, generations }, client, catalog, new Reader(client, options.log), claimsOptions)
  } catch (error) {
    client.close()
    throw error
  }
}

class KafkaJournal implements Journal {
  readonly id: string
  readonly generations: readonly Generation[]
  readonly #client: KafkaClient
  readonly #catalog: KafkaCatalog
  readonly #reader: Reader
  readonly #claims: KafkaClaims
  readonly #patienceMs: number
  readonly #writers = new Map<string, PartitionWriter>()
  readonly #writing = new Set<Promise<void>>()
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined

  constructor(
    { id, generations }: Pick<Journal, 'id' | 'generations'>,
    client: KafkaClient,
    catalog: KafkaCatalog,
    reader: Reader,
    claims: Omit<ConstructorParameters<typeof KafkaClaims>[0], 'find'>,
  ) {
    this.id = id
    this.generations = generations
    this.#client = client
    this.#catalog = catalog
    this.#reader = reader
    this.#patienceMs = claims.patienceMs
    this.#claims = new KafkaClaims({ ...claims, find: (address) => this.#find(address) })
  }

  async ensureTopics(
    topics: Readonly<Record<string, TopicSettings>>,
    { inUse = false }: EnsureOptions = {},
  ): Promise<void> {
    this.#assertOpen()
    if (inUse) await assertSomeTopic(this.#client, Object.keys(topics), deadlineIn(OPEN_MS))
    const { ledger } = this.#claims.options
    await ensureOnRecord({ client: this.#client, catalog: this.#catalog, ledger }, topics)
  }

  append(write: Write): Promise<{ firstOffset: number }> {
    return this.#underWay(async () => {
      const address = addressOf(write)
      const batch = await this.#encode(address, write.records, (records, { isCompacted, batchBytes }) =>
        atMostBytes(batchBytes, encodeBatch(records, isCompacted)),
      )
      if (countOf(batch) === 0) return { firstOffset: (await this.#reader.bounds(address)).end }
      return { firstOffset: await this.#writerOf(address).append(batch) }
    })
  }

  transact(claim: Claim, writes: readonly Write[], positions: readonly Position[] = []) {
    return this.#underWay(() => this.#transactNow(claim, writes, positions))
  }

  async #transactNow(claim: Claim, writes: readonly Write[], positions: readonly Position[]) {
    if (!(claim instanceof KafkaOwnedClaim))
      throw new TypeError('the claim is of another journal adapter; claim the name on this Kafka journal')
    const groups = Array.from(Map.groupBy(writes, partitionKey).values())
    const encode = (group: readonly Write[]) =>
      this.#encode(group[0] as Write, group.flatMap(recordsOf), (records, { isCompacted, batchBytes }) =>
        encodeBatches(records, isCompacted, Math.min(batchBytes, TRANSACTED_BATCH_BYTES)),
      )
    const batches = await Promise.all(groups.map(encode))
    for (const position of positions) await this.#catalog.find(position)
    const parts = groups.flatMap((group, i) =>
      (batches[i] as Buffer[]).map((batch) => ({ group, address: addressOf(group[0] as Write), batch })),
    )
    const offsets = await claim.transact(parts, positions)
    const firsts = new Map<Write, number | undefined>()
    for (const group of groups) {
      const runs = parts
        .map((part, i) => ({ ...part, first: offsets[i] as number }))
        .filter((run) => run.group === group)
      let before = 0
      for (const write of group) {
        firsts.set(write, offsetAfter(before, runs))
        before += write.records.length
      }
    }
    const firstOf = async (write: Write) => firsts.get(write) ?? (await this.#reader.bounds(write)).end
    return Promise.all(writes.map(async (write) => ({ firstOffset: await firstOf(write) })))
  }

  async read(address: PartitionAddress, offset: number, { isWanted, ...limits }: ReadOptions = {}): Promise<Batch> {
    await this.#find(address)
    const batch = await this.#reader.read(address, offset, limits)
    return isWanted ? { ...batch, records: batch.records.filter(isWanted) } : batch
  }

  async readValues(
    address: PartitionAddress,
    offset: number,
    take: (run: ValueRun) => void,
    limits?: ReadLimits,
  ): Promise<ReadPosition> {
    const { records, next, end } = await this.read(address, offset, limits)
    if (records.length > 0) take(runOf(records))
    return { next, end }
  }

  /** Beyond the port's contract: waits while Kafka is away, and throws `closed` if the journal is closed meanwhile. */
  async *follow(
    address: PartitionAddress,
    offset: number,
    signal: AbortSignal,
    limits?: ReadLimits,
  ): AsyncGenerator<Batch> {
    await this.#find(address)
    yield* this.#reader.follow(address, offset, AbortSignal.any([signal, this.#closing.signal]), limits)
    if (!signal.aborted) this.#assertOpen()
  }

  async bounds(address: PartitionAddress): Promise<{ start: number; end: number }> {
    await this.#find(address)
    return this.#reader.bounds(address)
  }

  async offsetForTime(address: PartitionAddress, time: number): Promise<number> {
    this.#assertOpen()
    const { isCompacted } = await this.#catalog.find(address)
    return this.#reader.offsetForTime(address, time, isCompacted)
  }

  cut(partitions: readonly PartitionToCut[]): Promise<Cut> {
    return this.#underWay(async () => {
      for (const address of partitions) await this.#find(address)
      const { client, ledger } = this.#claims.options
      const deadline = { ...deadlineIn(CUT_MS), signal: this.#closing.signal }
      return kafkaCut({ client, ledger, reader: this.#reader }, partitions, deadline).catch((error) => {
        throw error instanceof JournalError ? error : toJournalError(error)
      })
    })
  }

  async claim(name: string, signal?: AbortSignal): Promise<Claim> {
    this.#assertOpen()
    const { signal: closing } = this.#closing
    return this.#claims.claim(name, signal ? AbortSignal.any([signal, closing]) : closing)
  }

  /** Does nothing: Kafka applies the retention itself. */
  async retain(): Promise<void> {
    this.#assertOpen()
  }

  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  /** Closes within 1.8 s even if Kafka is away. Work that is still under way then fails. */
  async #end(): Promise<void> {
    this.#closing.abort(new JournalError('closed', 'the journal was closed'))
    await atMost(LAST_WRITES_MS, Promise.allSettled(this.#writing))
    await atMost(LAST_RELEASES_MS, this.#claims.close())
    this.#client.close()
  }

  /** Runs work that `close` waits for. */
  #underWay<T>(work: () => Promise<T>): Promise<T> {
    const working = (async () => {
      this.#assertOpen()
      return work()
    })()
    const settled = working.then(
      () => undefined,
      () => undefined,
    )
    this.#writing.add(settled)
    settled.then(() => this.#writing.delete(settled))
    return working
  }

  #assertOpen(): void {
    this.#closing.signal.throwIfAborted()
  }

  async #find(address: PartitionAddress): Promise<void> {
    this.#assertOpen()
    await this.#catalog.find(address)
  }

  /**
   * Encodes records before the caller may change them again. For a topic that is not known yet, the records are copied
   * first, because finding its settings takes time.
   */
  async #encode<T>(
    write: PartitionAddress,
    records: readonly NewRecord[],
    encode: (records: readonly NewRecord[], topic: Known) => T,
  ): Promise<T> {
    const known = this.#catalog.recall(write)
    if (known) return encode(records, known)
    const copies = records.map((record) => ({ ...record, value: Buffer.from(record.value) }))
    return encode(copies, await this.#catalog.find(write))
  }

  #writerOf(address: PartitionAddress): PartitionWriter {
    const writer =
      this.#writers.get(partitionKey(address)) ?? new PartitionWriter(this.#client, address, this.#patienceMs)
    this.#writers.set(partitionKey(address), writer)
    return writer
  }
}

const addressOf = ({ topic, partition }: PartitionAddress): PartitionAddress => ({ topic, partition })
const recordsOf = ({ records }: Write): readonly NewRecord[] => records

/** Throws `record_too_large`. Kafka only closes the connection for a request beyond `socket.request.max.bytes`. */
function atMostBytes(most: number, batch: Buffer): Buffer {
  if (batch.length <= most) return batch
  const detail = `an append of ${batch.length} bytes; the topic takes ${most} in one append, a transaction takes any number`
  throw new JournalError('record_too_large', detail)
}
