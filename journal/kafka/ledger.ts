/**
 * What the journal knows about itself, in a compacted topic of its own: its id, and for each claim its epoch, its owner
 * and how far that has come. Unlike a consumer group's offsets, which Kafka forgets after a week without a member, this
 * stays, is copied with the journal, and tells of a transaction whether it was committed.
 *
 * The topic is read as it is written, transactions that are still open included, and each transaction's rows count from
 * its commit marker on: so nobody waits for the open transaction of another claim, as one would at the last stable offset.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessIdentity } from '../../base/lmdb/process-identity.ts'
import { JournalError, type PartitionAddress, type TopicSettings } from '../journal.ts'
import { type KafkaClient, KafkaFailure } from './client.ts'
import { batchesIn, encodeBatch } from './record-batch.ts'
import { type Patience, persist } from './retry.ts'
import { isShutOut, TransactionalProducer, TransactionFailure, type TransactionPart } from './transactional-producer.ts'

/** This module in a process on a machine. */
export type Owner = { readonly instance: string; readonly host: string; readonly process: ProcessIdentity }

export type LedgerClaimRow = {
  readonly epoch: number
  /** Counts the owner's transactions. */
  readonly transaction: number
  /** Null: released. */
  readonly owner: Owner | null
  /** By `topic/partition`. */
  readonly positions: Readonly<Record<string, number>>
  /** The partitions that the last transaction wrote to: whoever comes next must see what it wrote. */
  readonly wrote: readonly PartitionAddress[]
}
type JournalRow = {
  readonly format: number
  readonly id: string
  /** Those that it has made or found, all but its own two. Absent: not on record yet. */
  readonly topics?: readonly string[]
  /** It was copied here, or is being: nobody may open it before that is finished. */
  readonly copy?: CopyRow
}

export type CopyRow = {
  /** Names the copy, here and at the source. */
  readonly id: string
  /** Each run takes the next number: one that was thought dead can't finish it afterwards. */
  readonly run: number
  /** Which schema registry the copied values name their schemas in. */
  readonly registry: string
  /** Where the source's partitions ended when it was finished, by `topic/partition`. Absent: it isn't. */
  readonly ends?: Readonly<Record<string, number>>
}

/** The layout of the rows that this code reads and writes. */
const FORMAT = 1
const JOURNAL = 'journal'
/** The topics that the journal has for itself. */
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

const claimKey = (name: string) => `claim/${name}`
const FETCH_BYTES = 4_000_000
const LOOK_AGAIN_MS = 5
const HOUR_MS = 3_600_000

export class Ledger {
  readonly address: PartitionAddress
  private readonly client: KafkaClient
  /** As JSON text: most are superseded before anybody asks for them. */
  private readonly rows = new Map<string, Uint8Array>()
  private readonly undecided = new Map<bigint, Map<string, Uint8Array>>()
  private next: number | undefined
  private reading: Promise<void> = Promise.resolve()

  constructor(client: KafkaClient, topic: string) {
    this.client = client
    this.address = { topic, partition: 0 }
  }

  /** The newest committed row of a claim. Throws KafkaFailure. */
  async claim(name: string, patience: Patience): Promise<LedgerClaimRow | undefined> {
    await this.catchUp(patience)
    return this.row<LedgerClaimRow>(claimKey(name))
  }

  claimPart(name: string, row: LedgerClaimRow): TransactionPart {
    return this.part(claimKey(name), row)
  }

  /**
   * The journal's id; the first who opens the journal gives it one. Throws KafkaFailure, `unfinished_copy`, an Error for
   * another format.
   */
  async identify(transactionalId: string, patience: Patience): Promise<string> {
    const { id, copy } =
      (await this.journal(patience)) ??
      (await this.change(transactionalId, patience, (row) =>
        row ? undefined : { row: { ...newJournal(randomUUID()), topics: [] } },
      ))
    if (!copy || copy.ends) return id
    throw new JournalError('unfinished_copy', `${this.address.topic} is the beginning of a copy of journal ${id}`)
  }

  /** Undefined: no journal, nor the copy of one, has been begun here. Throws as `identify` does. */
  async journal(patience: Patience): Promise<JournalRow | undefined> {
    await this.catchUp(patience)
    const row = this.row<JournalRow>(JOURNAL)
    if (row && row.format !== FORMAT) throw new Error(`the journal has format ${row.format}; this code knows ${FORMAT}`)
    return row
  }

  /**
   * Changes the journal's row, and claims with it, as `decide` says of what is there, with nobody else in between. It may be
   * asked several times; undefined: as it is. Returns the row as it then is. Throws what `decide` throws, KafkaFailure.
   */
  async change(
    transactionalId: string,
    patience: Patience,
    decide: (row: JournalRow | undefined) => Change | undefined,
  ): Promise<JournalRow> {
    for (;;) {
      // Of several that come at once, the last to initialise writes, after having looked once more.
      const producer = new TransactionalProducer(this.client, transactionalId)
      await producer.initialise(patience)
      const found = await this.journal(patience)
      const change = decide(found)
      if (!change && found) return found
      if (!change) throw new Error('a journal is to be begun by a row')
      const claims = (change.claims ?? []).map(({ name, row }) => this.claimPart(name, row))
      try {
        await producer.run([...claims, this.part(JOURNAL, change.row)], patience)
        await this.untilCounted(JSON.stringify(change.row), patience)
        return change.row
      } catch (error) {
        if (!(error instanceof TransactionFailure)) throw error
        // What may have been done is looked at by the next round.
        if ((!isShutOut(error.cause) && !error.committing) || performance.now() > patience.until) throw error.cause
      }
    }
  }

  /** A commit is answered before its marker is written, and without that the row doesn't count for others. */
  private async untilCounted(row: string, patience: Patience): Promise<void> {
    for (;;) {
      await this.catchUp(patience)
      const open = Array.from(this.undecided.values(), (rows) => rows.get(JOURNAL))
      if (!open.some((text) => text && Buffer.from(text).toString() === row)) return
      if (performance.now() > patience.until)
        throw new JournalError('unavailable', `${this.address.topic} does not show yet what was written to it`)
      await sleep(LOOK_AGAIN_MS, undefined, { signal: patience.signal })
    }
  }

  private row<R>(key: string): R | undefined {
    const text = this.rows.get(key)
    return text && (JSON.parse(Buffer.from(text).toString()) as R)
  }

  private part(key: string, row: object): TransactionPart {
    const value = Buffer.from(JSON.stringify(row))
    return { address: this.address, batch: encodeBatch([{ key, value, timestamp: Date.now(), headers: {} }], true) }
  }

  /** Reads to the end as of now or later. */
  private async catchUp(patience: Patience): Promise<void> {
    const read = this.reading.then(() => this.readOn(patience))
    this.reading = read.catch(() => undefined)
    await read
  }

  private async readOn(patience: Patience): Promise<void> {
    const end = await persist(() => this.client.offsetOf(this.address, 'written'), patience)
    this.next ??= await persist(() => this.client.offsetOf(this.address, 'start'), patience)
    while (this.next < end) {
      const from: number = this.next
      const options = { maxBytes: FETCH_BYTES, waitMs: 0, isolation: 'all' } as const
      const read = async () => {
        this.take((await this.client.fetch(this.address, from, options)).bytes, from)
        if (this.next === from) throw new KafkaFailure('refused', 'OFFSET_NOT_AVAILABLE', `nothing at ${from}`)
      }
      await persist(read, patience).catch((error) => {
        // Compaction never does that; whoever shortened the log wants it read anew.
        if (error instanceof KafkaFailure && error.type === 'OFFSET_OUT_OF_RANGE') this.forget()
        throw error
      })
    }
  }

  private forget(): void {
    this.next = undefined
    this.rows.clear()
    this.undecided.clear()
  }

  private take(bytes: Buffer, from: number): void {
    for (const batch of batchesIn(bytes)) {
      if (batch.lastOffset < from) continue
      this.next = batch.lastOffset + 1
      if (batch.marker) {
        if (batch.marker === 'commit') this.settle(this.undecided.get(batch.producerId))
        this.undecided.delete(batch.producerId)
        continue
      }
      const rows = new Map<string, Uint8Array>()
      for (const { record } of batch.records()) if (record.key !== null) rows.set(record.key, record.value)
      if (!batch.isTransactional) this.settle(rows)
      else this.undecided.set(batch.producerId, new Map([...(this.undecided.get(batch.producerId) ?? []), ...rows]))
    }
  }

  private settle(rows: ReadonlyMap<string, Uint8Array> | undefined): void {
    for (const [key, row] of rows ?? []) this.rows.set(key, row)
  }
}
