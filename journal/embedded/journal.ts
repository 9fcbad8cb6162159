/**
 * The journal in one LMDB environment: durable, shared by the processes of one machine, without a server.
 *
 *   store.ts              databases and their keys              log-entry.ts     entries: one record or a batch
 *   environment.ts        opening, snapshots, group commit      record-body.ts   encoding of a record
 *   transaction.ts        the writing side of the store         read-batch.ts    reading one batch
 *   catalog.ts            topics                                failures.ts      meaning of a failed commit
 *   claims.ts             ownership, epochs, heartbeats         tail.ts          waiting for commits
 *   time-index.ts         the offset of a time
 *   journal-soundness.ts  check for damage at the opening       check.ts         the same check beside writers
 *   cut.ts                a consistent moment                   copy-target.ts   target of a copy
 *                                                               copy-source.ts   source of a copy to another journal
 *
 * `base/lmdb/` holds the parts shared with the access store, which is an LMDB environment too: opening while other
 * processes commit, telling whether a process still runs, checking files for damage.
 *
 * - Acknowledged means flushed to disk. A record is flushed before any reader sees it.
 * - A transaction takes one more offset in each partition it writes, as Kafka's transaction marker does.
 * - Compaction is immediate: a newer record of a key removes the older one in the same commit.
 * - Retention deletes from the oldest record on by the records' own times, and stops at the first that must stay.
 */
import { resolve } from 'node:path'
import { assertNotLost } from '../../base/lmdb/soundness.ts'
import { assertUsableFiles, hasData } from '../../base/lmdb/usable-files.ts'
import { nextTurn } from '../../base/time.ts'
import type { Generation } from '../../contracts/generations.ts'
import {
  type Batch,
  type Claim,
  type Cut,
  type EnsureOptions,
  type Journal,
  JournalError,
  type PartitionAddress,
  type PartitionToCut,
  type Position,
  type ReadLimits,
  type ReadOptions,
  type ReadPosition,
  type TopicSettings,
  type ValueRun,
  type Write,
} from '../journal.ts'
import { EmbeddedCatalog } from './catalog.ts'
import { checkClaim, EmbeddedClaims, EmbeddedOwnedClaim } from './claims.ts'
import { embeddedCut } from './cut.ts'
import { type Environment, type EnvironmentOptions, openEnvironment } from './environment.ts'
import { encodeEntries, encodeOne, type NewEntry } from './log-entry.ts'
import { readBatch, readValueRuns } from './read-batch.ts'
import { measureRecord } from './record-body.ts'
import { FORMAT, FORMAT_WITHOUT_BATCHES, type JournalRow, stateKey } from './store.ts'
import { searchTime } from './time-index.ts'
import { type PartitionLog, type Transaction, throwIfMoved, throwIfUnfinished } from './transaction.ts'

export type EmbeddedJournalOptions = EnvironmentOptions & {
  /** Time without a heartbeat after which a standby takes over a process's claims. It beats five times as often. */
  readonly claimExpiryMs?: number
  /** Opens the journal for reading even if it has been moved. */
  readonly evenIfMoved?: boolean
  /** False: throws `no_journal` if there is no journal, and creates nothing. */
  readonly create?: boolean
}

/**
 * Opens the journal in `dir`, creating it if there is none. Several processes may have it open at once, each of them
 * several times. Throws `moved`, `unfinished_copy`, `no_journal`, DamagedFileError, and the system's errors for the directory (EACCES,
 * EROFS).
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
    const { format } = row
    if (format !== FORMAT && format !== FORMAT_WITHOUT_BATCHES) {
      const readable = `formats ${FORMAT_WITHOUT_BATCHES} and ${FORMAT}`
      throw new Error(`${options.dir} has format ${format}; this release reads ${readable}`)
    }
    throwIfUnfinished(row, options.dir)
    if (!evenIfMoved) throwIfMoved(row)
    return new EmbeddedJournal(row, environment, claimExpiryMs)
  } catch (error) {
    await environment.close()
    throw error
  }
}

const noJournalIn = (dir: string) => new JournalError('no_journal', `there is no journal in ${resolve(dir)}`)

function createJournal(environment: Environment): Promise<JournalRow> {
  return environment.write((tx) => {
    const row = tx.store.journal() ?? { format: FORMAT, id: environment.time.uuid() }
    tx.put(stateKey.journal, row)
    return row
  })
}

class EmbeddedJournal implements Journal {
  readonly id: string
  readonly generations: readonly Generation[]
  readonly #environment: Environment
  readonly #catalog: EmbeddedCatalog
  readonly #claims: EmbeddedClaims
  readonly #closing = new AbortController()
  #closed: Promise<void> | undefined

  constructor({ id, generations = [] }: JournalRow, environment: Environment, claimExpiryMs: number) {
    this.id = id
    this.generations = generations
    this.#environment = environment
    this.#catalog = new EmbeddedCatalog(environment)
    this.#claims = new EmbeddedClaims(environment, (address) => this.#find(address), claimExpiryMs)
  }

  async ensureTopics(topics: Readonly<Record<string, TopicSettings>>, options?: EnsureOptions): Promise<void> {
    this.#assertOpen()
    await this.#catalog.ensure(topics, options)
  }

  async append(write: Write): Promise<{ firstOffset: number }> {
    const { log, entries, bytes } = this.#prepare(write)
    const append = (tx: Transaction) => {
      tx.assertNotMoved()
      return tx.append(log, entries)
    }
    return { firstOffset: await this.#environment.write(append, bytes) }
  }

  async transact(claim: Claim, writes: readonly Write[], positions: readonly Position[] = []) {
    const prepared = writes.map((write) => this.#prepare(write))
    const moves = positions.map((position) => ({ ...this.#catalog.find(position), offset: position.offset }))
    const bytes = prepared.reduce((sum, write) => sum + write.bytes, 0)
    try {
      return await this.#environment.write((tx) => {
        tx.assertNotMoved()
        checkClaim(tx, claim)
        const appended = prepared.map(({ log, entries }) => ({ firstOffset: tx.append(log, entries) }))
        const written = new Set(prepared.filter(({ entries }) => entries.length > 0).map(({ log }) => log.log))
        for (const log of written) tx.leaveHole(log)
        for (const { log, offset } of moves) tx.putPosition(claim.name, log, offset)
        return appended
      }, bytes)
    } catch (error) {
      const spent = error instanceof JournalError && (error.code === 'fenced' || error.code === 'outcome_unknown')
      if (spent && claim instanceof EmbeddedOwnedClaim) claim.lose(error)
      throw error
    }
  }

  async read(address: PartitionAddress, offset: number, options?: ReadOptions): Promise<Batch> {
    const { batch } = this.#look(address, offset, options)
    // A reader that is behind reads on at once. Yields, so that other work gets a turn of the event loop in between.
    if (batch.next < batch.end) await nextTurn(this.#environment.time)
    return batch
  }

  async readValues(
    address: PartitionAddress,
    offset: number,
    take: (run: ValueRun) => void,
    limits?: ReadLimits,
  ): Promise<ReadPosition> {
    const logAddress = { ...address, ...this.#find(address) }
    const progress = this.#environment.snapshot((store) => readValueRuns(store, logAddress, offset, take, limits))
    // Yields for the same reason as in `read`.
    if (progress.next < progress.end) await nextTurn(this.#environment.time)
    return progress
  }

  /** As the port says. Also throws `closed` when the journal is closed while the follower runs. */
  async *follow(
    address: PartitionAddress,
    offset: number,
    signal: AbortSignal,
    limits?: ReadLimits,
  ): AsyncGenerator<Batch> {
    const { log } = this.#find(address)
    const ending = AbortSignal.any([signal, this.#closing.signal])
    for (let at = offset, isFirst = true; !signal.aborted; isFirst = false) {
      const { batch, commits } = this.#look(address, at, limits)
      if (isFirst || batch.next > at) {
        yield batch
        at = batch.next
        // Yields for the same reason as in `read`.
        if (at < batch.end) await nextTurn(this.#environment.time)
      } else {
        await this.#environment.tail.wait(log, commits, ending, (store) => store.bounds(log).end !== at)
      }
    }
  }

  async bounds(address: PartitionAddress): Promise<{ start: number; end: number }> {
    const { log } = this.#find(address)
    return this.#environment.snapshot((store) => store.bounds(log))
  }

  async offsetForTime(address: PartitionAddress, time: number): Promise<number> {
    const logAddress = { ...address, ...this.#find(address) }
    for (let at = 0; ; await nextTurn(this.#environment.time)) {
      const search = this.#environment.snapshot((store) => searchTime(store, logAddress, at, time))
      if ('found' in search) return search.found
      at = search.next
    }
  }

  async cut(partitions: readonly PartitionToCut[]): Promise<Cut> {
    const found = partitions.map((address) => ({ ...address, ...this.#find(address) }))
    return this.#environment.snapshot((store) => embeddedCut(store, found))
  }

  async claim(name: string, signal?: AbortSignal): Promise<Claim> {
    this.#assertOpen()
    const { signal: closing } = this.#closing
    return this.#claims.claim(name, signal ? AbortSignal.any([signal, closing]) : closing)
  }

  /** Deletes one batch per transaction, so that writers never wait long. */
  async retain(now: number): Promise<void> {
    this.#assertOpen()
    this.#environment.forgetDeadReaders()
    for (const { name: topic, row } of this.#environment.snapshot((store) => store.topics())) {
      if (row.cleanup !== 'delete' || row.retentionMs === null) continue
      for (let partition = 0; partition < row.partitions; partition++)
        while (await this.#cutOnce({ topic, partition }, now - row.retentionMs)) this.#assertOpen()
    }
  }

  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    this.#closing.abort(new JournalError('closed', 'the journal was closed'))
    await this.#claims.close()
    await this.#environment.close()
  }

  #assertOpen(): void {
    this.#closing.signal.throwIfAborted()
  }

  #find(address: PartitionAddress): PartitionLog {
    this.#assertOpen()
    return this.#catalog.find(address)
  }

  #prepare(write: Write): { log: PartitionLog; entries: readonly NewEntry[]; bytes: number } {
    const log = this.#find(write)
    const measured = write.records.map(measureRecord)
    // Compaction removes single records, so each has an entry of its own.
    const entries = log.compacted ? measured.map(encodeOne) : encodeEntries(measured)
    return { log, entries, bytes: entries.reduce((sum, { bytes }) => sum + bytes.length, 0) }
  }

  #look(address: PartitionAddress, offset: number, options?: ReadOptions): { batch: Batch; commits: number } {
    const logAddress = { ...address, ...this.#find(address) }
    return this.#environment.snapshot((store) => ({
      batch: readBatch(store, logAddress, offset, options),
      commits: store.commits(),
    }))
  }

  /** Deletes up to a batch of records older than `horizon` from a log's start. Returns false once there is no more. */
  async #cutOnce(address: PartitionAddress, horizon: number): Promise<boolean> {
    const { log } = this.#find(address)
    const { start } = await this.bounds(address)
    const batch = await this.read(address, start).catch((error: unknown) => {
      // Another process has moved the log start meanwhile.
      if (error instanceof JournalError && error.code === 'offset_out_of_range') return undefined
      throw error
    })
    if (batch === undefined) return true
    const { records } = batch
    const kept = records.findIndex(({ timestamp }) => timestamp >= horizon)
    const doomed = kept < 0 ? records : records.slice(0, kept)
    if (doomed.length === 0) return false
    // A hole after the last record stays in range, because a reader's position may be the offset of that hole.
    const next = records[kept]?.offset ?? (doomed.at(-1)?.offset ?? start) + 1
    await this.#environment.write((tx) => {
      // Another process may have deleted them already.
      if (tx.boundsOf(log).start === start) tx.cut(log, next)
    })
    return kept < 0
  }
}
