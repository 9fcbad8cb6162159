import { randomUUID } from 'node:crypto'
import { streamLimits } from '../../contracts/streams.ts'
import type { Identity } from '../identity.ts'
import type { LeaseDecision, Leases } from '../leases.ts'
import { type AccessEnvironment, withinPatience } from './environment.ts'
import { PATIENCE_MS } from './patience.ts'
import type { EmbeddedRevocations } from './revocations.ts'

/** When each lease of an account ends, UTC ms, by the lease's name. */
type Row = Readonly<Record<string, number>>

/** Leases in LMDB, one row an account with all that it holds: each decision reads and writes it in one transaction. */
export class EmbeddedLeases implements Leases {
  readonly #environment: AccessEnvironment
  readonly #revocations: EmbeddedRevocations

  constructor(environment: AccessEnvironment, revocations: EmbeddedRevocations) {
    this.#environment = environment
    this.#revocations = revocations
  }

  take(who: Identity, limit: number, now: number): Promise<LeaseDecision> {
    return this.#decide<LeaseDecision>(who, now, (running) => {
      if (this.#revocations.isRevoked(who)) return [running, { outcome: 'revoked' }]
      if (Object.keys(running).length >= limit) return [running, { outcome: 'limit' }]
      const lease = randomUUID()
      return [
        { ...running, [lease]: endOfTerm(now) },
        { outcome: 'granted', lease },
      ]
    })
  }

  renew(who: Identity, leases: readonly string[], now: number): Promise<readonly string[]> {
    return this.#decide(who, now, (running) => {
      if (this.#revocations.isRevoked(who)) return [running, leases]
      const kept = leases.filter((lease) => Object.hasOwn(running, lease))
      const renewed = Object.fromEntries(kept.map((lease) => [lease, endOfTerm(now)]))
      return [{ ...running, ...renewed }, leases.filter((lease) => !kept.includes(lease))]
    })
  }

  async release({ account }: Identity, lease: string): Promise<void> {
    // Good whenever it comes, unlike the decisions that go by a time.
    const write = this.#environment.write(() => {
      const { [lease]: released, ...others } = this.#rowOf(account)
      if (released !== undefined) this.#keep(account, others)
    })
    await withinPatience(write)
  }

  count({ account }: Identity, now: number): number {
    return Object.keys(
      running(
        this.#environment.read(() => this.#rowOf(account)),
        now,
      ),
    ).length
  }

  /** What has ended is dropped and what ends too late is brought forward, whatever is decided. */
  #decide<T>({ account }: Identity, now: number, decide: (running: Row) => readonly [Row, T]): Promise<T> {
    return this.#environment.decide(() => {
      const [row, decision] = decide(running(this.#rowOf(account), now))
      this.#keep(account, row)
      return decision
    })
  }

  #rowOf(account: string): Row {
    return this.#environment.leases.get(account) ?? {}
  }

  #keep(account: string, row: Row): void {
    const { leases } = this.#environment
    void (Object.keys(row).length > 0 ? leases.put(account, row) : leases.remove(account))
  }
}

const endOfTerm = (now: number): number => now + streamLimits.leaseMs

/**
 * The leases of a row that run on at `now`. One that would end later than a whole term from now was renewed by a clock
 * that has been set back since: how much of it is left can't be known, so it has one term from now. (Or else this
 * decision has waited for its turn, at most `PATIENCE_MS`, and the lease was renewed meanwhile.)
 */
function running(row: Row, now: number): Row {
  const last = endOfTerm(now)
  const ends = Object.entries(row).filter(([, end]) => now < end)
  return Object.fromEntries(ends.map(([lease, end]) => [lease, end > last + PATIENCE_MS ? last : end]))
}
