import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { CommitGate } from '../../base/lmdb/commit-gate.ts'
import { createForOwner, makeDirectory } from '../../base/lmdb/owner.ts'
import { assertSoundLmdb, isUnchangedSinceClose, noteClosed } from '../../base/lmdb/soundness.ts'
import { assertUsableFiles, filesOf } from '../../base/lmdb/usable-files.ts'
import type { Time } from '../../base/time.ts'
import { AccessError } from '../error.ts'
import type { TicketGrant } from '../tickets.ts'
import { STORE_TIMEOUT_MS, startStoreTimeout } from './store-timeout.ts'

const DATABASES: ReadonlySet<string> = new Set(['quota', 'revocations', 'leases', 'tickets'])

const MAP_BYTES = 256 * 1024 * 1024

/**
 * A decision that waits for the write lock. `run` decides and returns the function that tells the caller the result.
 */
type Job = {
  readonly run: () => () => void
  readonly fail: (cause: unknown) => void
}

/**
 * A ticket that can be redeemed, or the mark of one that a client has tried. `wasLate`: it was tried after its end. An
 * older release reads such a mark as an expired ticket.
 */
export type TicketRow =
  | (TicketGrant & { readonly expiresAt: number })
  | { readonly usedUntil: number; readonly wasLate?: boolean }

/**
 * The LMDB environment with the state of keys that all processes of one machine share. It has one database for each
 * concern, so that one transaction can decide over several of them. It holds key ids, never keys or their hashes.
 *
 * Writes are grouped: all writes queued when the process gets the write lock are flushed together.
 */
export class AccessEnvironment {
  /** Calls granted or reserved, by account and month. */
  readonly quota: Database<number, string>
  /** Revocation flags, by key id. */
  readonly revocations: Database<true, string>
  /** By account: the end of each lease, UTC ms, by the lease's name. */
  readonly leases: Database<Readonly<Record<string, number>>, string>
  /** Tickets, by their hashes. */
  readonly tickets: Database<TicketRow, string>
  readonly time: Time
  readonly #dir: string
  readonly #root: RootDatabase
  readonly #gate: CommitGate
  readonly #queue: Job[] = []
  #committing: Promise<void> | undefined
  #closing: Promise<void> | undefined

  /**
   * Opens the environment in `dir`. Rejects with AccessError `unavailable` if the directory cannot be used. A process
   * must not open a directory twice.
   */
  static async open(dir: string, time: Time): Promise<AccessEnvironment> {
    try {
      makeDirectory(dir)
      assertUsableFiles(dir)
      const gate = new CommitGate(join(dir, 'processes'))
      try {
        const root = await gate.exclusively(() => {
          if (!gate.hasOthers() && !isUnchangedSinceClose(dir)) assertSoundLmdb(dir, DATABASES)
          return createForOwner(filesOf(dir), () => openRoot(dir))
        })
        return await gate
          .committing(async () => new AccessEnvironment(dir, time, root, gate))
          .catch(async (error) => {
            await gate.exclusively(() => root.close())
            throw error
          })
      } catch (error) {
        gate.close()
        throw error
      }
    } catch (cause) {
      throw new AccessError('unavailable', `cannot open ${dir} (${cause instanceof Error ? cause.message : cause})`, {
        cause,
      })
    }
  }

  /** Opens the databases, and creates in one commit those that do not exist. */
  private constructor(dir: string, time: Time, root: RootDatabase, gate: CommitGate) {
    this.#dir = dir
    this.time = time
    this.#root = root
    this.#gate = gate
    this.quota = root.openDB({ name: 'quota', encoding: 'json' })
    this.revocations = root.openDB({ name: 'revocations', encoding: 'json' })
    this.leases = root.openDB({ name: 'leases', encoding: 'json' })
    this.tickets = root.openDB({ name: 'tickets', encoding: 'json' })
  }

  /** Runs `look`, which reads a database. Turns an error of LMDB into `unavailable`. */
  read<T>(look: () => T): T {
    try {
      return look()
    } catch (cause) {
      throw new AccessError('unavailable', 'the access store cannot be read', { cause })
    }
  }

  /**
   * Runs `decide` in a write transaction, which excludes all other processes. Resolves with its result once that is
   * durable, and waits as long as that takes (see `inTime`). Rejects with `unavailable`: nothing was written, or
   * the outcome is unknown.
   */
  write<T>(decide: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const fail = (cause?: unknown) =>
      reject(new AccessError('unavailable', 'the access store cannot be written', { cause }))
    const run = () => {
      try {
        // Nested in the transaction of the group: if `decide` throws, LMDB undoes only a nested transaction.
        const result = this.#root.transactionSync(decide)
        return () => resolve(result)
      } catch (cause) {
        return () => fail(cause)
      }
    }
    if (this.#closing) fail('the access store is closed')
    else {
      this.#queue.push({ run, fail })
      this.#committing ??= this.#commitQueue()
    }
    return promise
  }

  /**
   * Runs `decide` as `write` does, but for a decision that depends on the time of the call and is useless once the
   * caller has timed out. Waits at most `STORE_TIMEOUT_MS`. If its turn comes later than that, `decide` does not run.
   */
  decide<T>(decide: () => T): Promise<T> {
    const deadline = this.time.monotonic() + STORE_TIMEOUT_MS
    const write = this.write(() => {
      if (this.time.monotonic() > deadline) throw new Error('the write lock came too late for this decision')
      return decide()
    })
    return this.inTime(write)
  }

  /** Waits for `outcome`, but at most `STORE_TIMEOUT_MS`. Then it rejects with `unavailable`, and the outcome is unknown. */
  async inTime<T>(outcome: Promise<T>): Promise<T> {
    const timeout = Promise.withResolvers<never>()
    const cancel = startStoreTimeout(this.time, () =>
      timeout.reject(new AccessError('unavailable', `the access store took longer than ${STORE_TIMEOUT_MS} ms`)),
    )
    try {
      return await Promise.race([outcome, timeout.promise])
    } finally {
      cancel()
    }
  }

  /** Waits for the writes under way, and refuses later ones. */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.inTime(this.#closing)
  }

  async #end(): Promise<void> {
    await this.#committing
    try {
      await this.#gate.exclusively(async () => {
        await this.#root.close()
        if (!this.#gate.hasOthers()) noteClosed(this.#dir)
      })
    } finally {
      this.#gate.close()
    }
  }

  async #commitQueue(): Promise<void> {
    while (this.#queue.length > 0) await this.#commitGroup()
    this.#committing = undefined
  }

  async #commitGroup(): Promise<void> {
    let group: Job[] = []
    const runGroup = () => {
      group = this.#queue.splice(0)
      return group.map(({ run }) => run())
    }
    try {
      for (const tell of await this.#gate.committing(() => this.#root.transaction(runGroup))) tell()
    } catch (cause) {
      // A failed commit, as on a full disk, also rejects this second promise. Left unhandled, it would end the process.
      // The error itself is `cause`, which every caller receives below. A cast, because the types of lmdb lack
      // `commitError`.
      const { commitError } = cause as { commitError?: Promise<unknown> }
      commitError?.catch(() => undefined)
      for (const { fail } of group.length > 0 ? group : this.#queue.splice(0)) fail(cause)
    }
  }
}

function openRoot(dir: string): RootDatabase {
  const root = open({
    path: dir,
    noSubdir: false,
    mapSize: MAP_BYTES,
    maxDbs: 8,
    // Off: every visible write is durable, and a failed commit has written nothing.
    overlappingSync: false,
    // Off: batching creates promises that no code can handle when a commit fails.
    eventTurnBatching: false,
  })
  root.readerCheck()
  return root
}
