/** FRED-style surface: the addresses, parameters and forms that clients of FRED know. It is not FRED, nor endorsed by it. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerByHeaderOrAddress } from '../address-key.ts'
import type { ApiGate } from '../deps.ts'
import type { Executable, ExecuteFor } from '../execute.ts'
import { goneSignal } from '../gone.ts'
import { type Hook, stampRateLimit } from '../guard.ts'
import { sendAnswer } from '../send-answer.ts'
import { addresses } from './addresses.ts'
import { fredCalls } from './calls.ts'

/** What is executed at each address. */
const routes: readonly (readonly [url: string, call: Executable])[] = [
  [addresses.series, fredCalls.series],
  [addresses.observations, fredCalls.observations],
  [addresses.vintageDates, fredCalls.vintageDates],
  [addresses.search, fredCalls.search],
  [addresses.graph, fredCalls.graph],
  [addresses.graphBeside, fredCalls.graph],
]

/** Adds the routes of the surface, also as of a day. */
export function fredRoutes(app: FastifyInstance, gate: ApiGate, executeFor: ExecuteFor): void {
  const admit: Hook = (request, _reply, done) => {
    const caller = callerByHeaderOrAddress(gate, request)
    request.caller = caller
    const counted = gate.burst(caller)
    if (counted instanceof Promise) counted.then(() => done(), done)
    else done()
  }
  const respond = (call: Executable) => async (request: FastifyRequest, reply: FastifyReply) => {
    // The cast: Fastify's parser makes an object of every query string; `fieldsOf` checks its members.
    const input = { params: {}, query: request.query as Record<string, unknown> }
    const answer = await executeFor(request.raw)(call, input, request.caller, () => goneSignal(reply))
    stampRateLimit(gate, request, reply)
    reply.header('cache-control', answer.cacheControl)
    sendAnswer(request, reply, answer, true)
    return reply
  }
  for (const [url, call] of routes) {
    app.route({ method: 'GET', url, config: { isDated: true }, onRequest: admit, handler: respond(call) })
  }
}
