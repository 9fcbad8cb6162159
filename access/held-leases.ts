import { pause } from '../base/async/pause.ts'
import { streamLimits } from '../contracts/streams.ts'
import { AccessError } from './error.ts'
import type { Identity } from './identity.ts'
import type { LeaseDecision, Leases } from './leases.ts'

export type HeldLeasesOptions = {
  /** UTC milliseconds, of the clock that all holders share. */
  readonly clock: () => number
  /** Milliseconds of a clock that is never set: `performance.now`. */
  readonly monotonic: () => number
  /** Told once a round of renewals that failed; the next one may succeed. */
  readonly renewalFailed?: (error: unknown) => void
  readonly renewEveryMs?: number
}

/** Three renewals may fail, slowly, before the leases are lost. */
const RENEW_EVERY_MS = 4_000
/**
 * A holder gives its leases up so long before the store does: it takes a moment until that is noticed and the streams are
 * cut, and two clocks don't run alike.
 */
const MARGIN_MS = 1_000
const KEYS_AT_ONCE = 128

/** `until` is the end by our own clock; past it the lease is lost, whatever the store may say later. */
type Held = { readonly who: Identity; until: number }

/** The leases that this process holds. */
export class HeldLeases {
  readonly #leases: Leases
  readonly #options: HeldLeasesOptions
  readonly #held = new Map<string, Held>()
  #closed = false

  constructor(leases: Leases, options: HeldLeasesOptions) {
    this.#leases = leases
    this.#options = options
  }

  /** Rejects with AccessError `unavailable`. */
  async take(who: Identity, limit: number): Promise<LeaseDecision> {
    if (this.#closed) throw closed()
    const until = this.#termFromNow()
    const decision = await this.#leases.take(who, limit, this.#options.clock())
    if (decision.outcome !== 'granted') return decision
    if (this.#closed) {
      await this.release(who, decision.lease)
      throw closed()
    }
    this.#held.set(decision.lease, { who, until })
    return decision
  }

  holds(lease: string): boolean {
    const held = this.#held.get(lease)
    return held !== undefined && this.#options.monotonic() < held.until
  }

  /** Never rejects: what cannot be given back ends by itself. */
  async release(who: Identity, lease: string): Promise<void> {
    this.#held.delete(lease)
    await this.#leases.release(who, lease).catch(() => undefined)
  }

  /**
   * Renews what is held, a key at a time, and drops what is lost. Never rejects. Where the store doesn't answer, the rest
   * is left for the next time: waiting for each in turn would be too late for all. What failed comes last then, so that
   * a key that always fails costs no other its leases.
   */
  async renew(): Promise<void> {
    const keys = [...Map.groupBy(this.#held, ([, { who }]) => who.keyId).values()]
    for (let done = 0; done < keys.length; done += KEYS_AT_ONCE) {
      const some = keys.slice(done, done + KEYS_AT_ONCE)
      const answers = await Promise.allSettled(some.map((held) => this.#renewKey(held)))
      const failed = answers.find(({ status }) => status === 'rejected')
      if (failed?.status !== 'rejected') continue
      this.#options.renewalFailed?.(failed.reason)
      for (const [i, { status }] of answers.entries()) if (status === 'rejected') this.#putLast(some[i] ?? [])
      return
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    const { monotonic, renewEveryMs = RENEW_EVERY_MS } = this.#options
    let rest = renewEveryMs
    while (!signal.aborted) {
      await pause(rest, signal)
      if (signal.aborted) return
      const began = monotonic()
      await this.renew()
      rest = Math.max(0, renewEveryMs - (monotonic() - began))
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(Array.from(this.#held, ([lease, { who }]) => this.release(who, lease)))
  }

  /** Rejects if the store doesn't answer. */
  async #renewKey(all: readonly (readonly [string, Held])[]): Promise<void> {
    const ours = all.filter(([lease]) => this.#keep(lease))
    const who = ours[0]?.[1].who
    if (!who) return
    // Taken before the store's: our end of the term is never the later one, however long the answer takes.
    const until = this.#termFromNow()
    const names = ours.map(([lease]) => lease)
    const lost = new Set(await this.#leases.renew(who, names, this.#options.clock()))
    for (const [lease, held] of ours) {
      if (lost.has(lease)) this.#held.delete(lease)
      else if (this.#keep(lease)) held.until = until
    }
  }

  #putLast(leases: readonly (readonly [string, Held])[]): void {
    // One that was given back meanwhile stays away.
    for (const [lease, held] of leases) if (this.#held.delete(lease)) this.#held.set(lease, held)
  }

  /** Whether a lease is still ours; one that has run out is let go for good. */
  #keep(lease: string): boolean {
    if (this.holds(lease)) return true
    this.#held.delete(lease)
    return false
  }

  #termFromNow(): number {
    return this.#options.monotonic() + streamLimits.leaseMs - MARGIN_MS
  }
}

const closed = () => new AccessError('unavailable', 'the door is closed')
