import { pause } from '../base/async/pause.ts'
import type { Time } from '../base/time.ts'
import { streamLimits } from '../contracts/streams.ts'
import { AccessError } from './error.ts'
import type { Identity } from './identity.ts'
import type { LeaseDecision, Leases } from './leases.ts'

export type OwnedLeasesOptions = {
  /** Its wall clock is the one that all holders share. */
  readonly time: Time
  /** Called at most once in each round of renewals, with the first failure. The next round may succeed. */
  readonly renewalFailed?: (error: unknown) => void
  readonly renewEveryMs?: number
}

/** Leaves room for three slow, failing rounds before the leases end. */
const RENEW_EVERY_MS = 4_000
/**
 * A holder gives a lease up this long before the store does. It takes a moment to notice the end and cut the streams,
 * and two clocks do not run alike.
 */
const EXPIRY_MARGIN_MS = 1_000
const KEYS_PER_BATCH = 128

/** `until` is when the lease ends on this process's monotonic clock. After that the lease is lost, whatever the store says. */
type OwnedLease = { readonly identity: Identity; until: number }

export class OwnedLeases {
  readonly #leases: Leases
  readonly #options: OwnedLeasesOptions
  readonly #owned = new Map<string, OwnedLease>()
  #closed = false

  constructor(leases: Leases, options: OwnedLeasesOptions) {
    this.#leases = leases
    this.#options = options
  }

  /** Takes a lease from the store and keeps it renewed. Rejects with AccessError `unavailable`. */
  async take(identity: Identity, limit: number): Promise<LeaseDecision> {
    if (this.#closed) throw closed()
    const until = this.#endFromNow()
    const decision = await this.#leases.take(identity, limit, this.#options.time.now())
    if (decision.outcome !== 'granted') return decision
    if (this.#closed) {
      await this.release(identity, decision.lease)
      throw closed()
    }
    this.#owned.set(decision.lease, { identity, until })
    return decision
  }

  holds(lease: string): boolean {
    const owned = this.#owned.get(lease)
    return owned !== undefined && this.#options.time.monotonic() < owned.until
  }

  /** Releases a lease. Never rejects: a lease that the store cannot release ends by itself. */
  async release(identity: Identity, lease: string): Promise<void> {
    this.#owned.delete(lease)
    await this.#leases.release(identity, lease).catch(() => undefined)
  }

  /**
   * Renews the leases owned, with one request per key, and drops those that are lost. Never rejects. If the store does
   * not answer, the remaining keys wait for the next round, because waiting for each in turn would be too late for all.
   * The keys that failed then come last, so that a key that always fails costs no other key its leases.
   */
  async renew(): Promise<void> {
    const keys = [...Map.groupBy(this.#owned, ([, { identity }]) => identity.keyId).values()]
    for (let done = 0; done < keys.length; done += KEYS_PER_BATCH) {
      const some = keys.slice(done, done + KEYS_PER_BATCH)
      const answers = await Promise.allSettled(some.map((owned) => this.#renewKey(owned)))
      const failed = answers.find(({ status }) => status === 'rejected')
      if (failed?.status !== 'rejected') continue
      this.#options.renewalFailed?.(failed.reason)
      for (const [i, { status }] of answers.entries()) if (status === 'rejected') this.#moveToEnd(some[i] ?? [])
      return
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    const { time, renewEveryMs = RENEW_EVERY_MS } = this.#options
    let rest = renewEveryMs
    while (!signal.aborted) {
      await pause(rest, signal, time)
      if (signal.aborted) return
      const began = time.monotonic()
      await this.renew()
      rest = Math.max(0, renewEveryMs - (time.monotonic() - began))
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(Array.from(this.#owned, ([lease, { identity }]) => this.release(identity, lease)))
  }

  /** Renews the leases of one key. Rejects if the store does not answer. */
  async #renewKey(all: readonly (readonly [string, OwnedLease])[]): Promise<void> {
    const unexpired = all.filter(([lease]) => this.#holdsOrDrops(lease))
    const identity = unexpired[0]?.[1].identity
    if (!identity) return
    // Computed before the store computes its own end, so that this end is never the later one, however slow the answer.
    const until = this.#endFromNow()
    const names = unexpired.map(([lease]) => lease)
    const lost = new Set(await this.#leases.renew(identity, names, this.#options.time.now()))
    for (const [lease, owned] of unexpired) {
      if (lost.has(lease)) this.#owned.delete(lease)
      else if (this.#holdsOrDrops(lease)) owned.until = until
    }
  }

  #moveToEnd(leases: readonly (readonly [string, OwnedLease])[]): void {
    // A lease that was released meanwhile is not put back.
    for (const [lease, owned] of leases) if (this.#owned.delete(lease)) this.#owned.set(lease, owned)
  }

  /** Whether a lease is still owned; drops it if it has ended. */
  #holdsOrDrops(lease: string): boolean {
    if (this.holds(lease)) return true
    this.#owned.delete(lease)
    return false
  }

  #endFromNow(): number {
    return this.#options.time.monotonic() + streamLimits.leaseMs - EXPIRY_MARGIN_MS
  }
}

const closed = () => new AccessError('unavailable', 'the leases of this process are closed')
