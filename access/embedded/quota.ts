import { cancelTimer, type RunningTimer } from '../../base/time.ts'
import { AccessError } from '../error.ts'
import type { Identity } from '../identity.ts'
import { type Month, monthOf } from '../month.ts'
import type { Quota, QuotaDecision, QuotaState } from '../quota.ts'
import type { Table } from './engine.ts'
import type { AccessEnvironment } from './environment.ts'
import type { EmbeddedRevocations } from './revocations.ts'

const FIRST_RESERVATION = 4
/**
 * Interval of the sweep. A block that was not used between two sweeps is returned, so that the counts that other
 * processes see are soon exact again.
 */
const SWEEP_MS = 2_000

/** Calls of one account and month that are reserved: counted on disk, but not yet granted. */
type Block = {
  /** Key of the count on disk. */
  readonly row: string
  readonly month: Month
  readonly capacity: number
  left: number
  /** The count on disk after this process last wrote it. No call of this block lies beyond it. */
  counted: number
  /** Calls to reserve next. Doubles while calls keep coming. */
  nextSize: number
  reserving: Promise<number> | undefined
  usedSinceSweep: boolean
}

/**
 * The monthly quota in LMDB. One count for each account and month holds the calls granted, or reserved by some process. A
 * process reserves small blocks ahead of need. Once a reservation is on disk, it grants from it in memory, without waiting.
 *
 * A month's counts take some 50 bytes for each account. They are kept, as the account's history of use.
 */
export class EmbeddedQuota implements Quota {
  readonly #environment: AccessEnvironment
  readonly #revocations: EmbeddedRevocations
  readonly #counts: Table<number>
  readonly #blocks = new Map<string, Block>()
  /** Blocks of another month, which a reservation under way may still fill. */
  readonly #retired = new Set<Block>()
  readonly #writing = new Set<Promise<unknown>>()
  readonly #sweeper: RunningTimer
  #closed = false

  constructor(environment: AccessEnvironment, revocations: EmbeddedRevocations, sweepMs = SWEEP_MS) {
    this.#environment = environment
    this.#revocations = revocations
    this.#counts = environment.quota
    this.#sweeper = environment.time.every(sweepMs, () => this.sweep()).unref()
  }

  take(identity: Identity, limit: number, now: number): QuotaDecision | Promise<QuotaDecision> {
    if (this.#closed) throw new AccessError('unavailable', 'the quota is closed')
    if (this.#revocations.isRevoked(identity)) return { outcome: 'revoked', ...this.peek(identity, limit, now) }
    const block = this.#blockOf(identity.account, limit, now)
    // The plan may have become smaller since the reservation: then reserved calls may lie beyond the limit.
    if (block.counted > limit) this.#returnBlock(block)
    if (block.left > 0) return this.#grant(block, limit)
    block.counted = this.#counted(block.row)
    if (block.counted >= limit) return decision('exhausted', block, limit)
    return this.#takeReserved(block, limit)
  }

  refund({ account }: Identity, takenAt: number): void {
    if (this.#closed) return
    const block = this.#blocks.get(account)
    if (block && block.left < block.capacity && !block.reserving && isWithin(block.month, takenAt)) block.left++
    else this.#returnCalls(rowOf(account, monthOf(takenAt)), 1)
  }

  peek({ account }: Identity, limit: number, now: number): QuotaState {
    if (this.#closed) throw new AccessError('unavailable', 'the quota is closed')
    const month = monthOf(now)
    const row = rowOf(account, month)
    const block = this.#blocks.get(account)
    const used = this.#counted(row) - (block?.row === row ? block.left : 0)
    return { used, remaining: Math.max(0, limit - used), resetAt: month.end }
  }

  /** Returns the blocks that were not used since the last sweep. */
  sweep(): void {
    for (const [account, block] of this.#blocks) {
      if (block.reserving) continue
      if (block.usedSinceSweep) block.usedSinceSweep = false
      else {
        this.#blocks.delete(account)
        this.#returnBlock(block)
      }
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    cancelTimer(this.#sweeper)
    // A reservation under way may still fill a block.
    await this.#untilWritten()
    for (const block of [...this.#blocks.values(), ...this.#retired]) this.#returnBlock(block)
    await this.#untilWritten()
  }

  #blockOf(account: string, limit: number, now: number): Block {
    const known = this.#blocks.get(account)
    if (known && isWithin(known.month, now)) return known
    if (known) this.#retire(known)
    const month = monthOf(now)
    const block: Block = {
      row: rowOf(account, month),
      month,
      capacity: blockSize(limit),
      left: 0,
      counted: 0,
      nextSize: FIRST_RESERVATION,
      reserving: undefined,
      usedSinceSweep: true,
    }
    this.#blocks.set(account, block)
    return block
  }

  #grant(block: Block, limit: number): QuotaDecision {
    block.left--
    block.usedSinceSweep = true
    // Reserves more before the block is empty, so that a steady caller never waits for the disk. A failure is ignored
    // here: the next call that finds the block empty reserves again, and reports it.
    if (block.left < block.nextSize / 4 && block.nextSize > 2 * FIRST_RESERVATION) {
      this.#reserve(block, limit).catch(() => undefined)
    }
    return decision('granted', block, limit)
  }

  async #takeReserved(block: Block, limit: number): Promise<QuotaDecision> {
    while (block.left === 0) {
      const got = await this.#environment.inTime(this.#reserve(block, limit))
      if (got === 0 && block.left === 0) return decision('exhausted', block, limit)
      if (this.#closed) throw new AccessError('unavailable', 'the quota is closed')
    }
    return this.#grant(block, limit)
  }

  /** Reserves calls for a block, one reservation at a time. Resolves with their number, 0 if the month has none left. */
  #reserve(block: Block, limit: number): Promise<number> {
    block.reserving ??= this.#tracked(this.#reserveNow(block, limit))
    return block.reserving
  }

  async #reserveNow(block: Block, limit: number): Promise<number> {
    try {
      const [counted, size] = await this.#environment.write(() => {
        const counted = this.#counts.get(block.row) ?? 0
        const size = reservation(block.nextSize - block.left, limit - counted)
        if (size > 0) this.#counts.put(block.row, counted + size)
        return [counted + size, size] as const
      })
      block.left += size
      block.counted = counted
      // Near the limit a reservation gets less than it asks for. The next one then asks for little.
      block.nextSize = size < block.nextSize / 2 ? FIRST_RESERVATION : Math.min(block.capacity, block.nextSize * 2)
      return size
    } finally {
      block.reserving = undefined
      // A turn later, the calls that waited for the reservation have taken theirs.
      if (this.#retired.has(block)) this.#environment.time.soon(() => this.#retire(block))
    }
  }

  /**
   * Returns a block of a month that has passed. Calls that wait for a reservation of it may still reserve more, so it is
   * looked at until none does.
   */
  #retire(block: Block): void {
    this.#returnBlock(block)
    this.#retired.add(block)
    this.#environment.time.soon(() => {
      if (block.reserving) return
      this.#returnBlock(block)
      this.#retired.delete(block)
    })
  }

  /** Returns the unused calls of a block to the count on disk. */
  #returnBlock(block: Block): void {
    const calls = block.left
    block.left = 0
    block.nextSize = FIRST_RESERVATION
    if (calls > 0) this.#returnCalls(block.row, calls)
  }

  /**
   * Returns calls to the count on disk, with a single attempt. If it fails, the calls stay charged. If the outcome is
   * unknown, they may have been returned, and a retry could return them twice.
   */
  #returnCalls(row: string, calls: number): void {
    const given = this.#environment.write(() => {
      void this.#counts.put(row, Math.max(0, (this.#counts.get(row) ?? 0) - calls))
    })
    // The failure is ignored because it costs only the calls that stay charged.
    this.#tracked(given).catch(() => undefined)
  }

  #counted(row: string): number {
    return this.#environment.read(() => this.#counts.get(row) ?? 0)
  }

  #tracked<T>(write: Promise<T>): Promise<T> {
    const tracked = write.finally(() => this.#writing.delete(tracked))
    this.#writing.add(tracked)
    return tracked
  }

  async #untilWritten(): Promise<void> {
    // A time-out is ignored: calls that a slow write reserves or returns after it may stay charged, as after a crash.
    await this.#environment.inTime(Promise.allSettled(this.#writing)).catch(() => undefined)
  }
}

/**
 * The most calls of an account that a process reserves, so also the most that its crash leaves charged and never
 * granted. A thousandth of the month, so that the largest plans are served from memory even on slow disks.
 */
export const blockSize = (limit: number): number => Math.min(1_024, Math.max(8, Math.floor(limit / 1_000)))

/**
 * How many of the wanted calls may be reserved. The part shrinks near the limit, so that no process holds all the last calls.
 */
export const reservation = (wanted: number, room: number): number =>
  Math.min(wanted, room > 0 ? Math.max(1, Math.floor(room / 8)) : 0)

const rowOf = (account: string, month: Month): string => `${account}/${month.name}`

const isWithin = (month: Month, at: number): boolean => at >= month.start && at < month.end

const decision = (outcome: QuotaDecision['outcome'], block: Block, limit: number): QuotaDecision => {
  const used = block.counted - block.left
  return { outcome, used, remaining: Math.max(0, limit - used), resetAt: block.month.end }
}
