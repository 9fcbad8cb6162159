import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'

const requestId = /^[A-Za-z0-9_-]{8,64}$/

/** Random prefix of this process. A request id is the prefix and a count, which is much cheaper than a random id each. */
const processPrefix = randomBytes(9).toString('base64url')
let count = 0

/** The request id that the client sent, if it is well-formed; else a new one. */
export const requestIdOf = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['request-id']
  return typeof given === 'string' && requestId.test(given) ? given : `${processPrefix}-${(++count).toString(36)}`
}

/** Sets the headers of every answer: its request id, and that browsers must not guess its type. */
export function stampAnswer(reply: FastifyReply): void {
  reply.header('request-id', reply.request.id)
  reply.header('x-content-type-options', 'nosniff')
}

export function vary(reply: FastifyReply, header: string): void {
  const already = reply.getHeader('vary')
  reply.header('vary', already ? `${already}, ${header}` : header)
}
