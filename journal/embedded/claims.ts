/**
 * Exclusive ownership of names among the processes of one machine.
 *
 * A claim's row holds its epoch and its owner. It passes on when the owner has released it, when the owner's process is
 * gone, or when the owner's heartbeat has stood still for `expiryMs` although we were awake to see it (a stopped
 * process; should it go on later, its next transaction is fenced). Clocks of different processes are never compared.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { currentProcess, fateOf } from '../../base/lmdb/process-identity.ts'
import { assertClaimName } from '../claim-line.ts'
import { type Claim, JournalError, type PartitionAddress } from '../journal.ts'
import type { Environment } from './environment.ts'
import type { ClaimRow } from './store.ts'
import { CLAIMS, type PartitionLog, type Transaction } from './transaction.ts'

const LOOK_AGAIN_MS = 250

/** This process, or rather this module in it: a worker thread has another instance. */
const OURSELVES = { instance: randomUUID(), process: currentProcess }

/** Throws `fenced` unless `claim` is the newest of its name and has not been released. */
export function checkClaim(tx: Transaction, { name, epoch }: Claim): void {
  const row = tx.store.claim(name)
  if (row?.epoch === epoch && row.owner) return
  throw new JournalError('fenced', `${name}: epoch ${epoch}, now ${row?.epoch}${row?.owner ? '' : ', released'}`)
}

export class Claims {
  readonly environment: Environment
  readonly find: (address: PartitionAddress) => PartitionLog
  private readonly expiryMs: number
  private readonly held = new Set<HeldClaim>()
  private readonly pending = new Set<Promise<void>>()
  private readonly beating: NodeJS.Timeout

  constructor(environment: Environment, find: (address: PartitionAddress) => PartitionLog, expiryMs: number) {
    this.environment = environment
    this.find = find
    this.expiryMs = expiryMs
    this.beating = setInterval(() => this.beat(), expiryMs / 5).unref()
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
    clearInterval(this.beating)
    await Promise.all(this.pending)
    const closed = new JournalError('closed', 'the journal was closed')
    const released = Array.from(this.held, async (claim) => {
      await claim.release().catch(() => undefined)
      claim.lose(closed)
    })
    await Promise.all(released)
  }

  private async acquire(name: string, signal: AbortSignal): Promise<HeldClaim> {
    assertClaimName(name)
    const leave = await this.environment.claimLines.enter(name, signal)
    try {
      const epoch = await this.contend(name, signal)
      const claim = new HeldClaim(this, name, epoch, () => {
        this.held.delete(claim)
        leave()
      })
      this.held.add(claim)
      if (signal.aborted) await claim.release()
      signal.throwIfAborted()
      return claim
    } catch (error) {
      leave()
      throw error
    }
  }

  private async contend(name: string, signal: AbortSignal): Promise<number> {
    const patience = new Patience(this.expiryMs)
    for (;;) {
      signal.throwIfAborted()
      const { row, commits } = this.environment.snapshot((store) => ({
        row: store.claim(name),
        commits: store.commits(),
      }))
      if (this.isFree(row) || patience.isOver(row)) {
        const epoch = await this.takeOver(name, row)
        if (epoch !== undefined) return epoch
      } else {
        const waking = new AbortController()
        const woken = AbortSignal.any([signal, waking.signal])
        const pause = sleep(LOOK_AGAIN_MS, undefined, { signal: woken }).catch(() => undefined)
        await Promise.race([this.environment.tail.wait(CLAIMS, commits, woken), pause])
        waking.abort()
      }
    }
  }

  /** Within one process a name has one contender at a time, so a row of this process's that nobody holds is a relic. */
  private isFree(row: ClaimRow | undefined): boolean {
    return !row?.owner || row.owner.instance === OURSELVES.instance || fateOf(row.owner.process) === 'gone'
  }

  /** Undefined if somebody was faster. */
  private takeOver(name: string, judged: ClaimRow | undefined): Promise<number | undefined> {
    return this.environment.write((tx) => {
      const row = tx.store.claim(name)
      if (row?.epoch !== judged?.epoch || row?.beat !== judged?.beat) return undefined
      const epoch = (row?.epoch ?? 0) + 1
      tx.putClaim(name, { epoch, beat: 0, owner: OURSELVES })
      return epoch
    })
  }

  /** A beat that can't be written (a full disk) is no loss: nobody can write a takeover either. */
  private async beat(): Promise<void> {
    if (this.held.size === 0) return
    const lost = await this.environment
      .write((tx) => Array.from(this.held).filter((claim) => !beatOn(tx, claim)))
      .catch(() => [])
    for (const claim of lost) claim.lose(new JournalError('fenced', `${claim.name}: epoch ${claim.epoch} is over`))
  }
}

/** False if the claim is somebody else's by now. */
function beatOn(tx: Transaction, { name, epoch }: HeldClaim): boolean {
  const row = tx.store.claim(name)
  if (row?.epoch !== epoch) return false
  tx.putClaim(name, { ...row, beat: row.beat + 1 })
  return true
}

export class HeldClaim implements Claim {
  readonly name: string
  readonly epoch: number
  readonly lost: AbortSignal
  private readonly claims: Claims
  private readonly leave: () => void
  private readonly losing = new AbortController()

  constructor(claims: Claims, name: string, epoch: number, leave: () => void) {
    this.claims = claims
    this.name = name
    this.epoch = epoch
    this.leave = leave
    this.lost = this.losing.signal
  }

  async position(address: PartitionAddress): Promise<number | undefined> {
    const { log } = this.claims.find(address)
    return this.claims.environment.snapshot((store) => store.position(this.name, log))
  }

  /** Gives the name to whoever waits for it. Releasing again, or after a loss, does nothing. */
  async release(): Promise<void> {
    try {
      await this.claims.environment.write((tx) => {
        const row = tx.store.claim(this.name)
        if (row?.epoch === this.epoch && row.owner) tx.putClaim(this.name, { ...row, owner: null })
      })
    } finally {
      this.leave()
    }
  }

  /** Ownership is over: taken by somebody newer, or spent by a transaction whose outcome is unknown. */
  lose(reason: JournalError): void {
    this.losing.abort(reason)
    this.leave()
  }
}

/** Measures how long a heartbeat has stood still, in time during which this process itself was seen to run. */
class Patience {
  private left: number
  private readonly whole: number
  private seen: string | undefined
  private at = performance.now()

  constructor(ms: number) {
    this.left = ms
    this.whole = ms
  }

  isOver(row: ClaimRow | undefined): boolean {
    const now = performance.now()
    const beat = `${row?.epoch}.${row?.beat}`
    if (beat !== this.seen) this.left = this.whole
    else this.left -= Math.min(now - this.at, 2 * LOOK_AGAIN_MS)
    this.seen = beat
    this.at = now
    return this.left <= 0
  }
}
