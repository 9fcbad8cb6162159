/**
 * The journal's own state, in a compacted topic: its id, and for each claim the epoch, the owner and the input positions.
 * Kafka deletes a consumer group's offsets after a week without a member. The ledger's rows stay, are copied with the
 * journal, and tell whether a transaction was committed.
 *
 * The topic is read up to the high watermark, open transactions included. The rows of a transaction count from its commit
 * marker. A reader therefore never waits for the open transaction of another claim, as it would at the last stable offset.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessIdentity } from '../../base/process/process-identity.ts'
import type { Generation } from '../../contracts/generations.ts'
import { type Journal, JournalError, type PartitionAddress, type TopicSettings } from '../journal.ts'
import { type KafkaClient, KafkaFailure } from './client.ts'
import { batchesIn, encodeBatch } from './record-batch.ts'
import { type RetryDeadline, retryUntil } from './retry.ts'
import { isShutOut, TransactionalProducer, TransactionFailure, type TransactionPart } from './transactional-producer.ts'

/** One loaded instance of this module, with its process and machine. */
export type Owner = { readonly instance: string; readonly host: string; readonly process: ProcessIdentity }

export type LedgerClaimRow = {
  readonly epoch: number
  /** Number of the owner's transactions. */
  readonly transaction: number
  /** Null once the claim is released. */
  readonly owner: Owner | null
  /** Input positions by `topic/partition`. */
  readonly positions: Readonly<Record<string, number>>
  /** Partitions that the last transaction wrote to. The next owner waits until it sees those records. */
  readonly wrote: readonly PartitionAddress[]
}
type JournalRow = {
  readonly format: number
  readonly id: string
  /** See `Journal.generations`. Absent in the first generation. */
  readonly generations?: readonly Generation[]
  /** Topics that the journal has created or found, except its own two. Absent if an older release wrote the row. */
  readonly topics?: readonly string[]
  /** Present if the journal was copied here or is being copied. It may be opened only once the copy is finished. */
  readonly copy?: CopyRow
}

export type CopyRow = {
  /** Identifies the copy, here and at the source. */
  readonly id: string
  /** Number of the newest run. An older run that was thought dead cannot finish the copy. */
  readonly run: number
  /** Schema registry whose ids the copied values contain. */
  readonly registry: string
  /** Ends of the source's partitions when the copy was finished, by `topic/partition`. Absent until then. */
  readonly ends?: Readonly<Record<string, number>>
}

/** The layout of the rows that this code reads and writes. */
const FORMAT = 1
const JOURNAL = 'journal'
/** Topics for the journal's own state. */
export function ownTopics(prefix: string) {
  const [ledger, heartbeats] = [`${prefix}journal`, `${prefix}heartbeats`]
  const settings: Record<string, TopicSettings> = {
    [ledger]: { partitions: 1, cleanup: 'compact', retentionMs: null },
    [heartbeats]: { partitions: 1, cleanup: 'delete', retentionMs: HOUR_MS },
  }
  return { ledger, heartbeats, settings }
}
type Change = {
  readonly row: JournalRow
  readonly claims?: readonly { readonly name: string; readonly row: LedgerClaimRow }[]
}
export const newJournal = (id: string, copy?: CopyRow): JournalRow => ({ format: FORMAT, id, ...(copy && { copy }) })

const CLAIM = 'claim/'
const claimKey = (name: string) => CLAIM + name
const FETCH_BYTES = 4_000_000
const LOOK_AGAIN_MS = 5
const HOUR_MS = 3_600_000

export class Ledger {
  readonly address: PartitionAddress
  readonly #client: KafkaClient
  /** Committed rows as JSON text, decoded only when read, because most are superseded before that. */
  readonly #rows = new Map<string, Uint8Array>()
  /** Rows of open transactions by producer id. */
  readonly #undecided = new Map<bigint, Map<string, Uint8Array>>()
  #next: number | undefined
  #reading: Promise<void> = Promise.resolve()

  constructor(client: KafkaClient, topic: string) {
    this.#client = client
    this.address = { topic, partition: 0 }
  }

  /** The newest committed row of a claim. Throws KafkaFailure. */
  async claim(name: string, deadline: RetryDeadline): Promise<LedgerClaimRow | undefined> {
    await this.#catchUp(deadline)
    return this.#row<LedgerClaimRow>(claimKey(name))
  }

  /**
   * The newest committed rows of all claims, by name. `isOpen`: a transaction has changed rows and has not ended yet. Throws
   * KafkaFailure.
   */
  async claims(deadline: RetryDeadline): Promise<{ rows: ReadonlyMap<string, LedgerClaimRow>; isOpen: boolean }> {
    await this.#catchUp(deadline)
    const rows = new Map<string, LedgerClaimRow>()
    for (const key of this.#rows.keys()) {
      const row = key.startsWith(CLAIM) ? this.#row<LedgerClaimRow>(key) : undefined
      if (row) rows.set(key.slice(CLAIM.length), row)
    }
    return { rows, isOpen: this.#undecided.size > 0 }
  }

  claimPart(name: string, row: LedgerClaimRow): TransactionPart {
    return this.#part(claimKey(name), row)
  }

  /**
   * Returns the journal's id and generations. The first process that opens the journal draws the id. Throws
   * KafkaFailure, `unfinished_copy`, and an Error for another format.
   */
  async identify(transactionalId: string, deadline: RetryDeadline): Promise<Pick<Journal, 'id' | 'generations'>> {
    const {
      id,
      generations = [],
      copy,
    } = (await this.journal(deadline)) ??
    (await this.change(transactionalId, deadline, (row) =>
      row ? undefined : { row: { ...newJournal(randomUUID()), topics: [] } },
    ))
    if (!copy || copy.ends) return { id, generations }
    throw new JournalError('unfinished_copy', `${this.address.topic} is an unfinished copy of journal ${id}`)
  }

  /**
   * Returns the journal's row, or undefined if neither a journal nor a copy has been begun here. Throws as `identify`
   * does.
   */
  async journal(deadline: RetryDeadline): Promise<JournalRow | undefined> {
    await this.#catchUp(deadline)
    const row = this.#row<JournalRow>(JOURNAL)
    if (row && row.format !== FORMAT)
      throw new Error(`the journal has format ${row.format}; this release reads ${FORMAT}`)
    return row
  }

  /**
   * Changes the journal's row, and claims with it, in one atomic step. `decide` gets the row on record and returns the
   * change, or undefined for none; it may be called several times. Returns the row after the change. Throws KafkaFailure
   * and the errors of `decide`.
   */
  async change(
    transactionalId: string,
    deadline: RetryDeadline,
    decide: (row: JournalRow | undefined) => Change | undefined,
  ): Promise<JournalRow> {
    for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, 1_000)) {
      // If several nodes race, the last to initialise its producer wins; it reads the row again before writing.
      const producer = new TransactionalProducer(this.#client, transactionalId)
      await producer.initialise(deadline)
      const found = await this.journal(deadline)
      const change = decide(found)
      if (!change && found) return found
      if (!change) throw new Error('a journal that has no row yet needs one: `decide` returned no change')
      const claims = (change.claims ?? []).map(({ name, row }) => this.claimPart(name, row))
      try {
        await producer.run([...claims, this.#part(JOURNAL, change.row)], deadline)
        await this.#untilCounted(JSON.stringify(change.row), deadline)
        return change.row
      } catch (error) {
        if (!(error instanceof TransactionFailure)) throw error
        // The transaction may have been committed: the next round reads the row and finds out.
        if ((!isShutOut(error.cause) && !error.committing) || performance.now() > deadline.until) throw error.cause
        // Nodes that go on at once would shut each other out again. An abort is thrown by the next round.
        await sleep(Math.random() * pauseMs, undefined, { signal: deadline.signal }).catch(() => undefined)
      }
    }
  }

  /**
   * Waits for the commit marker. Kafka answers a commit before it writes the marker, and other readers ignore the row
   * until then.
   */
  async #untilCounted(row: string, deadline: RetryDeadline): Promise<void> {
    for (;;) {
      await this.#catchUp(deadline)
      const open = Array.from(this.#undecided.values(), (rows) => rows.get(JOURNAL))
      if (!open.some((text) => text && Buffer.from(text).toString() === row)) return
      if (performance.now() > deadline.until)
        throw new JournalError('unavailable', `${this.address.topic} does not show the committed row yet`)
      await sleep(LOOK_AGAIN_MS, undefined, { signal: deadline.signal })
    }
  }

  #row<R>(key: string): R | undefined {
    const text = this.#rows.get(key)
    // Only `part` writes rows.
    return text && (JSON.parse(Buffer.from(text).toString()) as R)
  }

  #part(key: string, row: object): TransactionPart {
    const value = Buffer.from(JSON.stringify(row))
    return { address: this.address, batch: encodeBatch([{ key, value, timestamp: Date.now(), headers: {} }], true) }
  }

  /** Reads at least up to the high watermark at the time of the call. */
  async #catchUp(deadline: RetryDeadline): Promise<void> {
    const read = this.#reading.then(() => this.#readOn(deadline))
    // The caller gets the failure below; the next read only waits for this one to end.
    this.#reading = read.catch(() => undefined)
    await read
  }

  async #readOn(deadline: RetryDeadline): Promise<void> {
    const end = await retryUntil(() => this.#client.offsetOf(this.address, 'written'), deadline)
    this.#next ??= await retryUntil(() => this.#client.offsetOf(this.address, 'start'), deadline)
    while (this.#next < end) {
      const from: number = this.#next
      const options = { maxBytes: FETCH_BYTES, waitMs: 0, isolation: 'all' } as const
      const read = async () => {
        this.#take((await this.#client.fetch(this.address, from, options)).bytes, from)
        if (this.#next === from) throw new KafkaFailure('refused', 'OFFSET_NOT_AVAILABLE', `nothing at ${from}`)
      }
      await retryUntil(read, deadline).catch((error) => {
        // Compaction never causes this. An operator has shortened the log, so it is read again from its start.
        if (error instanceof KafkaFailure && error.type === 'OFFSET_OUT_OF_RANGE') this.#forget()
        throw error
      })
    }
  }

  #forget(): void {
    this.#next = undefined
    this.#rows.clear()
    this.#undecided.clear()
  }

  #take(bytes: Buffer, from: number): void {
    for (const batch of batchesIn(bytes)) {
      if (batch.lastOffset < from) continue
      this.#next = batch.lastOffset + 1
      if (batch.marker) {
        if (batch.marker === 'commit') this.#settle(this.#undecided.get(batch.producerId))
        this.#undecided.delete(batch.producerId)
        continue
      }
      const rows = new Map<string, Uint8Array>()
      for (const { record } of batch.records()) if (record.key !== null) rows.set(record.key, record.value)
      if (!batch.isTransactional) this.#settle(rows)
      else this.#undecided.set(batch.producerId, new Map([...(this.#undecided.get(batch.producerId) ?? []), ...rows]))
    }
  }

  #settle(rows: ReadonlyMap<string, Uint8Array> | undefined): void {
    for (const [key, row] of rows ?? []) this.#rows.set(key, row)
  }
}
