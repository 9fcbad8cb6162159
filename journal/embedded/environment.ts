/**
 * The LMDB environment of a directory, opened once a process and shared by its journals (LMDB allows no second opening,
 * and a process that opened one while another of its writes held the lock would wait for itself).
 *
 * Writes are grouped: whatever has been asked for by the time the write lock is ours goes into one transaction and is
 * flushed once. The lock is waited for, and the flush made, off the event loop.
 */
import { realpathSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { CommitGate } from '../../base/lmdb/commit-gate.ts'
import { createForOwner, makeDirectory } from '../../base/lmdb/owner.ts'
import { isUnchangedSinceClose, noteClosed } from '../../base/lmdb/soundness.ts'
import { DamagedFileError, filesOf } from '../../base/lmdb/usable-files.ts'
import { ClaimLines } from '../claim-line.ts'
import { JournalError } from '../journal.ts'
import { explainFailure } from './failures.ts'
import { type LogSpans, mustBeSoundJournal, mustFitBounds } from './journal-soundness.ts'
import { openRoot, Store } from './store.ts'
import { Tail, type TailTimes } from './tail.ts'
import { Transaction } from './transaction.ts'

export type EnvironmentOptions = {
  readonly dir: string
  /** How other processes' commits are looked for while somebody waits. */
  readonly tail?: TailTimes
  /** Address space set aside; costs nothing until used. LMDB maps anew, rather than fail, if the data outgrows it. */
  readonly mapSizeBytes?: number
}

/** MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_INVALID: what LMDB itself notices. */
const DAMAGE_CODES = new Set<unknown>([-30797, -30796, -30793])

/** A row of the state that is no JSON is damaged, too. */
const isDamage = (error: unknown): error is Error =>
  error instanceof SyntaxError || DAMAGE_CODES.has((error as { code?: unknown }).code)

type Job = {
  readonly run: (tx: Transaction) => unknown
  readonly bytes: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}
type Outcome = { readonly result: unknown } | { readonly refused: JournalError }

const TAIL: TailTimes = { pollMs: 10, anywayMs: 100 }

/** Bounds how long a group holds the lock and the event loop. */
const GROUP_BYTES = 4 * 1024 * 1024

/** Bytes that any write takes: LMDB copies the pages on the way to each record. */
const WRITE_BYTES = 512 * 1024

const opened = new Map<string, Promise<Environment>>()

/** Each call needs its own `close()`. The options of the first opening hold. */
export async function openEnvironment({
  dir,
  tail = TAIL,
  mapSizeBytes = 2 ** 36,
}: EnvironmentOptions): Promise<Environment> {
  makeDirectory(dir)
  const path = realpathSync(dir)
  for (;;) {
    const opening = opened.get(path) ?? open(path, tail, mapSizeBytes)
    opened.set(path, opening)
    const environment = await opening.catch((error) => {
      opened.delete(path)
      throw error
    })
    if (environment.enter()) return environment
    await environment.closed
  }
}

async function open(path: string, tail: TailTimes, mapSizeBytes: number): Promise<Environment> {
  const gate = new CommitGate(join(path, 'processes'))
  try {
    let spans: LogSpans | undefined
    const root = await gate.exclusively(() => {
      // What others have open has been checked, and they may not be written beside.
      if (!gate.hasOthers() && !isUnchangedSinceClose(path)) spans = mustBeSoundJournal(path)
      return createForOwner(filesOf(path), () => openRoot(path, mapSizeBytes))
    })
    const store = await gate
      .committing(async () => {
        const store = new Store(root)
        mustFitBounds(path, spans ?? new Map(), (log) => store.bounds(log))
        return store
      })
      .catch(async (error) => {
        await gate.exclusively(() => root.close())
        throw error
      })
    return new Environment(path, gate, store, tail)
  } catch (error) {
    gate.close()
    const explained = await explainFailure(error as Error, { probe: () => undefined, ...roomFor(path, []) })
    throw explained instanceof JournalError && explained.code === 'full' ? explained : error
  }
}

/** The facts about a full disk: where, how much is free, about how much the jobs would have written. */
const roomFor = (path: string, jobs: readonly Pick<Job, 'bytes'>[]) => ({
  path,
  freeBytes: () => statfsSync(path).bavail * statfsSync(path).bsize,
  wantedBytes: WRITE_BYTES + 2 * jobs.reduce((sum, { bytes }) => sum + bytes, 0),
})

export class Environment {
  /** Set once the last user has left. */
  closed: Promise<void> | undefined
  readonly claimLines = new ClaimLines()
  readonly store: Store
  readonly tail: Tail
  private readonly path: string
  private readonly gate: CommitGate
  private readonly queue: Job[] = []
  private users = 0
  private pumping: Promise<void> | undefined
  private unusable: Error | undefined

  constructor(path: string, gate: CommitGate, store: Store, times: TailTimes) {
    this.path = path
    this.gate = gate
    this.store = store
    this.tail = new Tail(
      (look) => this.snapshot(look),
      (onChange, onLoss) => gate.watch(onChange, onLoss),
      times,
    )
  }

  /** False if it is being closed. */
  enter(): boolean {
    if (!this.closed) this.users++
    return !this.closed
  }

  /** Reads the newest committed state of all processes, and lets go of it at once: an open snapshot keeps old pages. */
  snapshot<T>(look: (store: Store) => T): T {
    if (this.unusable) throw this.unusable
    const { root } = this.store
    root.resetReadTxn()
    try {
      return look(this.store)
    } catch (error) {
      throw isDamage(error)
        ? new DamagedFileError(`${this.path} is damaged (${error.message})`, { cause: error })
        : error
    } finally {
      root.resetReadTxn()
    }
  }

  /**
   * Runs a job in a write transaction and resolves with its result once that is flushed. A job refuses by throwing a
   * JournalError before its first write; anything else it throws undoes the whole group. `bytes`: about how much it writes.
   */
  write<T>(run: (tx: Transaction) => T, bytes = 0): Promise<T> {
    if (this.unusable) return Promise.reject(this.unusable)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.queue.push({ run, bytes, resolve: resolve as (result: unknown) => void, reject })
    this.pumping ??= this.pump()
    return promise
  }

  /** Whether no other process has it open. */
  isAlone(): Promise<boolean> {
    return this.gate.isAlone()
  }

  /** Frees the pages that readers of killed processes still hold. */
  forgetDeadReaders(): void {
    this.store.root.readerCheck()
  }

  async close(): Promise<void> {
    if (--this.users > 0) return
    this.closed = this.end()
    await this.closed
  }

  private async end(): Promise<void> {
    await this.pumping
    this.unusable ??= new JournalError('closed', this.path)
    this.tail.close()
    try {
      await this.gate.exclusively(async () => {
        await this.store.root.close()
        if (!this.gate.hasOthers()) noteClosed(this.path)
      })
    } finally {
      this.gate.close()
      opened.delete(this.path)
    }
  }

  private async pump(): Promise<void> {
    while (this.queue.length > 0) await this.commitGroup()
    this.pumping = undefined
  }

  private async commitGroup(): Promise<void> {
    let group: Job[] = []
    const tx = new Transaction(this.store)
    try {
      // A child transaction, because only that is undone when its callback throws.
      const runGroup = () => {
        group = this.takeGroup()
        const outcomes = group.map((job) => runJob(job, tx))
        tx.finish()
        return outcomes
      }
      const outcomes = await this.gate.committing(() => this.store.root.childTransaction(runGroup))
      for (const [i, outcome] of (outcomes as Outcome[]).entries()) {
        if ('refused' in outcome) group[i]?.reject(outcome.refused)
        else group[i]?.resolve(outcome.result)
      }
      this.tail.changed(tx.touched)
    } catch (thrown) {
      const error = await explainFailure(thrown as Error, {
        probe: () => this.snapshot((store) => store.commits()),
        ...roomFor(this.path, group),
      })
      if (error instanceof JournalError && error.code === 'outcome_unknown') {
        this.unusable = new JournalError('closed', 'a commit broke LMDB; the journal must be opened anew', {
          cause: error,
        })
        for (const { reject } of this.queue.splice(0)) reject(this.unusable)
      }
      for (const { reject } of group.length > 0 ? group : this.queue.splice(0)) reject(error)
    }
  }

  private takeGroup(): Job[] {
    let bytes = 0
    let count = 0
    while (count < this.queue.length && (count === 0 || bytes < GROUP_BYTES)) bytes += this.queue[count++]?.bytes ?? 0
    return this.queue.splice(0, count)
  }
}

function runJob({ run }: Job, tx: Transaction): Outcome {
  const before = tx.writes
  try {
    return { result: run(tx) }
  } catch (error) {
    if (error instanceof JournalError && tx.writes === before) return { refused: error }
    throw error
  }
}
