import type { Time } from '../../base/time.ts'
import { AccessError } from '../error.ts'
import type { AccessEngine, LeaseRow, Table, TicketRow } from './engine.ts'
import { openLmdb } from './lmdb.ts'
import { STORE_TIMEOUT_MS, startStoreTimeout } from './store-timeout.ts'

/** A decision that waits for the write lock. `run` decides and returns the function that tells the caller the result. */
type Job = {
  readonly run: () => () => void
  readonly fail: (cause: unknown) => void
}

/**
 * The state of keys that all processes of one machine share. It has one table for each concern, so that one transaction
 * can decide over several of them. It holds key ids, never keys or their hashes.
 *
 * Writes are grouped: all writes queued when the process gets the write lock are flushed together.
 */
export class AccessEnvironment {
  /** Calls granted or reserved, by account and month. */
  readonly quota: Table<number>
  /** Revocation flags, by key id. */
  readonly revocations: Table<true>
  /** Leases, by account. */
  readonly leases: Table<LeaseRow>
  /** Tickets, by their hashes. */
  readonly tickets: Table<TicketRow>
  readonly time: Time
  readonly #engine: AccessEngine
  readonly #queue: Job[] = []
  #committing: Promise<void> | undefined
  #closing: Promise<void> | undefined

  /**
   * Opens the environment in `dir`. Rejects with AccessError `unavailable` if the directory cannot be used. A process
   * must not open a directory twice.
   */
  static async open(dir: string, time: Time): Promise<AccessEnvironment> {
    return new AccessEnvironment(await openLmdb(dir), time)
  }

  constructor(engine: AccessEngine, time: Time) {
    this.time = time
    this.#engine = engine
    this.quota = engine.quota
    this.revocations = engine.revocations
    this.leases = engine.leases
    this.tickets = engine.tickets
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
   * Runs `decide` in a write transaction, which excludes all other processes. Resolves with its result once that is durable,
   * and waits as long as that takes (see `inTime`). Rejects with `unavailable`: nothing was written, or the outcome is unknown.
   */
  write<T>(decide: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const fail = (cause?: unknown) =>
      reject(new AccessError('unavailable', 'the access store cannot be written', { cause }))
    const run = () => {
      try {
        const result = this.#engine.nested(decide)
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
    await this.#engine.close()
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
      for (const tell of await this.#engine.transaction(runGroup)) tell()
    } catch (cause) {
      for (const { fail } of group.length > 0 ? group : this.#queue.splice(0)) fail(cause)
    }
  }
}
