import { streamLimits } from '../../contracts/streams.ts'
import type { Identity } from '../identity.ts'
import type { LeaseDecision, Leases } from '../leases.ts'
import type { LeaseRow } from './engine.ts'
import type { AccessEnvironment } from './environment.ts'
import type { EmbeddedRevocations } from './revocations.ts'
import { STORE_TIMEOUT_MS } from './store-timeout.ts'

/** Leases in LMDB, one row for each account. Each decision reads and writes that row in one transaction. */
export class EmbeddedLeases implements Leases {
  readonly #environment: AccessEnvironment
  readonly #revocations: EmbeddedRevocations

  constructor(environment: AccessEnvironment, revocations: EmbeddedRevocations) {
    this.#environment = environment
    this.#revocations = revocations
  }

  take(identity: Identity, limit: number, now: number): Promise<LeaseDecision> {
    return this.#decide<LeaseDecision>(identity, now, (held, at) => {
      if (this.#revocations.isRevoked(identity)) return [held, { outcome: 'revoked' }]
      if (Object.keys(held).length >= limit) return [held, { outcome: 'limit' }]
      const lease = this.#environment.time.uuid()
      return [
        { ...held, [lease]: endOfTerm(at) },
        { outcome: 'granted', lease },
      ]
    })
  }

  renew(identity: Identity, leases: readonly string[], now: number): Promise<readonly string[]> {
    return this.#decide(identity, now, (held, at) => {
      if (this.#revocations.isRevoked(identity)) return [held, leases]
      const kept = leases.filter((lease) => Object.hasOwn(held, lease))
      const renewed = Object.fromEntries(kept.map((lease) => [lease, endOfTerm(at)]))
      return [{ ...held, ...renewed }, leases.filter((lease) => !kept.includes(lease))]
    })
  }

  async release({ account }: Identity, lease: string): Promise<void> {
    // A release is valid however late it is written, unlike the decisions that depend on a time.
    const write = this.#environment.write(() => {
      const { [lease]: released, ...others } = this.#rowOf(account)
      if (released !== undefined) this.#putRow(account, others)
    })
    await this.#environment.inTime(write)
  }

  count({ account }: Identity, now: number): number {
    const row = this.#environment.read(() => this.#rowOf(account))
    return Object.keys(unexpired(row, now)).length
  }

  /**
   * Runs `decide` on the leases that have not ended (see `unexpired`), with the time, and stores the row that it returns.
   * If the clock is set back while the decision waits for its turn, the time is set back with it: other leases were
   * renewed by the new clock meanwhile, and seem to have ended by the old one.
   */
  #decide<T>(
    { account }: Identity,
    now: number,
    decide: (held: LeaseRow, at: number) => readonly [LeaseRow, T],
  ): Promise<T> {
    const { time } = this.#environment
    const askedAt = time.now()
    return this.#environment.decide(() => {
      const at = now - Math.max(0, askedAt - time.now())
      const [row, decision] = decide(unexpired(this.#rowOf(account), at), at)
      this.#putRow(account, row)
      return decision
    })
  }

  #rowOf(account: string): LeaseRow {
    return this.#environment.leases.get(account) ?? {}
  }

  #putRow(account: string, row: LeaseRow): void {
    const { leases } = this.#environment
    void (Object.keys(row).length > 0 ? leases.put(account, row) : leases.remove(account))
  }
}

const endOfTerm = (now: number): number => now + streamLimits.leaseMs

/**
 * The leases of a row that have not ended at `now`. If a lease would end later than a whole term from now, it was renewed by a
 * clock that has been set back since. The time left is then unknown, so the lease gets one term from now. (A smaller excess is
 * normal: this decision waited up to `STORE_TIMEOUT_MS` for its turn, and the lease was renewed meanwhile.)
 */
function unexpired(row: LeaseRow, now: number): LeaseRow {
  const last = endOfTerm(now)
  const ends = Object.entries(row).filter(([, end]) => now < end)
  return Object.fromEntries(ends.map(([lease, end]) => [lease, end > last + STORE_TIMEOUT_MS ? last : end]))
}
