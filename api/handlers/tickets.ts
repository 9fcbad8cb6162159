import { revoked } from '../../access/gate.ts'
import { isOriginAllowed } from '../../access/origin.ts'
import { includesStream } from '../../access/stream-door.ts'
import type { TicketRequest } from '../../access/tickets.ts'
import { simulatedSource } from '../../contracts/instruments.ts'
import { ticketOperationId } from '../../contracts/operations.ts'
import { ProblemError } from '../../contracts/problems.ts'
import { type StreamName, streamNames, streamPath } from '../../contracts/streams.ts'
import type { StreamTicketRequest } from '../../contracts/tickets.ts'
import { type Answer, caching, type Render } from '../answer.ts'
import type { ApiDeps, Caller } from '../deps.ts'
import { type Handler, type Handlers, handler, type OperationInput } from '../execute.ts'

type TicketInput = OperationInput & { readonly body: StreamTicketRequest }
type Deps = Pick<ApiDeps, 'tickets' | 'gate' | 'streamBase' | 'clock' | 'prices'>
type Question = { readonly request: TicketRequest; readonly caller: Caller }

/** Issues tickets for the streams. A server with a key requests one for a page of its own, which must not hold the key. */
export const ticketHandlers = (deps: Deps, render: Render): Handlers =>
  Object.fromEntries(streamNames.map((stream) => [ticketOperationId(stream), ticketHandler(stream, deps, render)]))

const ticketHandler = (stream: StreamName, deps: Deps, render: Render): Handler =>
  handler<TicketInput, Question>({
    ask: ({ body: { origin } }, caller) => {
      if (!caller) throw new Error('a ticket is asked for without a caller')
      requireEntitled(caller, stream, origin)
      return { request: { keyId: caller.keyId, account: caller.account, stream, origin }, caller }
    },
    answer: (question) => issue(question, deps, render),
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

async function issue(
  { request, caller }: Question,
  { tickets, gate, streamBase, clock, prices }: Deps,
  render: Render,
): Promise<Answer> {
  const [issued] = await Promise.all([
    tickets.issue(request, clock().getTime()),
    // A ticket costs no call, so the month's usage for the RateLimit header must be read here. The ticket does not depend on
    // it, so a failed read only leaves the header as it was.
    gate.usage(caller).catch(() => undefined),
  ])
  if (issued.outcome === 'revoked') throw revoked()
  const { stream, origin } = request
  const { ticket, expiresAt } = issued
  const body = {
    ticket,
    stream,
    origin,
    expires_at: new Date(expiresAt).toISOString(),
    url: `${streamBase}${streamPath(stream)}?ticket=${ticket}`,
  }
  const isSimulated = stream === 'prices' && prices.hasSimulated
  return render(ticketOperationId(stream), body, caching.never, isSimulated ? simulatedSource : undefined)
}
