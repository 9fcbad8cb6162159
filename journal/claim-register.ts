/** The claims that one opening of a journal holds or waits for. Every adapter uses it. */
import { assertClaimName, type ClaimLines } from './claim-line.ts'
import { type Claim, JournalError, type PartitionAddress } from './journal.ts'

/** A claim that this process owns until it is released or lost. */
export abstract class OwnClaim implements Claim {
  readonly name: string
  readonly epoch: number
  readonly lost: AbortSignal
  /** Resolves once the claim has been released or lost. */
  readonly over: Promise<void>
  readonly #losing = new AbortController()
  readonly #endings = Promise.withResolvers<void>()

  constructor(name: string, epoch: number) {
    this.name = name
    this.epoch = epoch
    this.lost = this.#losing.signal
    this.over = this.#endings.promise
  }

  abstract position(address: PartitionAddress, name?: string): Promise<number | undefined>
  /** Gives the name to the next contender. Releasing again, or after a loss, does nothing. */
  abstract release(): Promise<void>

  /** Ends ownership: a newer owner has taken the name, or the outcome of a transaction is unknown. Returns the reason. */
  lose<E extends Error>(reason: E): E {
    this.#losing.abort(reason)
    this.end()
    return reason
  }

  protected end(): void {
    this.#endings.resolve()
  }
}

export class ClaimRegister<C extends OwnClaim> {
  readonly owned = new Set<C>()
  readonly #lines: ClaimLines
  readonly #lineOf: (name: string) => string
  readonly #pending = new Set<Promise<void>>()

  /** All openings of a journal in this process share `lines`. `lineOf` returns the key of a claim's line. */
  constructor(lines: ClaimLines, lineOf: (name: string) => string = String) {
    this.#lines = lines
    this.#lineOf = lineOf
  }

  /** Waits for this contender's turn within the process. Then `contend` competes for the name with other processes. */
  claim(name: string, signal: AbortSignal, contend: () => Promise<C>): Promise<C> {
    const claiming = this.#acquire(name, signal, contend)
    const settled = claiming.then(
      () => undefined,
      () => undefined,
    )
    this.#pending.add(settled)
    settled.then(() => this.#pending.delete(settled))
    return claiming
  }

  /** Counts a claim as owned until it is over. `claim` does so by itself once it is won. */
  add(claim: C): void {
    this.owned.add(claim)
    claim.over.then(() => this.owned.delete(claim))
  }

  /** Releases every claim. Call it after aborting the signals of the claims that are still being waited for. */
  async close(): Promise<void> {
    await Promise.all(this.#pending)
    const closed = new JournalError('closed', 'the journal was closed')
    const released = Array.from(this.owned, async (claim) => {
      // A claim that cannot be released expires by itself, so the failure needs no handling.
      await claim.release().catch(() => undefined)
      claim.lose(closed)
    })
    await Promise.all(released)
  }

  async #acquire(name: string, signal: AbortSignal, contend: () => Promise<C>): Promise<C> {
    assertClaimName(name)
    const leaveLine = await this.#lines.enter(this.#lineOf(name), signal)
    try {
      const claim = await contend()
      this.add(claim)
      claim.over.then(leaveLine)
      // A claim that cannot be released expires by itself.
      if (signal.aborted) await claim.release().catch(() => undefined)
      signal.throwIfAborted()
      return claim
    } catch (error) {
      leaveLine()
      throw error
    }
  }
}
