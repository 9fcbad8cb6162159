import { revoked } from '../../access/gate.ts'
import { isOriginAllowed } from '../../access/origin.ts'
import { includesStream } from '../../access/stream-door.ts'
import type { TicketGrant } from '../../access/tickets.ts'
import { ticketOperationId } from '../../contracts/operations.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { type StreamName, streamNames, streamPath } from '../../contracts/streams.ts'
import type { StreamTicketRequest } from '../../contracts/tickets.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import type { ApiDeps, Caller } from '../deps.ts'
import { type Handler, type Handlers, handler, type Input } from '../execute.ts'

type TicketInput = Input & { readonly body: StreamTicketRequest }
type Deps = Pick<ApiDeps, 'tickets' | 'streamBase' | 'clock'>

/** Tickets for the three streams: what a server that holds a key gets for a page of its own, which must not hold one. */
export const ticketHandlers = (deps: Deps, render: Render): Handlers =>
  Object.fromEntries(streamNames.map((stream) => [ticketOperationId(stream), ticketHandler(stream, deps, render)]))

const ticketHandler = (stream: StreamName, deps: Deps, render: Render): Handler =>
  handler<TicketInput, TicketGrant>({
    ask: ({ body: { origin } }, caller) => {
      if (!caller) throw new Error('a ticket is asked for without a caller')
      requireEntitled(caller, stream, origin)
      return { keyId: caller.keyId, stream, origin }
    },
    answer: (grant) => issue(grant, deps, render),
  })

function requireEntitled({ plan, limits, key }: Caller, stream: StreamName, origin: string): void {
  if (!includesStream(limits, stream)) {
    throw new ProblemError('plan_upgrade_required', `The plan ${plan} does not include the ${stream} stream.`)
  }
  if (!isOriginAllowed(origin, key.origins)) {
    const named = JSON.stringify(origin.slice(0, 200))
    throw new ProblemError('origin_not_allowed', `${named} is not among the origins that this key allows.`)
  }
}

async function issue(grant: TicketGrant, { tickets, streamBase, clock }: Deps, render: Render): Promise<Answer> {
  const issued = await tickets.issue(grant, clock().getTime())
  if (issued.outcome === 'revoked') throw revoked()
  const { stream, origin } = grant
  const { ticket, expiresAt } = issued
  const body = {
    ...{ ticket, stream, origin },
    expires_at: new Date(expiresAt).toISOString(),
    url: `${streamBase}${streamPath(stream)}?ticket=${ticket}`,
  }
  return render(ticketOperationId(stream), body, caching.never)
}
