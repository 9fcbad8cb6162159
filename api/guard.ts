import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { ProblemError } from '../contracts/problems.ts'
import { type MediaType, mediaTypes, preferredType } from './accept.ts'
import type { ApiGate, Caller } from './deps.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Account and plan of the request's key; null if no key is needed or none was accepted. */
    caller: Caller | null
  }
}

export type Hook = (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction) => void

const jsonOnly: readonly MediaType[] = [mediaTypes.json]

/** Finds the caller, then checks the burst limit, and then what else has to hold. */
export const admitted =
  (gate: ApiGate, callerOf: (request: FastifyRequest) => Caller, further = (_: FastifyRequest): void => {}): Hook =>
  (request, _reply, done) => {
    const caller = callerOf(request)
    request.caller = caller
    const counted = gate.burst(caller)
    if (counted instanceof Promise) counted.then(() => further(request)).then(() => done(), done)
    else {
      further(request)
      done()
    }
  }

/** Checks the key, then the burst limit, before the Accept header, the parameters and the body. */
export const keyed = (gate: ApiGate, offered = jsonOnly): Hook =>
  admitted(
    gate,
    (request) => callerOf(gate, request),
    (request) => requireAcceptable(request, offered),
  )

/** Reads may be signed in to by HTTP Basic, too. */
export const callerOf = (gate: ApiGate, { method, headers: { authorization } }: FastifyRequest): Caller =>
  isReadMethod(method) ? gate.authenticateRead(authorization) : gate.authenticate(authorization)

export const isReadMethod = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Lets an operation be read without a key. */
export const open =
  (offered = jsonOnly): Hook =>
  (request, _reply, done) => {
    requireAcceptable(request, offered)
    done()
  }

/** Refuses a request whose Accept header excludes every media type of the operation. */
function requireAcceptable({ headers }: FastifyRequest, offered: readonly MediaType[]): void {
  if (!preferredType(headers.accept, offered)) {
    throw new ProblemError('not_acceptable', `The Accept header does not allow ${offered.join(' or ')}.`)
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
