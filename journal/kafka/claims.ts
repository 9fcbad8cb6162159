/**
 * Exclusive ownership of names. A claim's row in the ledger is the truth; a transactional id of the same name is what makes
 * changing it safe: who initialises the id shuts everybody else out of it, then looks at the row again, and only then
 * writes it. Whoever was shut out by a contender that found nothing to take reads its own name in the row, and goes on.
 *
 * A claim passes on when its owner has released it, when its owner's process on this machine is gone, or when its owner
 * has not been heard of for `expiryMs` (`heartbeats.ts`). A group's membership would decide that too, but makes every
 * first claim wait for `group.initial.rebalance.delay.ms` (3 s), and Kafka forgets a group's offsets.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { currentProcess, fateOf } from '../../base/lmdb/process-identity.ts'
import { assertClaimName, ClaimLines } from '../claim-line.ts'
import { JournalError, type PartitionAddress } from '../journal.ts'
import type { KafkaClient } from './client.ts'
import { Heartbeats } from './heartbeats.ts'
import { HeldClaim } from './held-claim.ts'
import type { ClaimRow, Ledger, Owner } from './ledger.ts'
import { forMs, isPassingFailure, type Patience } from './retry.ts'
import { TransactionalProducer, TransactionFailure } from './transactional-producer.ts'
import { untilAllIsVisible } from './visible.ts'

export type ClaimsOptions = {
  readonly client: KafkaClient
  readonly ledger: Ledger
  /** Throws `unknown_topic` and `closed`. */
  readonly find: (address: PartitionAddress) => Promise<unknown>
  readonly heartbeatTopic: string
  /** Of transactional ids, and what tells journals apart within this process. */
  readonly prefix: string
  readonly journalId: string
  readonly expiryMs: number
  readonly patienceMs: number
}

const LOOK_AGAIN_MS = 5_000
const PAUSE_MS = 250

/** Of all openings of all journals: their names begin with the journal's id. */
const lines = new ClaimLines()

export class Claims {
  readonly options: ClaimsOptions
  readonly beats: Heartbeats
  private readonly ourselves: Owner
  private readonly held = new Map<string, HeldClaim>()
  private readonly pending = new Set<Promise<void>>()

  constructor(options: ClaimsOptions) {
    this.options = options
    this.ourselves = { instance: randomUUID(), host: hostname(), process: currentProcess }
    this.beats = new Heartbeats({
      client: options.client,
      topic: options.heartbeatTopic,
      instance: this.ourselves.instance,
      expiryMs: options.expiryMs,
      holds: () => Array.from(this.held.keys()),
      onUnheard: () => this.loseAll(new JournalError('fenced', `not heard for ${options.expiryMs} ms`)),
      onChange: (name) => void this.recheck(name).catch(() => undefined),
    })
  }

  claim(name: string, signal: AbortSignal): Promise<HeldClaim> {
    const claiming = this.acquire(name, signal)
    const settled = claiming.then(
      () => undefined,
      () => undefined,
    )
    this.pending.add(settled)
    settled.then(() => this.pending.delete(settled))
    return claiming
  }

  /** Call after aborting the signals of claims still waited for. */
  async close(): Promise<void> {
    await Promise.all(this.pending)
    const closed = new JournalError('closed', 'the journal was closed')
    const released = Array.from(this.held.values(), async (claim) => {
      await claim.release().catch(() => undefined)
      claim.lose(closed)
    })
    await Promise.all(released)
    await this.beats.close()
  }

  private async acquire(name: string, signal: AbortSignal): Promise<HeldClaim> {
    assertClaimName(name)
    const leaveLine = await lines.enter(`${this.options.journalId} ${name}`, signal)
    this.beats.enter()
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      this.beats.leave()
      leaveLine()
    }
    try {
      const claim = await this.contend(name, signal, leave)
      if (signal.aborted) await claim.release().catch(() => undefined)
      signal.throwIfAborted()
      return claim
    } catch (error) {
      leave()
      throw error
    }
  }

  private async contend(name: string, signal: AbortSignal, leave: () => void): Promise<HeldClaim> {
    const { ledger, expiryMs, patienceMs } = this.options
    let judged: { readonly epoch: number | undefined; readonly from: number } | undefined
    let unexplainedSince: number | undefined
    for (;;) {
      signal.throwIfAborted()
      try {
        const seen = this.beats.changeCount
        const patience = forMs(patienceMs, signal)
        const row = await ledger.claim(name, patience)
        if (!judged || judged.epoch !== row?.epoch) judged = { epoch: row?.epoch, from: this.beats.clock }
        const silence = row?.owner ? this.beats.silenceOf(row.owner.instance, name, judged.from) : 0
        if (this.isFree(row) || silence > expiryMs) {
          const claim = await this.takeOver(name, row, patience, leave)
          if (claim) return claim
          await fallOutOfStep(signal)
        } else {
          const pause = this.isHere(row?.owner) ? PAUSE_MS : Math.min(LOOK_AGAIN_MS, expiryMs - silence + PAUSE_MS)
          await this.beats.wait(seen, pause, signal)
        }
      } catch (error) {
        const cause = error instanceof TransactionFailure ? error.cause : error
        signal.throwIfAborted()
        if (error instanceof TransactionFailure && error.isOver) {
          unexplainedSince = error.isUnexplained ? (unexplainedSince ?? performance.now()) : undefined
          if (unexplainedSince !== undefined && performance.now() - unexplainedSince > patienceMs) throw cause
          await fallOutOfStep(signal)
          continue
        }
        if (!isPassingFailure(cause) && !(cause instanceof JournalError && cause.code === 'unavailable')) throw cause
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  /** Within one process a name has one contender at a time, so a row of this process's that nobody holds is a relic. */
  private isFree(row: ClaimRow | undefined): boolean {
    if (!row?.owner) return true
    if (row.owner.instance === this.ourselves.instance) return true
    return this.isHere(row.owner) && fateOf(row.owner.process) === 'gone'
  }

  /** Whether it is of this machine, so that its end can be seen. */
  private isHere(owner: Owner | null | undefined): boolean {
    if (!owner || owner.process.boot === null) return false
    return owner.process.boot === currentProcess.boot && owner.host === this.ourselves.host
  }

  /** Undefined if somebody was faster. */
  private async takeOver(
    name: string,
    judged: ClaimRow | undefined,
    patience: Patience,
    leave: () => void,
  ): Promise<HeldClaim | undefined> {
    const { client, ledger, find, prefix, patienceMs } = this.options
    const { beats } = this
    const producer = new TransactionalProducer(client, prefix + name)
    await producer.initialise(patience)
    const found = await ledger.claim(name, patience)
    if (found?.epoch !== judged?.epoch || found?.owner?.instance !== judged?.owner?.instance) return undefined
    const row: ClaimRow = {
      epoch: (found?.epoch ?? 0) + 1,
      transaction: 0,
      owner: this.ourselves,
      positions: found?.positions ?? {},
      wrote: found?.wrote ?? [],
    }
    let isOurs = false
    const claim = new HeldClaim({ name, row, producer, client, ledger, beats, find, patienceMs }, () => {
      if (this.held.get(name) === claim) this.held.delete(name)
      if (isOurs) leave()
    })
    try {
      await producer.run([ledger.claimPart(name, row)], patience)
      // Others hear of it from now on, however long what the last owner wrote takes to be seen.
      this.held.set(name, claim)
      await untilAllIsVisible(client, row.wrote, forMs(patienceMs, patience.signal))
    } catch (error) {
      const failed = error instanceof TransactionFailure ? error : undefined
      // The row may be on record, with a name that nobody holds: others would wait for it to expire.
      if (!failed || (failed.committing && !failed.isOver)) await claim.release().catch(() => undefined)
      throw error
    }
    if (claim.lost.aborted) return undefined
    isOurs = true
    await beats.announce(name)
    return claim
  }

  /** Whether what we hold is ours still: one name, or all if we may have missed something. */
  private async recheck(changed: string | undefined): Promise<void> {
    const { ledger, patienceMs } = this.options
    for (const [name, claim] of this.held) {
      if (changed !== undefined && changed !== name) continue
      const row = await ledger.claim(name, forMs(patienceMs))
      // Meanwhile it may have been released, and be the next owner's by right.
      if (row && row.epoch > claim.epoch && this.held.get(name) === claim)
        claim.lose(new JournalError('fenced', `${name}: epoch ${claim.epoch} is over`))
    }
  }

  private loseAll(reason: JournalError): void {
    for (const claim of this.held.values()) claim.lose(reason)
  }
}

/** Contenders that shut each other out in step would go on doing so. Returns at once when it is aborted. */
const fallOutOfStep = (signal: AbortSignal): Promise<void> =>
  sleep(Math.random() * PAUSE_MS, undefined, { signal }).catch(() => undefined)
