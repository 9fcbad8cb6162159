import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { ProblemError } from '../contracts/problems.ts'
import { acceptsJson } from './accept.ts'
import type { ApiGate, Caller } from './deps.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Account and plan of the request's key; null if no key is needed or none was accepted. */
    caller: Caller | null
  }
}

export type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void

/** Checks the key, then the burst limit, before the Accept header, the parameters and the body. */
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

/** Lets pages of any origin read an operation that needs no key. */
export const open: Hook = (request, reply, done) => {
  reply.header('access-control-allow-origin', '*')
  requireJson(request)
  done()
}

/** Refuses a request whose Accept header excludes JSON. */
function requireJson({ headers }: FastifyRequest): void {
  if (!acceptsJson(headers.accept)) {
    throw new ProblemError('not_acceptable', 'The Accept header does not allow application/json.')
  }
}

/** Sets the rate limit headers of an authenticated answer, problems included: how much of each allowance is left. */
export function stampRateLimit(gate: ApiGate, request: FastifyRequest, reply: FastifyReply): void {
  const { caller } = request
  if (!caller) return
  const { policy, limit } = gate.rateLimit(caller)
  reply.header('ratelimit-policy', policy)
  reply.header('ratelimit', limit)
}
