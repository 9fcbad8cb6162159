import { streamLimits } from '../../contracts/streams.ts'
import {
  hashTicket,
  isTicket,
  isTicketAlive,
  newTicket,
  type Redemption,
  TICKET_KEPT_MS,
  type TicketDecision,
  type TicketRequest,
  type Tickets,
} from '../tickets.ts'
import type { TicketRow } from './engine.ts'
import type { AccessEnvironment } from './environment.ts'
import type { EmbeddedRevocations } from './revocations.ts'

type Used = Extract<TicketRow, { usedUntil: number }>
const isUsed = (row: TicketRow): row is Used => 'usedUntil' in row
const refusalOf = (row: Used | undefined): Redemption => ({ ok: false, why: row ? whyOf(row) : 'unknown' })
const whyOf = ({ wasLate }: Used) => (wasLate ? 'expired' : 'used')
const forgottenAt = (row: TicketRow): number =>
  isUsed(row) ? row.usedUntil : row.expiresAt - streamLimits.ticketLifetimeMs + TICKET_KEPT_MS

/** Tickets in LMDB, by their hashes. The transaction that marks a ticket as used redeems it. */
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
    const askedAt = this.#environment.time.now()
    return this.#environment.decide((): TicketDecision => {
      if (this.#revocations.isRevoked(request)) return { outcome: 'revoked' }
      // If the clock was set back meanwhile, tickets of others that were issued by the new clock are not old.
      this.#sweep(now - Math.max(0, askedAt - this.#environment.time.now()))
      void this.#environment.tickets.put(hashTicket(ticket), { keyId, stream, origin, expiresAt })
      return { outcome: 'issued', ticket, expiresAt }
    })
  }

  async redeem(ticket: string, now: number): Promise<Redemption> {
    // Any client may send any text, so only a ticket that can be redeemed costs a write.
    const known = isTicket(ticket) ? this.#find(hashTicket(ticket)) : undefined
    if (!known || isUsed(known)) return refusalOf(known)
    return this.#environment.decide((): Redemption => {
      const row = this.#environment.tickets.get(hashTicket(ticket))
      if (!row || isUsed(row)) return refusalOf(row)
      const wasLate = !isTicketAlive(row.expiresAt, now)
      void this.#environment.tickets.put(hashTicket(ticket), {
        usedUntil: forgottenAt(row),
        ...(wasLate && { wasLate }),
      })
      if (wasLate) return { ok: false, why: 'expired' }
      const { keyId, stream, origin } = row
      return { ok: true, grant: { keyId, stream, origin } }
    })
  }

  #find(name: string): TicketRow | undefined {
    const { tickets } = this.#environment
    return this.#environment.read(() => {
      const row = tickets.get(name)
      if (row) return row
      // LMDB answers all reads of one event loop turn from one snapshot. Another process may have issued the ticket since.
      tickets.resetReadTxn()
      return tickets.get(name)
    })
  }

  /** Removes tickets that are no longer remembered. Runs at most once in a ticket's lifetime, so that an issue costs little. */
  #sweep(now: number): void {
    const since = now - this.#sweptAt
    if (since >= 0 && since < streamLimits.ticketLifetimeMs) return
    this.#sweptAt = now
    const { tickets } = this.#environment
    const ended = Array.from(tickets.getRange()).filter(({ value }) => forgottenAt(value) <= now)
    for (const { key } of ended) void tickets.remove(key)
  }
}
