import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { ProblemError } from '../contracts/problems.ts'
import { acceptsJson } from './accept.ts'
import type { ApiGate, Caller } from './deps.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who holds the key that the request brought; null where none is needed or none was accepted. */
    caller: Caller | null
  }
}

export type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void

/** First key, then burst limit: both are judged before anything else of the request is looked at. */
export const keyed =
  (gate: ApiGate): Hook =>
  (request, _reply, done) => {
    const caller = gate.authenticate(request.headers.authorization)
    request.caller = caller
    const counted = gate.burst(caller)
    if (counted instanceof Promise) counted.then(() => requireJson(request)).then(() => done(), done)
    else {
      requireJson(request)
      done()
    }
  }

/** What needs no key may be read by anyone's page. */
export const open: Hook = (request, reply, done) => {
  reply.header('access-control-allow-origin', '*')
  requireJson(request)
  done()
}

/** Refuses a client that could not read the answer. */
function requireJson({ headers }: FastifyRequest): void {
  if (!acceptsJson(headers.accept)) {
    throw new ProblemError('not_acceptable', 'The Accept header lets no application/json through.')
  }
}

/** Every authenticated answer, problems included, says how much of each allowance is left. */
export function stampRateLimit(gate: ApiGate, request: FastifyRequest, reply: FastifyReply): void {
  const { caller } = request
  if (!caller) return
  const { policy, limit } = gate.rateLimit(caller)
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', limit)
}
