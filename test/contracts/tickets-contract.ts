/**
 * What every adapter of the ticket port must do. An adapter's test calls `ticketsContract` with a harness. Time is the
 * test's own.
 */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Revocations } from '../../access/revocations.ts'
import type { Redemption, TicketRefusal, TicketRequest, Tickets } from '../../access/tickets.ts'
import { streamLimits } from '../../contracts/streams.ts'
import { AccessProcess } from '../access/support/access-process.ts'
import { newIdentity } from './quota-contract.ts'

export type TicketsClient = {
  readonly tickets: Tickets
  readonly revocations: Revocations
  readonly close: () => Promise<void>
}

export type TicketsHarness = {
  /** A further client of the same store. The suite closes it. */
  readonly connect: () => Promise<TicketsClient>
  /** What `access-process.ts` needs to open the same store: the adapter's name and where the store is. */
  readonly process: readonly [adapter: string, location: string]
}

const NOON = Date.UTC(2026, 8, 15, 12)
const LIFETIME = streamLimits.ticketLifetimeMs

export const ticketRequest = (of: Partial<TicketRequest> = {}): TicketRequest => ({
  ...newIdentity(),
  stream: 'prices',
  origin: 'https://app.example.com',
  ...of,
})

/** The redemption of a ticket that was asked for so. */
export const redemptionOf = ({ keyId, stream, origin }: TicketRequest): Redemption => ({
  ok: true,
  grant: { keyId, stream, origin },
})
const refused = (why: TicketRefusal): Redemption => ({ ok: false, why })

/** Issues a ticket that there must be. */
export async function issueTicket(tickets: Tickets, request: TicketRequest, now: number): Promise<string> {
  const decision = await tickets.issue(request, now)
  if (decision.outcome !== 'issued') throw new Error(`no ticket: ${decision.outcome}`)
  return decision.ticket
}

export function ticketsContract(name: string, { connect, process }: TicketsHarness): void {
  const open = async (): Promise<TicketsClient> => {
    const client = await connect()
    onTestFinished(() => client.close())
    return client
  }

  describe(`${name} tickets`, () => {
    it('issues 32 random bytes that end in 30 s, and redeems what it issued, on any client', async () => {
      const [one, other] = [await open(), await open()]
      const request = ticketRequest({ stream: 'predictions' })
      const issued = await one.tickets.issue(request, NOON)
      expect(issued).toMatchObject({ outcome: 'issued', expiresAt: NOON + 30_000 })
      const ticket = 'ticket' in issued ? issued.ticket : ''
      expect(ticket).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(await issueTicket(one.tickets, request, NOON)).not.toBe(ticket)
      expect(await other.tickets.redeem(ticket, NOON)).toEqual(redemptionOf(request))
    })

    it('redeems a ticket once, and says then that it was used', async () => {
      const [one, other] = [await open(), await open()]
      const ticket = await issueTicket(one.tickets, ticketRequest(), NOON)
      expect(await other.tickets.redeem(ticket, NOON)).toMatchObject({ ok: true })
      for (const { tickets } of [one, other]) expect(await tickets.redeem(ticket, NOON)).toEqual(refused('used'))
    })

    it('lets one of 1,000 that redeem a ticket at once succeed', async () => {
      const clients = [await open(), await open()]
      const ticket = await issueTicket((await open()).tickets, ticketRequest(), NOON)
      const redeeming = Array.from({ length: 1_000 }, (_, i) => clients[i % 2]?.tickets.redeem(ticket, NOON))
      expect((await Promise.all(redeeming)).filter((redemption) => redemption?.ok)).toHaveLength(1)
    })

    it('redeems until the last millisecond of its life, and spends it in any case', async () => {
      const { tickets } = await open()
      const [last, late] = [
        await issueTicket(tickets, ticketRequest(), NOON),
        await issueTicket(tickets, ticketRequest(), NOON),
      ]
      expect(await tickets.redeem(last, NOON + LIFETIME - 1)).toMatchObject({ ok: true })
      expect(await tickets.redeem(late, NOON + LIFETIME)).toEqual(refused('expired'))
      // Not even where the clock is set back; and what is said of it stays true.
      expect(await tickets.redeem(late, NOON)).toEqual(refused('expired'))
      expect(await tickets.redeem(late, NOON + LIFETIME + 1)).toEqual(refused('expired'))
      expect(await tickets.redeem(last, NOON + LIFETIME + 1)).toEqual(refused('used'))
    })

    it('knows nothing of what it has not issued', async () => {
      const { tickets } = await open()
      for (const text of ['', 'A'.repeat(43), 'A'.repeat(42), 'A'.repeat(100_000), '__proto__', '💸'.repeat(43)]) {
        expect(await tickets.redeem(text, NOON)).toEqual(refused('unknown'))
      }
    })

    it('issues none to a revoked key, on any client, but to others of its account', async () => {
      const [one, other] = [await open(), await open()]
      const request = ticketRequest()
      await one.revocations.revoke(request)
      expect(await other.tickets.issue(request, NOON)).toEqual({ outcome: 'revoked' })
      const next = ticketRequest(newIdentity(request.account))
      expect(await other.tickets.redeem(await issueTicket(one.tickets, next, NOON), NOON)).toEqual(redemptionOf(next))
    })

    it('lets one of 1,000 redemptions in two processes succeed', async () => {
      const { tickets } = await open()
      const ticket = await issueTicket(tickets, ticketRequest(), Date.now())
      const processes = [1, 2].map(() => new AccessProcess([...process, 'redeem', ticket, 500]))
      await Promise.all(processes.map((each) => each.says('ready')))
      for (const each of processes) each.go()
      await Promise.all(processes.map((each) => each.finish()))
      expect(processes.reduce((sum, each) => sum + each.grants(), 0)).toBe(1)
    })
  })
}
