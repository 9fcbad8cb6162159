/**
 * What every adapter of the ticket port must do. An adapter's test calls `ticketsContract` with a harness. Time is the
 * test's own.
 */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Revocations } from '../../access/revocations.ts'
import type { TicketGrant, Tickets } from '../../access/tickets.ts'
import { streamLimits } from '../../contracts/streams.ts'
import { AccessProcess } from '../access/support/access-process.ts'
import { newKeyId } from './quota-contract.ts'

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

export const ticketGrant = (of: Partial<TicketGrant> = {}): TicketGrant => ({
  ...{ keyId: newKeyId(), stream: 'prices', origin: 'https://app.example.com' },
  ...of,
})

/** Issues a ticket that there must be. */
export async function issueTicket(tickets: Tickets, grant: TicketGrant, now: number): Promise<string> {
  const decision = await tickets.issue(grant, now)
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
      const grant = ticketGrant({ stream: 'predictions' })
      const issued = await one.tickets.issue(grant, NOON)
      expect(issued).toMatchObject({ outcome: 'issued', expiresAt: NOON + 30_000 })
      const ticket = 'ticket' in issued ? issued.ticket : ''
      expect(ticket).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(await issueTicket(one.tickets, grant, NOON)).not.toBe(ticket)
      expect(await other.tickets.redeem(ticket, NOON)).toEqual(grant)
    })

    it('redeems a ticket once', async () => {
      const [one, other] = [await open(), await open()]
      const ticket = await issueTicket(one.tickets, ticketGrant(), NOON)
      expect(await other.tickets.redeem(ticket, NOON)).toBeDefined()
      for (const { tickets } of [one, other]) expect(await tickets.redeem(ticket, NOON)).toBeUndefined()
    })

    it('lets one of 1,000 that redeem a ticket at once succeed', async () => {
      const clients = [await open(), await open()]
      const ticket = await issueTicket((await open()).tickets, ticketGrant(), NOON)
      const redeeming = Array.from({ length: 1_000 }, (_, i) => clients[i % 2]?.tickets.redeem(ticket, NOON))
      expect((await Promise.all(redeeming)).filter((grant) => grant !== undefined)).toHaveLength(1)
    })

    it('redeems until the last millisecond of its life, and spends it in any case', async () => {
      const { tickets } = await open()
      const [last, late] = [
        await issueTicket(tickets, ticketGrant(), NOON),
        await issueTicket(tickets, ticketGrant(), NOON),
      ]
      expect(await tickets.redeem(last, NOON + LIFETIME - 1)).toBeDefined()
      expect(await tickets.redeem(late, NOON + LIFETIME)).toBeUndefined()
      expect(await tickets.redeem(late, NOON)).toBeUndefined()
    })

    it('knows nothing of what it has not issued', async () => {
      const { tickets } = await open()
      for (const text of ['', 'A'.repeat(43), 'A'.repeat(42), 'A'.repeat(100_000), '__proto__', '💸'.repeat(43)]) {
        expect(await tickets.redeem(text, NOON)).toBeUndefined()
      }
    })

    it('issues none to a revoked key, on any client', async () => {
      const [one, other] = [await open(), await open()]
      const grant = ticketGrant()
      await one.revocations.revoke(grant.keyId)
      expect(await other.tickets.issue(grant, NOON)).toEqual({ outcome: 'revoked' })
    })

    it('lets one of 1,000 redemptions in two processes succeed', async () => {
      const { tickets } = await open()
      const ticket = await issueTicket(tickets, ticketGrant(), Date.now())
      const processes = [1, 2].map(() => new AccessProcess([...process, 'redeem', ticket, 500]))
      await Promise.all(processes.map((each) => each.says('ready')))
      for (const each of processes) each.go()
      await Promise.all(processes.map((each) => each.finish()))
      expect(processes.reduce((sum, each) => sum + each.grants(), 0)).toBe(1)
    })
  })
}
