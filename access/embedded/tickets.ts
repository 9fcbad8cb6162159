import { streamLimits } from '../../contracts/streams.ts'
import {
  hashTicket,
  isTicket,
  isTicketAlive,
  newTicket,
  type TicketDecision,
  type TicketGrant,
  type TicketRequest,
  type Tickets,
} from '../tickets.ts'
import type { AccessEnvironment } from './environment.ts'
import type { EmbeddedRevocations } from './revocations.ts'

/** Tickets in LMDB, by their hashes. Whoever deletes one, in a transaction of its own, has redeemed it. */
export class EmbeddedTickets implements Tickets {
  readonly #environment: AccessEnvironment
  readonly #revocations: EmbeddedRevocations
  #sweptAt = Number.NEGATIVE_INFINITY

  constructor(environment: AccessEnvironment, revocations: EmbeddedRevocations) {
    this.#environment = environment
    this.#revocations = revocations
  }

  issue(request: TicketRequest, now: number): Promise<TicketDecision> {
    const { keyId, stream, origin } = request
    const ticket = newTicket()
    const expiresAt = now + streamLimits.ticketLifetimeMs
    return this.#environment.decide((): TicketDecision => {
      if (this.#revocations.isRevoked(request)) return { outcome: 'revoked' }
      this.#sweep(now)
      void this.#environment.tickets.put(hashTicket(ticket), { keyId, stream, origin, expiresAt })
      return { outcome: 'issued', ticket, expiresAt }
    })
  }

  async redeem(ticket: string, now: number): Promise<TicketGrant | undefined> {
    // Anyone may knock with any text: only what is there is worth a write.
    if (!isTicket(ticket) || !this.#isKnown(hashTicket(ticket))) return undefined
    const row = await this.#environment.decide(() => {
      const row = this.#environment.tickets.get(hashTicket(ticket))
      if (row) void this.#environment.tickets.remove(hashTicket(ticket))
      return row
    })
    if (!row || !isTicketAlive(row.expiresAt, now)) return undefined
    const { keyId, stream, origin } = row
    return { keyId, stream, origin }
  }

  #isKnown(name: string): boolean {
    const { tickets } = this.#environment
    return this.#environment.read(() => {
      if (tickets.doesExist(name)) return true
      // What is read within one turn is of one instant, and another process may have issued it since.
      tickets.resetReadTxn()
      return tickets.doesExist(name)
    })
  }

  /** Removes what nobody has redeemed in time: at most once a lifetime, so that an issue costs little. */
  #sweep(now: number): void {
    const since = now - this.#sweptAt
    if (since >= 0 && since < streamLimits.ticketLifetimeMs) return
    this.#sweptAt = now
    const { tickets } = this.#environment
    const ended = Array.from(tickets.getRange()).filter(({ value }) => value.expiresAt <= now)
    for (const { key } of ended) void tickets.remove(key)
  }
}
