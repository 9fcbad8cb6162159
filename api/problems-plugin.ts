import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { STATUS_CODES } from '../base/process/http.ts'
import { problems, toProblem } from '../contracts/problems.ts'
import { problemOn } from './as-of/address.ts'
import { withChallenge } from './challenge.ts'
import type { ApiDeps } from './deps.ts'
import { isFredPath } from './fred/calls.ts'
import { fredError } from './fred/error-body.ts'
import { stampRateLimit } from './guard.ts'
import { icebergError, isIcebergPath } from './iceberg/error-body.ts'
import { publicSite } from './pages/page.ts'
import { logProblem, problemHeaders, problemOf, routedPath, sendProblem, shownPath } from './problem.ts'
import { isSdmxPath } from './sdmx/calls.ts'
import { sdmxError } from './sdmx/error-body.ts'

type SendProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Makes the function that answers every error over HTTP. It logs the service's own faults with the request's id. */
export const problemSender =
  ({ gate, logger }: Pick<ApiDeps, 'gate' | 'logger'>): SendProblem =>
  (error, request, reply) => {
    const { moment } = request.raw
    const found = withChallenge(problemOf(error), routedPath(request.url))
    const problem = moment === undefined ? found : problemOn(moment, found)
    const path = shownPath(request.originalUrl)
    logProblem(logger, problem, error, { code: problem.code, request_id: request.id, method: request.method, path })
    stampRateLimit(gate, request, reply)
    const routed = routedPath(request.url)
    if (isFredPath(routed) || isSdmxPath(routed)) {
      const { contentType, body } = isFredPath(routed)
        ? fredError(problem, request.url)
        : sdmxError(problem, request.headers.accept)
      reply.code(problems[problem.code].status).headers(problemHeaders(problem)).type(contentType).send(body)
    } else if (isIcebergPath(routed)) {
      reply.code(problems[problem.code].status).headers(problemHeaders(problem))
      reply.type('application/json').send(JSON.stringify(icebergError(problem, path)))
    } else sendProblem(problem, request, reply, publicSite)
  }

/** Answers a connection that sent no readable request: bytes that aren't HTTP, too long a head, or a client that is too slow. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const slow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const status = slow ? 408 : 400
  const detail = 'The request is not valid HTTP, or its request line and headers are too long.'
  const body = slow ? '' : JSON.stringify(toProblem('invalid_query', detail, requestId, ''))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    `Request-Id: ${requestId}`,
    ...(body ? ['Content-Type: application/problem+json; charset=utf-8'] : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // A client that never closes its side would keep the descriptor. Destroying it now could lose the answer.
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/** How long a socket stays open after a refusal if the client doesn't close it, ms. */
const LINGER_MS = 1_000
