/**
 * The journal in one LMDB environment: durable, shared by the processes of one machine, no server.
 *
 *   store.ts            the databases and their keys            envelope.ts         a record as bytes
 *   environment.ts      opening, snapshots, group commit        failures.ts         what a failed commit means
 *   transaction.ts      what a write may do                     read-batch.ts       what a read does
 *   catalog.ts          topics                                  tail.ts             waiting for commits
 *   claims.ts           ownership, epochs, heartbeats       copy-source.ts      being copied elsewhere
 *   journal-soundness.ts  whether its records fit together
 *
 * What it shares with the access store, which is an LMDB environment too, is in `base/lmdb/`: opening beside others' commits,
 * whether a process still runs, whether files are damaged.
 *
 * - Acknowledged means flushed to disk; what is visible to anyone has been flushed before.
 * - A transaction takes one offset more in each partition it writes, as Kafka's marker does.
 * - Compaction is immediate: writing a key's newer record removes the older one in the same commit.
 * - Retention goes by the records' own times from the oldest on, and stops at the first that may stay.
 */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { assertNotLost } from '../../base/lmdb/soundness.ts'
import { assertUsableFiles, hasData } from '../../base/lmdb/usable-files.ts'
import {
  type Batch,
  type Claim,
  type EnsureOptions,
  type Journal,
  JournalError,
  type PartitionAddress,
  type Position,
  type ReadLimits,
  type TopicSettings,
  type Write,
} from '../journal.ts'
import { EmbeddedCatalog } from './catalog.ts'
import { checkClaim, EmbeddedClaims, EmbeddedHeldClaim } from './claims.ts'
import { encodeEnvelope } from './envelope.ts'
import { type Environment, type EnvironmentOptions, openEnvironment } from './environment.ts'
import { readBatch } from './read-batch.ts'
import { type JournalRow, stateKey } from './store.ts'
import { type Encoded, type PartitionLog, type Transaction, throwIfMoved } from './transaction.ts'

export type EmbeddedJournalOptions = EnvironmentOptions & {
  /** How long a live process may go without a heartbeat (a fifth of this) before its claims pass on. */
  readonly claimExpiryMs?: number
  /** Opens it even if it has been moved, for reading. */
  readonly evenIfMoved?: boolean
  /** False: throws `no_journal` where there is none, and creates nothing. */
  readonly create?: boolean
}

/** The layout on disk that this code reads and writes. */
const FORMAT = 1

/**
 * Opens the journal in `dir`, creating it if there is none. Several processes, and several times in each, may. Throws
 * `moved`, `no_journal`, DamagedFileError, and what the system says of a directory that can't be used (EACCES, EROFS).
 */
export async function openEmbeddedJournal({
  claimExpiryMs = 10_000,
  evenIfMoved = false,
  create = true,
  ...options
}: EmbeddedJournalOptions): Promise<Journal> {
  assertUsableFiles(options.dir)
  assertNotLost(options.dir)
  if (!create && !hasData(options.dir)) throw noJournalIn(options.dir)
  const environment = await openEnvironment(options)
  try {
    const row = environment.snapshot((store) => store.journal()) ?? (create && (await createJournal(environment)))
    if (!row) throw noJournalIn(options.dir)
    const { id, format } = row
    if (format !== FORMAT) throw new Error(`${options.dir} has format ${format}; this code knows ${FORMAT}`)
    if (!evenIfMoved) throwIfMoved(row)
    return new EmbeddedJournal(id, environment, claimExpiryMs)
  } catch (error) {
    await environment.close()
    throw error
  }
}

const noJournalIn = (dir: string) => new JournalError('no_journal', `there is no journal in ${resolve(dir)}`)

function createJournal(environment: Environment): Promise<JournalRow> {
  return environment.write((tx) => {
    const row = tx.store.journal() ?? { format: FORMAT, id: randomUUID() }
    tx.put(stateKey.journal, row)
    return row
  })
}

class EmbeddedJournal implements Journal {
  readonly id: string
  private readonly environment: Environment
  private readonly catalog: EmbeddedCatalog
  private readonly claims: EmbeddedClaims
  private readonly closing = new AbortController()
  private closed: Promise<void> | undefined

  constructor(id: string, environment: Environment, claimExpiryMs: number) {
    this.id = id
    this.environment = environment
    this.catalog = new EmbeddedCatalog(environment)
    this.claims = new EmbeddedClaims(environment, (address) => this.find(address), claimExpiryMs)
  }

  async ensureTopics(topics: Readonly<Record<string, TopicSettings>>, options?: EnsureOptions): Promise<void> {
    this.mustBeOpen()
    await this.catalog.ensure(topics, options)
  }

  async append(write: Write): Promise<{ firstOffset: number }> {
    const { log, records, bytes } = this.prepare(write)
    const append = (tx: Transaction) => {
      tx.mustBeHere()
      return tx.append(log, records)
    }
    return { firstOffset: await this.environment.write(append, bytes) }
  }

  async transact(claim: Claim, writes: readonly Write[], positions: readonly Position[] = []) {
    const prepared = writes.map((write) => this.prepare(write))
    const moves = positions.map((position) => ({ ...this.catalog.find(position), offset: position.offset }))
    const bytes = prepared.reduce((sum, write) => sum + write.bytes, 0)
    try {
      return await this.environment.write((tx) => {
        tx.mustBeHere()
        checkClaim(tx, claim)
        const appended = prepared.map(({ log, records }) => ({ firstOffset: tx.append(log, records) }))
        const written = new Set(prepared.filter(({ records }) => records.length > 0).map(({ log }) => log.log))
        for (const log of written) tx.leaveHole(log)
        for (const { log, offset } of moves) tx.putPosition(claim.name, log, offset)
        return appended
      }, bytes)
    } catch (error) {
      const spent = error instanceof JournalError && (error.code === 'fenced' || error.code === 'outcome_unknown')
      if (spent && claim instanceof EmbeddedHeldClaim) claim.lose(error)
      throw error
    }
  }

  async read(address: PartitionAddress, offset: number, limits?: ReadLimits): Promise<Batch> {
    const { batch } = this.look(address, offset, limits)
    // Whoever is behind will read on at once: let everybody else have a turn of the event loop first.
    if (batch.next < batch.end) await nextTurn()
    return batch
  }

  /** Besides what the port says: throws `closed` when the journal is closed under it. */
  async *follow(
    address: PartitionAddress,
    offset: number,
    signal: AbortSignal,
    limits?: ReadLimits,
  ): AsyncGenerator<Batch> {
    const { log } = this.find(address)
    const ending = AbortSignal.any([signal, this.closing.signal])
    for (let at = offset, isFirst = true; !signal.aborted; isFirst = false) {
      const { batch, commits } = this.look(address, at, limits)
      if (isFirst || batch.next > at) {
        yield batch
        at = batch.next
        // Whoever is behind will read on at once: let everybody else have a turn of the event loop first.
        if (at < batch.end) await nextTurn()
      } else {
        await this.environment.tail.wait(log, commits, ending, (store) => store.bounds(log).end !== at)
      }
    }
  }

  async bounds(address: PartitionAddress): Promise<{ start: number; end: number }> {
    const { log } = this.find(address)
    return this.environment.snapshot((store) => store.bounds(log))
  }

  async claim(name: string, signal?: AbortSignal): Promise<Claim> {
    this.mustBeOpen()
    const { signal: closing } = this.closing
    return this.claims.claim(name, signal ? AbortSignal.any([signal, closing]) : closing)
  }

  /** In steps of one batch each, so that writers never wait long. */
  async retain(now: number): Promise<void> {
    this.mustBeOpen()
    this.environment.forgetDeadReaders()
    for (const { name: topic, row } of this.environment.snapshot((store) => store.topics())) {
      if (row.cleanup !== 'delete' || row.retentionMs === null) continue
      for (let partition = 0; partition < row.partitions; partition++)
        while (await this.cutOnce({ topic, partition }, now - row.retentionMs)) this.mustBeOpen()
    }
  }

  close(): Promise<void> {
    this.closed ??= this.end()
    return this.closed
  }

  private async end(): Promise<void> {
    this.closing.abort(new JournalError('closed', 'the journal was closed'))
    await this.claims.close()
    await this.environment.close()
  }

  private mustBeOpen(): void {
    this.closing.signal.throwIfAborted()
  }

  private find(address: PartitionAddress): PartitionLog {
    this.mustBeOpen()
    return this.catalog.find(address)
  }

  private prepare(write: Write): { log: PartitionLog; records: Encoded[]; bytes: number } {
    const log = this.find(write)
    const records = write.records.map((record) => ({ key: record.key, bytes: encodeEnvelope(record) }))
    return { log, records, bytes: records.reduce((sum, record) => sum + record.bytes.length, 0) }
  }

  private look(address: PartitionAddress, offset: number, limits?: ReadLimits): { batch: Batch; commits: number } {
    const place = { ...address, ...this.find(address) }
    return this.environment.snapshot((store) => ({
      batch: readBatch(store, place, offset, limits),
      commits: store.commits(),
    }))
  }

  /** Deletes up to a batch of records that are older than `horizon` from the start of a log. False once there are none. */
  private async cutOnce(address: PartitionAddress, horizon: number): Promise<boolean> {
    const { log } = this.find(address)
    const { start } = await this.bounds(address)
    const batch = await this.read(address, start).catch((error: unknown) => {
      // Another process has cut more meanwhile.
      if (error instanceof JournalError && error.code === 'offset_out_of_range') return undefined
      throw error
    })
    if (batch === undefined) return true
    const { records } = batch
    const kept = records.findIndex(({ timestamp }) => timestamp >= horizon)
    const doomed = (kept < 0 ? records : records.slice(0, kept)).map(({ offset }) => offset)
    if (doomed.length === 0) return false
    await this.environment.write((tx) => {
      // Another process may have been faster. A hole behind the last record stays: readers may stand before it.
      if (tx.boundsOf(log).start === start) tx.cut(log, doomed, records[kept]?.offset ?? (doomed.at(-1) ?? start) + 1)
    })
    return kept < 0
  }
}
