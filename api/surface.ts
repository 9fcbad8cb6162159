/** Surfaces in the form of other interfaces, such as FRED and SDMX, beside the operations of `/v1`. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiGate, Caller } from './deps.ts'
import type { Executable, ExecuteFor, OperationInput } from './execute.ts'
import { goneSignal } from './gone.ts'
import { admitted, stampRateLimit } from './guard.ts'
import { vary } from './headers.ts'
import { sendAnswer } from './send-answer.ts'

/** A request of a surface as the executor and the handlers of a day know it. The tag names the surface. */
export type SurfaceCall = Executable & { readonly tag: string }

/** Each request that reads is one call of the quota. */
export const surfaceCall = (tag: string, id: string): SurfaceCall => ({ id, access: 'charged', tag })

type Surface = {
  readonly callerOf: (gate: ApiGate, request: FastifyRequest) => Caller
  readonly asked: (request: FastifyRequest) => { readonly call: Executable; readonly input: OperationInput }
  /** Whether the Accept header decides on the form of the answer. */
  readonly negotiates: boolean
}

/** Adds a route of a surface, also as of a day. */
export function surfaceRoute(
  app: FastifyInstance,
  { url, gate, executeFor }: { readonly url: string; readonly gate: ApiGate; readonly executeFor: ExecuteFor },
  { callerOf, asked, negotiates }: Surface,
): void {
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const { call, input } = asked(request)
    const answer = await executeFor(request.raw)(call, input, request.caller, () => goneSignal(reply))
    stampRateLimit(gate, request, reply)
    if (negotiates) vary(reply, 'accept')
    reply.header('cache-control', answer.cacheControl)
    sendAnswer(request, reply, answer, true)
    return reply
  }
  const onRequest = admitted(gate, (request) => callerOf(gate, request))
  app.route({ method: 'GET', url, config: { isDated: true }, onRequest, handler })
}
