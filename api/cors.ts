import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSecretAddress } from './address-key.ts'
import { isReadMethod } from './guard.ts'
import { vary } from './headers.ts'

const exposed =
  'ETag, Link, RateLimit, RateLimit-Policy, Request-Id, Retry-After, Almanac-Source, Almanac-Released-On-Basis, Almanac-Periods-Ended-Since'
const accepted =
  'Authorization, Content-Type, Range, If-None-Match, Request-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name'

/** Methods that a preflight of a read allows. Browsers remember them for the address, so a POST must not be among them. */
const READ_METHODS = 'GET, HEAD'

/**
 * Tells browsers which pages may read an answer (Fetch standard, CORS protocol).
 *
 * - GET and HEAD: those of any origin. A page can only read what it has a key for and sends in a header, because credentials
 *   that a browser keeps are never allowed. Addresses with a key of their own are left out: whoever holds one needs nothing
 *   else, so a link to it must be of no use to a page.
 * - Everything else: those of the configured origins.
 */
export function allowOrigin(origins: readonly string[], request: FastifyRequest, reply: FastifyReply): void {
  const { origin, 'access-control-request-method': wanted } = request.headers
  const isPreflight = request.method === 'OPTIONS'
  if (isReadMethod(isPreflight ? String(wanted) : request.method)) {
    if (isSecretAddress(request)) return
    allow(reply, '*', isPreflight)
    if (isPreflight) reply.header('access-control-allow-methods', READ_METHODS)
    return
  }
  if (origins.length === 0) return
  vary(reply, 'origin')
  if (origin !== undefined && origins.includes(origin)) allow(reply, origin, isPreflight)
}

function allow(reply: FastifyReply, origin: string, isPreflight: boolean): void {
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', exposed)
  if (!isPreflight) return
  reply.header('access-control-allow-headers', accepted)
  reply.header('access-control-max-age', '600')
}
