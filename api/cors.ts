import type { FastifyReply, FastifyRequest } from 'fastify'
import { vary } from './headers.ts'

const exposed =
  'ETag, Link, RateLimit, RateLimit-Policy, Request-Id, Retry-After, Almanac-Source, Almanac-Released-On-Basis, Almanac-Periods-Ended-Since'
const accepted = 'Authorization, Content-Type, If-None-Match, Request-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name'

/** Allows pages of the configured origins to read answers (Fetch standard, CORS protocol). */
export function allowOrigin(origins: readonly string[], request: FastifyRequest, reply: FastifyReply): void {
  if (origins.length === 0) return
  vary(reply, 'origin')
  const { origin } = request.headers
  if (origin === undefined || !origins.includes(origin)) return
  reply.header('access-control-allow-origin', origin)
  reply.header('access-control-expose-headers', exposed)
  if (request.method === 'OPTIONS') {
    reply.header('access-control-allow-headers', accepted)
    reply.header('access-control-max-age', '600')
  }
}
