/** SDMX-REST: structures, availability and data for the clients of statistical offices, in both versions of the interface. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError } from '../../contracts/problems.ts'
import type { ApiGate } from '../deps.ts'
import type { ExecuteFor, OperationInput } from '../execute.ts'
import { goneSignal } from '../gone.ts'
import { type Hook, stampRateLimit } from '../guard.ts'
import { vary } from '../headers.ts'
import { shown } from '../invalid.ts'
import { sendAnswer } from '../send-answer.ts'
import { addressOf, type Interface, interfaces } from './addresses.ts'
import { notImplemented } from './faults.ts'
import { rawRequest } from './raw-request.ts'
import { resources, unservedResources } from './resources.ts'

/** What a handler of this surface is asked. `path` is what stands behind the name of the resource. */
export type SdmxInput = OperationInput & {
  readonly params: {
    readonly interface: Interface
    readonly resource: string
    readonly path: readonly string[]
    readonly accept: string | undefined
  }
  readonly query: Readonly<Record<string, string | readonly string[]>>
}

/** Adds the routes of the surface, also as of a day. */
export function sdmxRoutes(app: FastifyInstance, gate: ApiGate, executeFor: ExecuteFor): void {
  const admit: Hook = (request, _reply, done) => {
    const caller = gate.authenticateRead(request.headers.authorization)
    request.caller = caller
    const counted = gate.burst(caller)
    if (counted instanceof Promise) counted.then(() => done(), done)
    else done()
  }
  const respond = (version: Interface) => async (request: FastifyRequest, reply: FastifyReply) => {
    const {
      path: [resource = '', ...path],
      query,
    } = rawRequest(request.url, addressOf(version))
    const call = resources[version].get(resource)
    if (!call) throw unknownResource(version, resource)
    const { accept } = request.headers
    const input: SdmxInput = { params: { interface: version, resource, path, accept }, query }
    const answer = await executeFor(request.raw)(call, input, request.caller, () => goneSignal(reply))
    stampRateLimit(gate, request, reply)
    vary(reply, 'accept')
    reply.header('cache-control', answer.cacheControl)
    sendAnswer(request, reply, answer, true)
    return reply
  }
  for (const version of interfaces) {
    const url = `${addressOf(version)}/*`
    app.route({ method: 'GET', url, config: { isDated: true }, onRequest: admit, handler: respond(version) })
  }
}

function unknownResource(version: Interface, resource: string): ProblemError {
  const served = [...resources[version].keys()].join(', ')
  if (unservedResources.has(resource)) return notImplemented(`${resource} is not served here. Served are ${served}.`)
  return new ProblemError('route_not_found', `There is no ${shown(resource)} at ${addressOf(version)}. Use ${served}.`)
}
