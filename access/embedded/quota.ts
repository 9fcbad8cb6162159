import type { Database } from 'lmdb'
import { AccessError } from '../error.ts'
import type { Identity } from '../identity.ts'
import { type Month, monthOf } from '../month.ts'
import type { Quota, QuotaDecision, QuotaState } from '../quota.ts'
import { type AccessEnvironment, withinPatience } from './environment.ts'
import type { EmbeddedRevocations } from './revocations.ts'

const FIRST_RESERVATION = 4
/** A block not drawn on between two sweeps is given back, so that counts seen elsewhere are soon exact again. */
const SWEEP_MS = 2_000

/** Calls of one account and month that are counted on disk and not yet granted. */
type Block = {
  /** The count's name on disk. */
  readonly row: string
  readonly month: Month
  readonly most: number
  left: number
  /** The count on disk as of our last write to it: no call in this block is beyond it. */
  counted: number
  /** How much to reserve next: it doubles while calls keep coming. */
  appetite: number
  reserving: Promise<number> | undefined
  drawnOn: boolean
}

/**
 * The monthly quota in LMDB, one count an account and month: calls granted, or reserved by some process. A process
 * reserves small blocks ahead of need and grants from them in memory, without waiting, once the reservation is on disk.
 *
 * A month's counts are some 50 bytes an account and are kept: they are its history of use.
 */
export class EmbeddedQuota implements Quota {
  readonly #environment: AccessEnvironment
  readonly #revocations: EmbeddedRevocations
  readonly #counts: Database<number, string>
  readonly #blocks = new Map<string, Block>()
  readonly #writing = new Set<Promise<unknown>>()
  readonly #sweeper: NodeJS.Timeout
  #closed = false

  constructor(environment: AccessEnvironment, revocations: EmbeddedRevocations, sweepMs = SWEEP_MS) {
    this.#environment = environment
    this.#revocations = revocations
    this.#counts = environment.quota
    this.#sweeper = setInterval(() => this.sweep(), sweepMs).unref()
  }

  take(who: Identity, limit: number, now: number): QuotaDecision | Promise<QuotaDecision> {
    if (this.#closed) throw new AccessError('unavailable', 'the quota is closed')
    if (this.#revocations.isRevoked(who)) return { outcome: 'revoked', ...this.peek(who, limit, now) }
    const block = this.#blockOf(who.account, limit, now)
    // The plan was made smaller since: what is reserved may lie beyond it.
    if (block.counted > limit) this.#giveUp(block)
    if (block.left > 0) return this.#grant(block, limit)
    block.counted = this.#counted(block.row)
    if (block.counted >= limit) return decision('exhausted', block, limit)
    return this.#takeReserved(block, limit)
  }

  refund({ account }: Identity, takenAt: number): void {
    if (this.#closed) return
    const block = this.#blocks.get(account)
    if (block && block.left < block.most && !block.reserving && isWithin(block.month, takenAt)) block.left++
    else this.#giveBack(rowOf(account, monthOf(takenAt)), 1)
  }

  peek({ account }: Identity, limit: number, now: number): QuotaState {
    if (this.#closed) throw new AccessError('unavailable', 'the quota is closed')
    const month = monthOf(now)
    const row = rowOf(account, month)
    const held = this.#blocks.get(account)
    const used = this.#counted(row) - (held?.row === row ? held.left : 0)
    return { used, remaining: Math.max(0, limit - used), resetAt: month.end }
  }

  /** Gives back the blocks that nobody has drawn on since the last sweep. */
  sweep(): void {
    for (const [account, block] of this.#blocks) {
      if (block.reserving) continue
      if (block.drawnOn) block.drawnOn = false
      else {
        this.#blocks.delete(account)
        this.#giveUp(block)
      }
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#sweeper)
    // Reservations under way may still fill a block.
    await this.#settled()
    for (const block of this.#blocks.values()) this.#giveUp(block)
    await this.#settled()
  }

  #blockOf(account: string, limit: number, now: number): Block {
    const known = this.#blocks.get(account)
    if (known && isWithin(known.month, now)) return known
    if (known) this.#giveUp(known)
    const month = monthOf(now)
    const block: Block = {
      row: rowOf(account, month),
      month,
      most: blockSize(limit),
      left: 0,
      counted: 0,
      appetite: FIRST_RESERVATION,
      reserving: undefined,
      drawnOn: true,
    }
    this.#blocks.set(account, block)
    return block
  }

  #grant(block: Block, limit: number): QuotaDecision {
    block.left--
    block.drawnOn = true
    // Asks for more before the last is gone, so that a steady caller never waits for the disk.
    if (block.left < block.appetite / 4 && block.appetite > 2 * FIRST_RESERVATION) {
      this.#reserve(block, limit).catch(() => undefined)
    }
    return decision('granted', block, limit)
  }

  async #takeReserved(block: Block, limit: number): Promise<QuotaDecision> {
    while (block.left === 0) {
      const got = await withinPatience(this.#reserve(block, limit))
      if (got === 0 && block.left === 0) return decision('exhausted', block, limit)
      if (this.#closed) throw new AccessError('unavailable', 'the quota is closed')
    }
    return this.#grant(block, limit)
  }

  /** Reserves calls for a block, one reservation at a time; resolves with how many, 0 if the month has none left. */
  #reserve(block: Block, limit: number): Promise<number> {
    block.reserving ??= this.#tracked(this.#reserveNow(block, limit))
    return block.reserving
  }

  async #reserveNow(block: Block, limit: number): Promise<number> {
    try {
      const [counted, size] = await this.#environment.write(() => {
        const counted = this.#counts.get(block.row) ?? 0
        const size = reservation(block.appetite - block.left, limit - counted)
        if (size > 0) this.#counts.put(block.row, counted + size)
        return [counted + size, size] as const
      })
      block.left += size
      block.counted = counted
      // Near the limit it gets less than it asks for, and asks for no more than that the next time.
      block.appetite = size < block.appetite / 2 ? FIRST_RESERVATION : Math.min(block.most, block.appetite * 2)
      return size
    } finally {
      block.reserving = undefined
    }
  }

  /** Returns what is left of a block to the count on disk. */
  #giveUp(block: Block): void {
    const calls = block.left
    block.left = 0
    block.appetite = FIRST_RESERVATION
    if (calls > 0) this.#giveBack(block.row, calls)
  }

  /** Never tried twice: if it fails those calls stay charged, and if nobody knows, they may have been returned. */
  #giveBack(row: string, calls: number): void {
    const given = this.#environment.write(() => {
      void this.#counts.put(row, Math.max(0, (this.#counts.get(row) ?? 0) - calls))
    })
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

  async #settled(): Promise<void> {
    await withinPatience(Promise.allSettled(this.#writing)).catch(() => undefined)
  }
}

/**
 * The most calls of an account that a process holds reserved, so what its crash may leave charged and never granted: a
 * thousandth of the month, so that the greatest plans run from memory even on slow disks.
 */
export const blockSize = (limit: number): number => Math.min(1_024, Math.max(8, Math.floor(limit / 1_000)))

/** How much of what is wanted may be reserved: less and less near the limit, so that no process hoards the last calls. */
export const reservation = (wanted: number, room: number): number =>
  Math.min(wanted, room > 0 ? Math.max(1, Math.floor(room / 8)) : 0)

const rowOf = (account: string, month: Month): string => `${account}/${month.name}`

const isWithin = (month: Month, at: number): boolean => at >= month.start && at < month.end

const decision = (outcome: QuotaDecision['outcome'], block: Block, limit: number): QuotaDecision => {
  const used = block.counted - block.left
  return { outcome, used, remaining: Math.max(0, limit - used), resetAt: block.month.end }
}
