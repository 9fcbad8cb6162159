import { randomUUID } from 'node:crypto'
import { streamLimits } from '../../contracts/streams.ts'
import type { LeaseDecision, Leases } from '../leases.ts'
import { type AccessEnvironment, inTime, PATIENCE_MS } from './environment.ts'
import type { EmbeddedRevocations } from './revocations.ts'

/** When each lease of a key ends, UTC ms, by the lease's name. */
type Row = Readonly<Record<string, number>>

/** Leases in LMDB, one row a key with all that it holds: each decision reads and writes that row in one transaction. */
export class EmbeddedLeases implements Leases {
  readonly #environment: AccessEnvironment
  readonly #revocations: EmbeddedRevocations

  constructor(environment: AccessEnvironment, revocations: EmbeddedRevocations) {
    this.#environment = environment
    this.#revocations = revocations
  }

  take(keyId: string, limit: number, now: number): Promise<LeaseDecision> {
    return this.#decide<LeaseDecision>(keyId, now, (running) => {
      if (this.#revocations.isRevoked(keyId)) return [running, { outcome: 'revoked' }]
      if (Object.keys(running).length >= limit) return [running, { outcome: 'limit' }]
      const lease = randomUUID()
      return [
        { ...running, [lease]: endOfTerm(now) },
        { outcome: 'granted', lease },
      ]
    })
  }

  renew(keyId: string, leases: readonly string[], now: number): Promise<readonly string[]> {
    return this.#decide(keyId, now, (running) => {
      if (this.#revocations.isRevoked(keyId)) return [running, leases]
      const kept = leases.filter((lease) => Object.hasOwn(running, lease))
      const renewed = Object.fromEntries(kept.map((lease) => [lease, endOfTerm(now)]))
      return [{ ...running, ...renewed }, leases.filter((lease) => !kept.includes(lease))]
    })
  }

  async release(keyId: string, lease: string): Promise<void> {
    // Good whenever it comes, unlike the decisions that go by a time.
    const write = this.#environment.write(() => {
      const { [lease]: released, ...others } = this.#rowOf(keyId)
      if (released !== undefined) this.#keep(keyId, others)
    })
    await inTime(write)
  }

  count(keyId: string, now: number): number {
    return Object.keys(
      running(
        this.#environment.read(() => this.#rowOf(keyId)),
        now,
      ),
    ).length
  }

  /** What has ended is dropped and what ends too late is brought forward, whatever is decided. */
  #decide<T>(keyId: string, now: number, decide: (running: Row) => readonly [Row, T]): Promise<T> {
    return this.#environment.decide(() => {
      const [row, decision] = decide(running(this.#rowOf(keyId), now))
      this.#keep(keyId, row)
      return decision
    })
  }

  #rowOf(keyId: string): Row {
    return this.#environment.leases.get(keyId) ?? {}
  }

  #keep(keyId: string, row: Row): void {
    const { leases } = this.#environment
    void (Object.keys(row).length > 0 ? leases.put(keyId, row) : leases.remove(keyId))
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
