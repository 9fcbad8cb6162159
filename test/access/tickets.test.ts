import { expect, it } from 'vitest'
import { isTicket, isTicketAlive, newTicket } from '../../access/tickets.ts'
import { streamLimits } from '../../contracts/streams.ts'

it('a ticket is 43 characters of base64url, and nothing around them', () => {
  const ticket = newTicket()
  expect([ticket, `${ticket}x`, `x${ticket}`, ticket.slice(1), `${ticket.slice(1)}=`].map(isTicket)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

it('a ticket is alive until its end, and not where its end is further off than it lives', () => {
  const { ticketLifetimeMs } = streamLimits
  const ages = [-1, 0, ticketLifetimeMs - 1, ticketLifetimeMs]
  expect(ages.map((age) => isTicketAlive(ticketLifetimeMs, age))).toEqual([false, true, true, false])
})
