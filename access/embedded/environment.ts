import { mkdirSync } from 'node:fs'
import { type Database, open, type RootDatabase } from 'lmdb'
import { AccessError } from '../error.ts'

/** How long a caller waits for another process's write, or for the disk, before it hears `unavailable`. */
const PATIENCE_MS = 2_000
const MAP_BYTES = 256 * 1024 * 1024

/**
 * The LMDB environment that holds what all processes of one machine must agree on about keys: one database a concern
 * (quota counts, revocations; later leases and tickets), so that one transaction can decide over several of them.
 * It knows key ids, never keys or their hashes.
 */
export class AccessEnvironment {
  readonly #root: RootDatabase

  /** Throws AccessError `unavailable` if the directory can't be used. A process opens a directory once. */
  constructor(dir: string) {
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      this.#root = open({
        path: dir,
        noSubdir: false,
        mapSize: MAP_BYTES,
        maxDbs: 8,
        // What is visible is then durable, and a commit that fails has written nothing.
        overlappingSync: false,
        // Batching makes promises of its own, which nobody can catch when a commit fails.
        eventTurnBatching: false,
      })
      this.#root.readerCheck()
    } catch (cause) {
      throw new AccessError('unavailable', `cannot open ${dir}`, { cause })
    }
  }

  database<V>(name: string): Database<V, string> {
    return this.read(() => this.#root.openDB<V, string>({ name, encoding: 'json' }))
  }

  /** Runs `look` at a database; what LMDB throws becomes `unavailable`. */
  read<T>(look: () => T): T {
    try {
      return look()
    } catch (cause) {
      throw new AccessError('unavailable', 'the access store cannot be read', { cause })
    }
  }

  /**
   * Runs `decide` in a write transaction, alone among all processes, and resolves with its result once that is durable.
   * Waits as long as it takes (see `inTime`). Rejects with `unavailable`: nothing was written, or nobody knows.
   */
  async write<T>(decide: () => T): Promise<T> {
    try {
      // A child transaction, because only that is undone when its callback throws.
      return await this.#root.childTransaction(decide)
    } catch (cause) {
      // A failed commit (a full disk) also rejects this second promise, which ends the process unless it is caught.
      const { commitError } = cause as { commitError?: Promise<unknown> }
      commitError?.catch(() => undefined)
      throw new AccessError('unavailable', 'the access store cannot be written', { cause })
    }
  }

  async close(): Promise<void> {
    await inTime(this.#root.close())
  }
}

/** Waits for `outcome`, but no longer than a caller should: then rejects with `unavailable`, its outcome unknown. */
export async function inTime<T>(outcome: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new AccessError('unavailable', `the access store took longer than ${PATIENCE_MS} ms`)),
    PATIENCE_MS,
  )
  try {
    return await Promise.race([outcome, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
