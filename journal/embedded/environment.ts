/**
 * The LMDB environment of a directory. A process opens it once and shares it among its journals, because LMDB forbids a
 * second opening: that one would wait for the write lock that the same process may hold.
 *
 * Group commit: all writes requested until this process gets the write lock go into one transaction and one flush.
 * Waiting for the lock and flushing happen off the event loop.
 */
import { realpathSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { CommitGate } from '../../base/lmdb/commit-gate.ts'
import { createForOwner, makeDirectory } from '../../base/lmdb/owner.ts'
import { isUnchangedSinceClose, noteClosed } from '../../base/lmdb/soundness.ts'
import { DamagedFileError, filesOf } from '../../base/lmdb/usable-files.ts'
import { systemTime, type Time } from '../../base/time.ts'
import { ClaimLines } from '../claim-line.ts'
import { JournalError } from '../journal.ts'
import { explainFailure } from './failures.ts'
import { assertSoundJournal, assertWithinBounds, type LogSpans } from './journal-soundness.ts'
import { openRoot, Store } from './store.ts'
import { Tail, type TailTimes } from './tail.ts'
import { Transaction } from './transaction.ts'

export type EnvironmentOptions = {
  readonly dir: string
  /** Intervals for polling commits of other processes while a caller waits at a tail. */
  readonly tail?: TailTimes
  /** Address space to reserve; costs nothing until used. If the data outgrows it, LMDB maps the file anew. */
  readonly mapSizeBytes?: number
  readonly time?: Time
}

/** LMDB's own codes for damage: MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_INVALID. */
const DAMAGE_CODES = new Set<unknown>([-30797, -30796, -30793])

/** Tells damage from other errors. A SyntaxError means that a row of the state is no JSON. */
const isDamage = (error: unknown): error is Error =>
  error instanceof SyntaxError || DAMAGE_CODES.has((error as { code?: unknown }).code)

type Job = {
  readonly run: (tx: Transaction) => unknown
  readonly bytes: number
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}
type Outcome = { readonly result: unknown } | { readonly refused: Error }

const TAIL: TailTimes = { pollMs: 10, anywayMs: 100 }

/** Size of a group of writes, which bounds how long it holds the lock and the event loop. */
const GROUP_BYTES = 4 * 1024 * 1024

/** Disk space that even a small write needs, because LMDB copies all pages on the path to a record. */
const WRITE_BYTES = 512 * 1024

const opened = new Map<string, Promise<Environment>>()

/** Opens or shares the environment of `dir`. Each call needs its own `close()`. The first caller's options apply. */
export async function openEnvironment({
  dir,
  tail = TAIL,
  mapSizeBytes = 2 ** 36,
  time = systemTime,
}: EnvironmentOptions): Promise<Environment> {
  makeDirectory(dir)
  const path = realpathSync(dir)
  for (;;) {
    const opening = opened.get(path) ?? open(path, tail, mapSizeBytes, time)
    opened.set(path, opening)
    const environment = await opening.catch((error) => {
      opened.delete(path)
      throw error
    })
    if (environment.enter()) return environment
    await environment.closed
  }
}

async function open(path: string, tail: TailTimes, mapSizeBytes: number, time: Time): Promise<Environment> {
  const gate = new CommitGate(join(path, 'processes'))
  try {
    let spans: LogSpans | undefined
    const root = await gate.exclusively(() => {
      // An environment that other processes have open was checked when the first of them opened it. Besides, the check
      // needs a file without writers.
      if (!gate.hasOthers() && !isUnchangedSinceClose(path)) spans = assertSoundJournal(path)
      return createForOwner(filesOf(path), () => openRoot(path, mapSizeBytes))
    })
    const store = await gate
      .committing(async () => {
        const store = new Store(root)
        assertWithinBounds(path, spans ?? new Map(), (log) => store.bounds(log))
        return store
      })
      .catch(async (error) => {
        await gate.exclusively(() => root.close())
        throw error
      })
    return new Environment(path, gate, store, tail, time)
  } catch (error) {
    gate.close()
    const explained = await explainFailure(error as Error, { probe: () => undefined, time, ...roomFor(path, []) })
    throw explained instanceof JournalError && explained.code === 'full' ? explained : error
  }
}

/** Facts for the message about a full disk: the directory, its free bytes, and about how much the jobs needed. */
const roomFor = (path: string, jobs: readonly Pick<Job, 'bytes'>[]) => ({
  path,
  freeBytes: () => statfsSync(path).bavail * statfsSync(path).bsize,
  wantedBytes: WRITE_BYTES + 2 * jobs.reduce((sum, { bytes }) => sum + bytes, 0),
})

export class Environment {
  /** Set once the last user has left; resolves when the environment is closed. */
  closed: Promise<void> | undefined
  readonly claimLines = new ClaimLines()
  readonly store: Store
  readonly tail: Tail
  readonly time: Time
  readonly #path: string
  readonly #gate: CommitGate
  readonly #queue: Job[] = []
  #users = 0
  #pumping: Promise<void> | undefined
  #unusable: Error | undefined

  constructor(path: string, gate: CommitGate, store: Store, times: TailTimes, time: Time) {
    this.#path = path
    this.time = time
    this.#gate = gate
    this.store = store
    this.tail = new Tail(
      (look) => this.snapshot(look),
      (onChange, onLoss) => gate.watch(onChange, onLoss),
      times,
      time,
    )
  }

  /** Adds a user. Returns false if the environment is already being closed. */
  enter(): boolean {
    if (!this.closed) this.#users++
    return !this.closed
  }

  /** Reads the newest committed state of all processes. Ends the snapshot at once, so that its pages are free. */
  snapshot<T>(look: (store: Store) => T): T {
    if (this.#unusable) throw this.#unusable
    const { root } = this.store
    root.resetReadTxn()
    try {
      return look(this.store)
    } catch (error) {
      throw isDamage(error)
        ? new DamagedFileError(`${this.#path} is damaged (${error.message})`, { cause: error })
        : error
    } finally {
      root.resetReadTxn()
    }
  }

  /**
   * Runs a job in a write transaction and resolves with its result once that is flushed. A job may refuse by throwing a
   * JournalError or DamagedFileError before its first write. Any other error rolls back the whole group. `bytes` is about what
   * it writes.
   */
  write<T>(run: (tx: Transaction) => T, bytes = 0): Promise<T> {
    if (this.#unusable) return Promise.reject(this.#unusable)
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // Cast: the queue holds jobs of different results, and each `resolve` gets only its own job's result.
    this.#queue.push({ run, bytes, resolve: resolve as (result: unknown) => void, reject })
    this.#pumping ??= this.#pump()
    return promise
  }

  /** Tells whether no other process has the environment open. */
  isAlone(): Promise<boolean> {
    return this.#gate.isAlone()
  }

  /** Frees the pages that readers of killed processes still hold. */
  forgetDeadReaders(): void {
    this.store.root.readerCheck()
  }

  async close(): Promise<void> {
    if (--this.#users > 0) return
    this.closed = this.#end()
    await this.closed
  }

  async #end(): Promise<void> {
    await this.#pumping
    this.#unusable ??= new JournalError('closed', this.#path)
    this.tail.close()
    try {
      await this.#gate.exclusively(async () => {
        await this.store.root.close()
        if (!this.#gate.hasOthers()) noteClosed(this.#path)
      })
    } finally {
      this.#gate.close()
      opened.delete(this.#path)
    }
  }

  async #pump(): Promise<void> {
    while (this.#queue.length > 0) await this.#commitGroup()
    this.#pumping = undefined
  }

  async #commitGroup(): Promise<void> {
    let group: Job[] = []
    const tx = new Transaction(this.store)
    try {
      // A child transaction, because LMDB rolls back only a child transaction when its callback throws.
      const runGroup = () => {
        group = this.#takeGroup()
        const outcomes = group.map((job) => runJob(job, tx))
        tx.finish()
        return outcomes
      }
      const outcomes = await this.#gate.committing(() => this.store.root.childTransaction(runGroup))
      for (const [i, outcome] of (outcomes as Outcome[]).entries()) {
        if ('refused' in outcome) group[i]?.reject(outcome.refused)
        else group[i]?.resolve(outcome.result)
      }
      this.tail.changed(tx.touched)
    } catch (thrown) {
      const error = await explainFailure(thrown as Error, {
        time: this.time,
        probe: () => this.snapshot((store) => store.commits()),
        ...roomFor(this.#path, group),
      })
      if (error instanceof JournalError && error.code === 'outcome_unknown') {
        this.#unusable = new JournalError('closed', 'a commit broke LMDB; the journal must be opened anew', {
          cause: error,
        })
        for (const { reject } of this.#queue.splice(0)) reject(this.#unusable)
      }
      for (const { reject } of group.length > 0 ? group : this.#queue.splice(0)) reject(error)
    }
  }

  #takeGroup(): Job[] {
    let bytes = 0
    let count = 0
    while (count < this.#queue.length && (count === 0 || bytes < GROUP_BYTES)) bytes += this.#queue[count++]?.bytes ?? 0
    return this.#queue.splice(0, count)
  }
}

function runJob({ run }: Job, tx: Transaction): Outcome {
  const before = tx.writes
  try {
    return { result: run(tx) }
  } catch (error) {
    const mayRefuse = error instanceof JournalError || error instanceof DamagedFileError
    if (mayRefuse && tx.writes === before) return { refused: error }
    throw error
  }
}
