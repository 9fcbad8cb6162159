/**
 * The embedded journal as the target of a copy, offset for offset. Offsets without a record at the source become holes. The
 * ends of the logs say how far the copy has come, so it may be killed anywhere and goes on there.
 */
import { realpathSync } from 'node:fs'
import { makeDirectory } from '../../base/lmdb/owner.ts'
import { assertNotLost } from '../../base/lmdb/soundness.ts'
import { assertUsableFiles } from '../../base/lmdb/usable-files.ts'
import type { Generation } from '../../contracts/generations.ts'
import type { CopyRequest, CopyTarget } from '../copy.ts'
import { CopyRefusedError, termsOf } from '../copy-terms.ts'
import { type Batch, type ClaimState, type PartitionAddress, partitionKey, type StoredRecord } from '../journal.ts'
import { EmbeddedCatalog } from './catalog.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { encodeEntries, encodeOne } from './log-entry.ts'
import { readBatch } from './read-batch.ts'
import { measureRecord } from './record-body.ts'
import { FORMAT, type JournalRow, stateKey } from './store.ts'
import { type PartitionLog, type Transaction, throwIfMoved } from './transaction.ts'

/**
 * Starts or continues the copy of a journal into `dir`, and creates the topics. Until it is finished, the journal there can't
 * be opened. Throws CopyRefusedError, DamagedFileError, and the system's errors for the directory.
 */
export async function openEmbeddedCopyTarget(dir: string, request: CopyRequest): Promise<CopyTarget> {
  makeDirectory(dir)
  assertUsableFiles(dir)
  assertNotLost(dir)
  const environment = await openEnvironment({ dir: realpathSync(dir) })
  try {
    const row = await acquire(environment, request)
    const catalog = new EmbeddedCatalog(environment)
    if (!row.received?.ends) await catalog.ensure(request.topics)
    return new EmbeddedCopyTarget(environment, catalog, row)
  } catch (error) {
    await environment.close()
    throw error
  }
}

/** Returns the journal's row with the mark of this copy. Throws CopyRefusedError. */
async function acquire(environment: Environment, { source, registry, begin }: CopyRequest): Promise<JournalRow> {
  const found = environment.snapshot((store) => store.journal())
  throwIfMoved(found)
  if (found) {
    // Throws unless the row is that of this copy.
    const { received, id } = found
    termsOf(source, { id, ...(received && { copy: received }) }, registry)
    return found
  }
  termsOf(source, undefined, registry)
  const received = { id: await begin(), registry }
  const isOurs = await environment.write((tx) => {
    if (tx.store.journal()) return false
    tx.put(stateKey.journal, { format: FORMAT, id: source.id, received })
    return true
  })
  if (!isOurs) throw new CopyRefusedError('another program began a journal here at the same moment')
  return { format: FORMAT, id: source.id, received }
}

class EmbeddedCopyTarget implements CopyTarget {
  readonly isFinished: boolean
  readonly #environment: Environment
  readonly #catalog: EmbeddedCatalog
  readonly #row: JournalRow

  constructor(environment: Environment, catalog: EmbeddedCatalog, row: JournalRow) {
    this.isFinished = row.received?.ends !== undefined
    this.#environment = environment
    this.#catalog = catalog
    this.#row = row
  }

  async end(address: PartitionAddress): Promise<number> {
    const { log } = this.#catalog.find(address)
    return this.#environment.snapshot((store) => store.bounds(log).end)
  }

  async start(address: PartitionAddress): Promise<number> {
    const { log } = this.#catalog.find(address)
    return this.#environment.snapshot((store) => store.bounds(log).start)
  }

  async write(address: PartitionAddress, at: number, records: readonly StoredRecord[], to: number): Promise<void> {
    const partitionLog = this.#catalog.find(address)
    const runs = consecutive(records).map((run) => {
      const measured = run.map(measureRecord)
      return {
        from: run[0]?.offset ?? at,
        entries: partitionLog.compacted ? measured.map(encodeOne) : encodeEntries(measured),
      }
    })
    const bytes = runs.flatMap(({ entries }) => entries).reduce((sum, entry) => sum + entry.bytes.length, 0)
    const end = await this.#change((tx) => {
      const { end } = tx.boundsOf(partitionLog.log)
      if (end !== at) return end
      for (const { from, entries } of runs) {
        tx.skipTo(partitionLog.log, from)
        tx.append(partitionLog, entries)
      }
      tx.skipTo(partitionLog.log, to)
      return at
    }, bytes)
    if (end !== at)
      throw new CopyRefusedError(
        `another program writes to ${partitionKey(address)}: it ends at offset ${end} instead of ${at}`,
      )
  }

  async read(address: PartitionAddress, offset: number): Promise<Batch> {
    const logAddress = { ...address, ...this.#catalog.find(address) }
    return this.#environment.snapshot((store) =>
      readBatch(store, logAddress, Math.max(offset, store.bounds(logAddress.log).start)),
    )
  }

  async cut(address: PartitionAddress, start: number): Promise<void> {
    const { log } = this.#catalog.find(address)
    await this.#change((tx) => {
      if (tx.boundsOf(log).start < start) tx.cut(log, start)
    })
  }

  async finish(
    claims: readonly ClaimState[],
    ends: Readonly<Record<string, number>>,
    generations: readonly Generation[],
  ): Promise<void> {
    const rows = claims.map(({ name, epoch, positions }) => ({ name, epoch, moves: this.#logsOf(positions) }))
    await this.#change((tx, row) => {
      for (const { name, epoch, moves } of rows) {
        tx.putClaim(name, { epoch, beat: 0, owner: null })
        for (const { log, offset } of moves) tx.putPosition(name, log, offset)
      }
      tx.put(stateKey.journal, { ...row, generations, received: { ...row.received, ends } })
    })
  }

  close(): Promise<void> {
    return this.#environment.close()
  }

  /** Changes the copy, unless another run has finished it since. */
  async #change<T>(run: (tx: Transaction, row: JournalRow) => T, bytes = 0): Promise<T> {
    const outcome = await this.#environment.write((tx) => {
      const row = tx.store.journal()
      if (row?.received?.id !== this.#row.received?.id || row?.received?.ends) return undefined
      return { result: run(tx, row as JournalRow) }
    }, bytes)
    if (!outcome) throw new CopyRefusedError('another run has finished the copy meanwhile')
    return outcome.result
  }

  #logsOf(positions: ClaimState['positions']): (PartitionLog & { readonly offset: number })[] {
    return Object.entries(positions).map(([key, offset]) => {
      const slash = key.lastIndexOf('/')
      const address = { topic: key.slice(0, slash), partition: Number(key.slice(slash + 1)) }
      return { ...this.#catalog.find(address), offset }
    })
  }
}

/** Divides records into runs without holes between them. */
function consecutive(records: readonly StoredRecord[]): StoredRecord[][] {
  const runs: StoredRecord[][] = []
  let next = -1
  for (const record of records) {
    const run = runs.at(-1)
    if (run && record.offset === next) run.push(record)
    else runs.push([record])
    next = record.offset + 1
  }
  return runs
}
