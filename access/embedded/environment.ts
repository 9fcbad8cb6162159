import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { CommitGate } from '../../base/lmdb/commit-gate.ts'
import { makeDirectory, makingForOwner } from '../../base/lmdb/owner.ts'
import { isAsClosed, mustBeSoundLmdb, noteClosed } from '../../base/lmdb/soundness.ts'
import { filesOf, mustBeUsable } from '../../base/lmdb/usable-files.ts'
import { AccessError } from '../error.ts'
import type { TicketGrant } from '../tickets.ts'
import { afterPatience, PATIENCE_MS } from './patience.ts'

const DATABASES: ReadonlySet<string> = new Set(['quota', 'revocations', 'leases', 'tickets'])

const MAP_BYTES = 256 * 1024 * 1024

/** A decision that waits to be written: `run` makes it and answers with how to tell its caller. */
type Job = {
  readonly run: () => () => void
  readonly fail: (cause: unknown) => void
}

/**
 * A ticket that can be redeemed, or the mark of one that was tried; `wasLate`: after its end. An older release takes such a
 * mark for an expired ticket.
 */
export type TicketRow =
  | (TicketGrant & { readonly expiresAt: number })
  | { readonly usedUntil: number; readonly wasLate?: boolean }

/**
 * The LMDB environment that holds what all processes of one machine must agree on about keys: one database a concern,
 * so that one transaction can decide over several of them. It knows key ids, never keys or their hashes.
 *
 * Writes are grouped: whatever has been asked for by the time the write lock is ours is flushed once.
 */
export class AccessEnvironment {
  /** Calls granted or reserved, by key and month. */
  readonly quota: Database<number, string>
  /** By key id. */
  readonly revocations: Database<true, string>
  /** By key id: when each lease ends, UTC ms, by the lease's name. */
  readonly leases: Database<Readonly<Record<string, number>>, string>
  /** By the hash of the ticket. */
  readonly tickets: Database<TicketRow, string>
  readonly #dir: string
  readonly #root: RootDatabase
  readonly #gate: CommitGate
  readonly #queue: Job[] = []
  #pumping: Promise<void> | undefined
  #closing: Promise<void> | undefined

  /** Rejects with AccessError `unavailable` if the directory can't be used. A process opens a directory once. */
  static async open(dir: string): Promise<AccessEnvironment> {
    try {
      makeDirectory(dir)
      mustBeUsable(dir)
      const gate = new CommitGate(join(dir, 'processes'))
      try {
        const root = await gate.exclusively(() => {
          if (!gate.hasOthers() && !isAsClosed(dir)) mustBeSoundLmdb(dir, DATABASES)
          return makingForOwner(filesOf(dir), () => openRoot(dir))
        })
        return await gate
          .committing(async () => new AccessEnvironment(dir, root, gate))
          .catch(async (error) => {
            await gate.exclusively(() => root.close())
            throw error
          })
      } catch (error) {
        gate.close()
        throw error
      }
    } catch (cause) {
      throw new AccessError('unavailable', `cannot open ${dir} (${(cause as Error).message})`, { cause })
    }
  }

  /** Commits the databases that do not exist yet. */
  private constructor(dir: string, root: RootDatabase, gate: CommitGate) {
    this.#dir = dir
    this.#root = root
    this.#gate = gate
    this.quota = root.openDB({ name: 'quota', encoding: 'json' })
    this.revocations = root.openDB({ name: 'revocations', encoding: 'json' })
    this.leases = root.openDB({ name: 'leases', encoding: 'json' })
    this.tickets = root.openDB({ name: 'tickets', encoding: 'json' })
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
  write<T>(decide: () => T): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const fail = (cause?: unknown) =>
      reject(new AccessError('unavailable', 'the access store cannot be written', { cause }))
    const run = () => {
      try {
        // Nested in the group's, because only such a transaction is undone, alone, when its callback throws.
        const result = this.#root.transactionSync(decide)
        return () => resolve(result)
      } catch (cause) {
        return () => fail(cause)
      }
    }
    if (this.#closing) fail('it is closed')
    else {
      this.#queue.push({ run, fail })
      this.#pumping ??= this.#pump()
    }
    return promise
  }

  /**
   * As `write`, for a decision that is worth nothing to a caller who has stopped waiting, as it goes by the time at which
   * it was asked for: waits no longer than a caller should, and what would be decided later is not decided at all.
   */
  decide<T>(decide: () => T): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS
    const write = this.write(() => {
      if (performance.now() > deadline) throw new Error('its turn came too late')
      return decide()
    })
    return withinPatience(write)
  }

  /** Waits for the writes under way; takes no more. */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return withinPatience(this.#closing)
  }

  async #end(): Promise<void> {
    await this.#pumping
    try {
      await this.#gate.exclusively(async () => {
        await this.#root.close()
        if (!this.#gate.hasOthers()) noteClosed(this.#dir)
      })
    } finally {
      this.#gate.close()
    }
  }

  async #pump(): Promise<void> {
    while (this.#queue.length > 0) await this.#commitGroup()
    this.#pumping = undefined
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
      // A failed commit (a full disk) also rejects this second promise, which ends the process unless it is caught.
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
    // What is visible is then durable, and a commit that fails has written nothing.
    overlappingSync: false,
    // Batching makes promises of its own, which nobody can catch when a commit fails.
    eventTurnBatching: false,
  })
  root.readerCheck()
  return root
}

/** Waits for `outcome`, but no longer than a caller should: then rejects with `unavailable`, its outcome unknown. */
export async function withinPatience<T>(outcome: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const end = afterPatience(() =>
    late.reject(new AccessError('unavailable', `the access store took longer than ${PATIENCE_MS} ms`)),
  )
  try {
    return await Promise.race([outcome, late.promise])
  } finally {
    end()
  }
}
