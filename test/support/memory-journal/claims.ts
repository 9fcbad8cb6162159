/** Claims of a client. The rules are those of every adapter (`journal/ownership.ts`, `journal/claim-register.ts`). */
import { ClaimLines } from '../../../journal/claim-line.ts'
import { ClaimRegister, OwnClaim } from '../../../journal/claim-register.ts'
import { isPassing, JournalError, type PartitionAddress } from '../../../journal/journal.ts'
import { Attention, contenderAct, standingOf } from '../../../journal/ownership.ts'
import type { Line } from './line.ts'
import { CLAIMS, type JournalState, type Owner } from './state.ts'
import { pauseFor, type TimeAndChance, untilCalled } from './time.ts'

const RETRY_MS = 100

export type ClaimsOptions = {
  readonly state: JournalState
  readonly line: Line
  readonly time: TimeAndChance
  readonly owner: Owner
  /** Tells whether the client of another owner runs, as far as this client's machine can tell. */
  readonly fateOf: (owner: Owner) => 'running' | 'gone' | 'unknown'
  /** Time without a heartbeat after which a standby takes over, and after which an owner gives up. */
  readonly expiryMs: number
  /** Throws `unknown_topic` and `closed`. */
  readonly find: (address: PartitionAddress) => unknown
}

export class MemoryClaims {
  readonly #options: ClaimsOptions
  readonly #register = new ClaimRegister<MemoryClaim>(new ClaimLines())
  #stopBeating: (() => void) | undefined

  constructor(options: ClaimsOptions) {
    this.#options = options
  }

  claim(name: string, signal: AbortSignal): Promise<MemoryClaim> {
    return this.#register.claim(name, signal, async () => {
      const claim = new MemoryClaim(this.#options, name, await this.#contend(name, signal))
      this.#stopBeating ??= this.#beatLater()
      return claim
    })
  }

  async close(): Promise<void> {
    this.stop()
    await this.#register.close()
  }

  /** Ends the heartbeats, as the end of the process does. */
  stop(): void {
    this.#stopBeating?.()
    this.#stopBeating = () => undefined
  }

  async #contend(name: string, signal: AbortSignal): Promise<number> {
    const { state, line, time, owner, fateOf, expiryMs } = this.#options
    const lookAgainMs = expiryMs / 8
    const attention = new Attention(expiryMs, 2 * lookAgainMs)
    for (let lookedAt = time.now(), seen: string | undefined; ; ) {
      signal.throwIfAborted()
      let hasChanged = false
      const unwatch = state.onChange(CLAIMS, () => {
        hasChanged = true
      })
      try {
        const row = await line.call('read', () => state.claimRow(name))
        const now = time.now()
        attention.listen(now - lookedAt)
        lookedAt = now
        const beat = `${row?.epoch}.${row?.beat}`
        if (beat !== seen) attention.hear(name)
        seen = beat
        const standing = standingOf(row?.owner, owner.instance, fateOf)
        if (contenderAct(standing, attention.leftMs(name)) === 'take') {
          const epoch = await line.call('claim', () => state.takeClaim(name, row, owner))
          if (epoch !== undefined) return epoch
        } else if (!hasChanged) {
          await untilCalled((resume) => {
            const cancels = [time.after(lookAgainMs, resume), state.onChange(CLAIMS, resume)]
            return () => cancels.forEach((cancel) => void cancel())
          }, signal)
        }
      } catch (error) {
        if (!isPassing(error)) throw error
        await pauseFor(time, RETRY_MS, signal)
      } finally {
        unwatch()
      }
    }
  }

  #beatLater(): () => void {
    const { time, expiryMs } = this.#options
    return time.after(expiryMs / 5, () => {
      for (const claim of this.#register.owned) void claim.beat()
      this.#stopBeating = this.#register.owned.size > 0 ? this.#beatLater() : undefined
    })
  }
}

export class MemoryClaim extends OwnClaim {
  readonly #options: ClaimsOptions
  #heardAt: number

  constructor(options: ClaimsOptions, name: string, epoch: number) {
    super(name, epoch)
    this.#options = options
    this.#heardAt = options.time.now()
  }

  async position(address: PartitionAddress, name: string = this.name): Promise<number | undefined> {
    const { state, line, find } = this.#options
    find(address)
    return line.call('read', () => state.position(name, address))
  }

  async release(): Promise<void> {
    const { state, line } = this.#options
    try {
      await line.call('release', () => state.releaseClaim(this.name, this.epoch))
    } finally {
      this.end()
    }
  }

  /** Tells the journal that the owner lives. Loses the claim to a newer owner, or if the journal has not answered for long. */
  async beat(): Promise<void> {
    const { state, line, time, expiryMs } = this.#options
    const fence = () => state.fence(this.name, this.epoch)
    try {
      const isOurs = await line.call('beat', () => state.beat(this.name, this.epoch), { fence })
      if (!isOurs) this.lose(new JournalError('fenced', `${this.name}: epoch ${this.epoch} is over`))
      else this.#heardAt = time.now()
    } catch {
      if (time.now() - this.#heardAt >= expiryMs)
        this.lose(new JournalError('fenced', `${this.name}: not heard for ${expiryMs} ms`))
    }
  }
}
