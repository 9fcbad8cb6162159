import { Type } from '#typebox'
import { strict, Timestamp } from './scalars.ts'
import { streamNames } from './streams.ts'

const Origin = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'Origin of the page that will connect, as its browser sends it, e.g. https://app.example.com',
})

/** Body of a request for a ticket. */
export const StreamTicketRequest = strict({ origin: Origin }, { $id: 'StreamTicketRequest' })
export type StreamTicketRequest = Type.Static<typeof StreamTicketRequest>

export const StreamTicket = strict(
  {
    ticket: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'A secret, good for one connection' }),
    stream: Type.Union(streamNames.map((name) => Type.Literal(name))),
    origin: Origin,
    expires_at: Timestamp,
    url: Type.String({ description: 'The address to open the WebSocket at, with the ticket in it' }),
  },
  {
    $id: 'StreamTicket',
    description: 'A single-use ticket that opens one stream from a page of one origin, within 30 s',
  },
)
