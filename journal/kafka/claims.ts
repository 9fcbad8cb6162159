/**
 * Exclusive ownership of names. A claim's row in the ledger is the truth; a transactional id of the same name is what makes
 * changing it safe: a contender initialises the id, which shuts every other producer out of it, then reads the row again,
 * and only then writes it. An owner that was shut out by a contender that found nothing to take reads its own name in the
 * row, and goes on. When a name may be taken is decided in `../ownership.ts`, how a row is written in `commit-rules.ts`.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { pause } from '../../base/async/pause.ts'
import { currentProcess, fateOf } from '../../base/lmdb/process-identity.ts'
import { ClaimLines } from '../claim-line.ts'
import { ClaimRegister } from '../claim-register.ts'
import { isPassing, JournalError, type PartitionAddress } from '../journal.ts'
import { contenderAct, isSuperseded, standingOf } from '../ownership.ts'
import type { KafkaClient } from './client.ts'
import { Heartbeats } from './heartbeats.ts'
import { KafkaHeldClaim } from './held-claim.ts'
import type { Ledger, LedgerClaimRow, Owner } from './ledger.ts'
import { forMs, isPassingFailure, type Patience } from './retry.ts'
import { isUnexplained, TransactionalProducer } from './transactional-producer.ts'

type ClaimsOptions = {
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

/** Shared by all openings of all journals: the names of lines begin with the journal's id. */
const lines = new ClaimLines()

export class KafkaClaims {
  readonly options: ClaimsOptions
  private readonly beats: Heartbeats
  private readonly ourselves: Owner
  private readonly register: ClaimRegister<KafkaHeldClaim>

  constructor(options: ClaimsOptions) {
    this.options = options
    this.ourselves = { instance: randomUUID(), host: hostname(), process: currentProcess }
    this.register = new ClaimRegister(lines, (name) => `${options.journalId} ${name}`)
    const { held } = this.register
    this.beats = new Heartbeats({
      client: options.client,
      topic: options.heartbeatTopic,
      instance: this.ourselves.instance,
      expiryMs: options.expiryMs,
      holds: () => Array.from(held, ({ name }) => name),
      onUnheard: () => {
        for (const claim of held) claim.lose(new JournalError('fenced', `not heard for ${options.expiryMs} ms`))
      },
      // Where the row can't be read, the next transaction finds out.
      onChange: (name) => void this.recheck(name).catch(() => undefined),
    })
  }

  claim(name: string, signal: AbortSignal): Promise<KafkaHeldClaim> {
    this.beats.start()
    return this.register.claim(name, signal, () => this.contend(name, signal))
  }

  /** Call after aborting the signals of claims still waited for. */
  async close(): Promise<void> {
    await this.register.close()
    await this.beats.close()
  }

  private async contend(name: string, signal: AbortSignal): Promise<KafkaHeldClaim> {
    const { ledger, patienceMs } = this.options
    let judged: LedgerClaimRow | undefined
    let unexplainedSince: number | undefined
    for (;;) {
      signal.throwIfAborted()
      try {
        const seen = this.beats.changeCount
        const patience = forMs(patienceMs, signal)
        const row = await ledger.claim(name, patience)
        const owner = row?.owner
        if (owner && row.epoch !== judged?.epoch) this.beats.heardOf(owner.instance, name)
        judged = row
        const leftMs = owner ? this.beats.leftMs(owner.instance, name) : 0
        const act = contenderAct(standingOf(owner, this.ourselves.instance, fateOfOwner), leftMs)
        if (act === 'take') return await this.take(name, row, patience)
        const waitMs = act === 'watch' ? PAUSE_MS : Math.min(LOOK_AGAIN_MS, leftMs + PAUSE_MS)
        await this.beats.wait(seen, waitMs, signal)
      } catch (error) {
        signal.throwIfAborted()
        const now = performance.now()
        const { cause } = error as Error
        unexplainedSince = isUnexplained(cause) ? (unexplainedSince ?? now) : undefined
        if (unexplainedSince !== undefined && now - unexplainedSince > patienceMs) throw cause
        if (!isPassingFailure(error) && !isPassing(error)) throw error
        // Contenders that shut each other out in step would go on doing so.
        await pause(Math.random() * PAUSE_MS, signal)
      }
    }
  }

  private async take(name: string, judged: LedgerClaimRow | undefined, patience: Patience): Promise<KafkaHeldClaim> {
    const { client, ledger, find, prefix, patienceMs } = this.options
    const producer = new TransactionalProducer(client, prefix + name)
    const announce = () => this.beats.announce(name)
    const claim = new KafkaHeldClaim(
      { name, owner: this.ourselves, producer, client, ledger, announce, find, patienceMs },
      judged,
    )
    // Other processes hear of it from now on, however long what the last owner wrote takes to be seen.
    this.register.add(claim)
    try {
      await claim.take(patience)
      claim.lost.throwIfAborted()
    } catch (error) {
      await claim.release().catch(() => undefined)
      throw error
    }
    await announce()
    return claim
  }

  /** Whether what we hold is ours still: one name, or all if we may have missed something. */
  private async recheck(changed: string | undefined): Promise<void> {
    const { ledger, patienceMs } = this.options
    for (const claim of this.register.held) {
      if (changed !== undefined && changed !== claim.name) continue
      const row = await ledger.claim(claim.name, forMs(patienceMs))
      // A name that was released meanwhile is the next owner's by right.
      if (!claim.isReleased && isSuperseded(claim.epoch, row?.epoch))
        claim.lose(new JournalError('fenced', `${claim.name}: epoch ${claim.epoch} is over`))
    }
  }
}

/** The end of a process can be seen on its own machine only. */
function fateOfOwner({ host, process }: Owner): 'running' | 'gone' | 'unknown' {
  const isHere = process.boot !== null && process.boot === currentProcess.boot && host === hostname()
  return isHere ? fateOf(process) : 'unknown'
}
