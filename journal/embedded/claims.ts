/**
 * Exclusive ownership of names among the processes of one machine.
 *
 * A claim's row holds its epoch and its owner. A contender takes the claim in three cases: the owner has released it, the
 * owner's process has ended, or the owner's heartbeat has not changed for `expiryMs` while the contender was watching. In
 * the third case the owner's process may only be stopped; if it continues later, its next transaction is fenced. Clocks
 * of different processes are never compared.
 */
import { randomUUID } from 'node:crypto'
import { pause } from '../../base/async/pause.ts'
import { currentProcess, fateOf } from '../../base/process/process-identity.ts'
import { cancelTimer, type RunningTimer } from '../../base/time.ts'
import { ClaimRegister, OwnClaim } from '../claim-register.ts'
import { type Claim, JournalError, type PartitionAddress } from '../journal.ts'
import { Attention, contenderAct, isSuperseded, standingOf } from '../ownership.ts'
import type { Environment } from './environment.ts'
import type { ClaimRow } from './store.ts'
import { CLAIMS, type PartitionLog, type Transaction } from './transaction.ts'

const LOOK_AGAIN_MS = 250

/** The owner that this process writes into rows. Each worker thread loads this module anew and so has another instance. */
const OURSELVES = { instance: randomUUID(), process: currentProcess }

/** Throws `fenced` unless `claim` is the newest of its name and has not been released. */
export function checkClaim(tx: Transaction, { name, epoch }: Claim): void {
  const row = tx.store.claim(name)
  if (row?.epoch === epoch && row.owner) return
  throw new JournalError('fenced', `${name}: epoch ${epoch}, now ${row?.epoch}${row?.owner ? '' : ', released'}`)
}

export class EmbeddedClaims {
  readonly environment: Environment
  readonly find: (address: PartitionAddress) => PartitionLog
  readonly #expiryMs: number
  readonly #register: ClaimRegister<EmbeddedOwnedClaim>
  readonly #beating: RunningTimer

  constructor(environment: Environment, find: (address: PartitionAddress) => PartitionLog, expiryMs: number) {
    this.environment = environment
    this.find = find
    this.#expiryMs = expiryMs
    this.#register = new ClaimRegister(environment.claimLines)
    this.#beating = environment.time.every(expiryMs / 5, () => void this.#beat()).unref()
  }

  claim(name: string, signal: AbortSignal): Promise<EmbeddedOwnedClaim> {
    return this.#register.claim(
      name,
      signal,
      async () => new EmbeddedOwnedClaim(this, name, await this.#contend(name, signal)),
    )
  }

  /** Releases every claim. Call it after aborting the signals of the claims that are still being waited for. */
  async close(): Promise<void> {
    cancelTimer(this.#beating)
    await this.#register.close()
  }

  async #contend(name: string, signal: AbortSignal): Promise<number> {
    const attention = new Attention(this.#expiryMs, 2 * LOOK_AGAIN_MS)
    for (let lookedAt = this.environment.time.monotonic(), seen: string | undefined; ; ) {
      signal.throwIfAborted()
      const { row, commits } = this.environment.snapshot((store) => ({
        row: store.claim(name),
        commits: store.commits(),
      }))
      const now = this.environment.time.monotonic()
      attention.listen(now - lookedAt)
      lookedAt = now
      const beat = `${row?.epoch}.${row?.beat}`
      if (beat !== seen) attention.hear(name)
      seen = beat
      const standing = standingOf(row?.owner, OURSELVES.instance, (owner) => fateOf(owner.process))
      if (contenderAct(standing, attention.leftMs(name)) === 'take') {
        const epoch = await this.#takeOver(name, row)
        if (epoch !== undefined) return epoch
      } else {
        // Nothing announces a heartbeat here, so the row is read again as often for `listen` as for `watch`.
        await this.#untilChanged(commits, signal)
      }
    }
  }

  async #untilChanged(commits: number, signal: AbortSignal): Promise<void> {
    const waking = new AbortController()
    const woken = AbortSignal.any([signal, waking.signal])
    await Promise.race([
      this.environment.tail.wait(CLAIMS, commits, woken),
      pause(LOOK_AGAIN_MS, woken, this.environment.time),
    ])
    waking.abort()
  }

  /** Writes this process as the owner and returns the new epoch. Returns undefined if another contender was faster. */
  #takeOver(name: string, judged: ClaimRow | undefined): Promise<number | undefined> {
    return this.environment.write((tx) => {
      const row = tx.store.claim(name)
      if (row?.epoch !== judged?.epoch || row?.beat !== judged?.beat) return undefined
      const epoch = (row?.epoch ?? 0) + 1
      tx.putClaim(name, { epoch, beat: 0, owner: OURSELVES })
      return epoch
    })
  }

  /**
   * Writes a heartbeat for every owned claim. A failure (a full disk) does not lose a claim, because no contender can write a
   * takeover either.
   */
  async #beat(): Promise<void> {
    const { owned } = this.#register
    if (owned.size === 0) return
    const lost = await this.environment
      .write((tx) => Array.from(owned).filter((claim) => !beatOn(tx, claim)))
      .catch(() => [])
    for (const claim of lost) claim.lose(new JournalError('fenced', `${claim.name}: epoch ${claim.epoch} is over`))
  }
}

/** Writes a heartbeat into the claim's row. Returns false if the claim is lost. */
function beatOn(tx: Transaction, { name, epoch }: EmbeddedOwnedClaim): boolean {
  const row = tx.store.claim(name)
  if (!row || isSuperseded(epoch, row.epoch)) return false
  tx.putClaim(name, { ...row, beat: row.beat + 1 })
  return true
}

export class EmbeddedOwnedClaim extends OwnClaim {
  readonly #claims: EmbeddedClaims

  constructor(claims: EmbeddedClaims, name: string, epoch: number) {
    super(name, epoch)
    this.#claims = claims
  }

  async position(address: PartitionAddress, name: string = this.name): Promise<number | undefined> {
    const { log } = this.#claims.find(address)
    return this.#claims.environment.snapshot((store) => store.position(name, log))
  }

  async release(): Promise<void> {
    try {
      await this.#claims.environment.write((tx) => {
        const row = tx.store.claim(this.name)
        if (row?.epoch === this.epoch && row.owner) tx.putClaim(this.name, { ...row, owner: null })
      })
    } finally {
      this.end()
    }
  }
}
