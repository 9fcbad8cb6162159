import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'

const requestId = /^[A-Za-z0-9_-]{8,64}$/

/** Unlike that of any other process; a count after it makes an id, at a fraction of a random one's cost. */
const process = randomBytes(9).toString('base64url')
let count = 0

/** The client's own id of a request if it is one that can be echoed, else a new one. */
export const requestIdOf = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['request-id']
  return typeof given === 'string' && requestId.test(given) ? given : `${process}-${(++count).toString(36)}`
}

/** On every answer: its id, and that a browser is not to guess its type. Pages add what they may load. */
export function stampAnswer(reply: FastifyReply): void {
  reply.header('request-id', reply.request.id)
  reply.header('x-content-type-options', 'nosniff')
}

export function vary(reply: FastifyReply, header: string): void {
  const already = reply.getHeader('vary')
  reply.header('vary', already ? `${already}, ${header}` : header)
}
