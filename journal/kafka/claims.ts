/**
 * Exclusive ownership of names. A claim's row in the ledger says who owns it. A transactional id of the same name makes
 * changing the row safe: a contender initialises the id, which fences every other producer of it, reads the row again, and
 * only then writes it. A contender may fence the owner and then find that it may not take the name. The owner then reads its
 * own name in the row and continues. `../ownership.ts` decides when a name may be taken, `commit-rules.ts` how a row is
 * written.
 */

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { pause } from '../../base/async/pause.ts'
import { currentProcess, fateOf } from '../../base/process/process-identity.ts'
import { systemTime } from '../../base/time.ts'
import { ClaimLines } from '../claim-line.ts'
import { ClaimRegister } from '../claim-register.ts'
import { isPassing, JournalError, type PartitionAddress } from '../journal.ts'
import { contenderAct, isSuperseded, standingOf } from '../ownership.ts'
import type { KafkaClient } from './client.ts'
import { Heartbeats } from './heartbeats.ts'
import type { Ledger, LedgerClaimRow, Owner } from './ledger.ts'
import { KafkaOwnedClaim } from './owned-claim.ts'
import { deadlineIn, isPassingFailure, type RetryDeadline } from './retry.ts'
import { isUnexplained, TransactionalProducer } from './transactional-producer.ts'

type ClaimsOptions = {
  readonly client: KafkaClient
  readonly ledger: Ledger
  /** Throws `unknown_topic` and `closed`. */
  readonly find: (address: PartitionAddress) => Promise<unknown>
  readonly heartbeatTopic: string
  /** Prefix of transactional ids. */
  readonly prefix: string
  /** Tells journals apart within this process. */
  readonly journalId: string
  readonly expiryMs: number
  readonly patienceMs: number
  readonly releaseMs: number
}

const LOOK_AGAIN_MS = 5_000
const PAUSE_MS = 250

/** Shared by all openings of all journals in this process. The names of lines begin with the journal's id. */
const lines = new ClaimLines()

export class KafkaClaims {
  readonly options: ClaimsOptions
  readonly #beats: Heartbeats
  readonly #ourselves: Owner
  readonly #register: ClaimRegister<KafkaOwnedClaim>

  constructor(options: ClaimsOptions) {
    this.options = options
    this.#ourselves = { instance: randomUUID(), host: hostname(), process: currentProcess }
    this.#register = new ClaimRegister(lines, (name) => `${options.journalId} ${name}`)
    const { owned } = this.#register
    this.#beats = new Heartbeats({
      client: options.client,
      topic: options.heartbeatTopic,
      instance: this.#ourselves.instance,
      expiryMs: options.expiryMs,
      holds: () => Array.from(owned, ({ name }) => name),
      onUnheard: () => {
        // A release may still be under way when its owner falls silent: that is no loss.
        for (const claim of owned)
          if (!claim.isReleased) claim.lose(new JournalError('fenced', `not heard for ${options.expiryMs} ms`))
      },
      // If the row cannot be read, the claim stays: the next transaction finds out whether it is lost.
      onChange: (name) => void this.#recheck(name).catch(() => undefined),
    })
  }

  claim(name: string, signal: AbortSignal): Promise<KafkaOwnedClaim> {
    this.#beats.start()
    return this.#register.claim(name, signal, () => this.#contend(name, signal))
  }

  /** Releases every claim. Call it after aborting the signals of the claims that are still being waited for. */
  async close(): Promise<void> {
    await this.#register.close()
    await this.#beats.close()
  }

  async #contend(name: string, signal: AbortSignal): Promise<KafkaOwnedClaim> {
    const { ledger, patienceMs } = this.options
    let judged: LedgerClaimRow | undefined
    let unexplainedSince: number | undefined
    for (;;) {
      signal.throwIfAborted()
      try {
        const seen = this.#beats.changeCount
        const deadline = deadlineIn(patienceMs, signal)
        const row = await ledger.claim(name, deadline)
        const owner = row?.owner
        if (owner && row.epoch !== judged?.epoch) this.#beats.heardOf(owner.instance, name)
        judged = row
        const leftMs = owner ? this.#beats.leftMs(owner.instance, name) : 0
        const act = contenderAct(standingOf(owner, this.#ourselves.instance, fateOfOwner), leftMs)
        if (act === 'take') return await this.#take(name, row, deadline)
        const waitMs = act === 'watch' ? PAUSE_MS : Math.min(LOOK_AGAIN_MS, leftMs + PAUSE_MS)
        await this.#beats.wait(seen, waitMs, signal)
      } catch (error) {
        signal.throwIfAborted()
        const now = performance.now()
        // Whatever the client and the ledger throw is an Error.
        const { cause } = error as Error
        unexplainedSince = isUnexplained(cause) ? (unexplainedSince ?? now) : undefined
        if (unexplainedSince !== undefined && now - unexplainedSince > patienceMs) throw cause
        if (!isPassingFailure(error) && !isPassing(error)) throw error
        // Contenders that fence each other in step would go on doing so, hence the random pause.
        await pause(Math.random() * PAUSE_MS, signal, systemTime)
      }
    }
  }

  async #take(name: string, judged: LedgerClaimRow | undefined, deadline: RetryDeadline): Promise<KafkaOwnedClaim> {
    const { client, ledger, find, prefix, patienceMs, releaseMs } = this.options
    const producer = new TransactionalProducer(client, prefix + name)
    const announce = () => this.#beats.announce(name)
    const claim = new KafkaOwnedClaim(
      { name, owner: this.#ourselves, producer, client, ledger, announce, find, patienceMs, releaseMs },
      judged,
    )
    // Heartbeats name the claim from now on. Until the last owner's records are visible, `take` may run for a long time.
    this.#register.add(claim)
    try {
      await claim.take(deadline)
      claim.lost.throwIfAborted()
    } catch (error) {
      // A claim that cannot be released expires by itself.
      await claim.release().catch(() => undefined)
      throw error
    }
    await announce()
    return claim
  }

  /**
   * Reads the row of the owned claim named `changed`, or of every owned claim if undefined. Loses those that have a newer
   * owner.
   */
  async #recheck(changed: string | undefined): Promise<void> {
    const { ledger, patienceMs } = this.options
    for (const claim of this.#register.owned) {
      if (changed !== undefined && changed !== claim.name) continue
      const row = await ledger.claim(claim.name, deadlineIn(patienceMs))
      // A released name may have a newer owner: that is no loss.
      if (!claim.isReleased && isSuperseded(claim.epoch, row?.epoch))
        claim.lose(new JournalError('fenced', `${claim.name}: epoch ${claim.epoch} is over`))
    }
  }
}

/** Whether the owner's process runs. Only a process on the same machine can tell. */
function fateOfOwner({ host, process }: Owner): 'running' | 'gone' | 'unknown' {
  const isHere = process.boot !== null && process.boot === currentProcess.boot && host === hostname()
  return isHere ? fateOf(process) : 'unknown'
}
