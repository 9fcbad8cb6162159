import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from './answer.ts'
import { tagOfSent } from './coding.ts'
import { matchesTag } from './conditional.ts'

/** Content type of an answer that names none. */
export const JSON_UTF8 = 'application/json; charset=utf-8'

/** Sends the answer to a GET, or 304 if the client has it already. `compressed`: the compression plugin may encode the body. */
export function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Pick<Answer, 'body' | 'bytes' | 'contentType' | 'etag'>,
  compressed: boolean,
): void {
  const etag = compressed ? tagOfSent(request, reply, answer) : answer.etag
  reply.header('etag', etag)
  const known = request.headers['if-none-match']
  if (known !== undefined && matchesTag(known, etag)) {
    reply.code(304).send()
    return
  }
  reply.header('content-type', answer.contentType ?? JSON_UTF8)
  reply.send(answer.bytes ?? answer.body)
}
