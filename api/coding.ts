import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { qualitiesIn } from './accept.ts'
import type { Answer } from './answer.ts'
import { vary } from './headers.ts'

/**
 * Settings of the compression plugin: codings, the preferred one first, the smallest body to compress, in bytes, and the media
 * types. The plugin would leave out types of CSV that are not its own, such as those of SDMX.
 */
export const compression = {
  encodings: ['br', 'gzip'],
  threshold: 1024,
  customTypes: /^text\/(?!event-stream)|[+/](?:json|text|xml|csv)(?:;|$)|octet-stream(?:;|$)/u,
} as const

/**
 * The coding that Accept-Encoding prefers among those offered (RFC 9110, 12.5.3); undefined for none. Between equals, the one
 * offered first wins. `*` is taken for gzip, because a client that sends it can read gzip.
 */
export function codingFor<C extends string>(acceptEncoding: string, offered: readonly C[]): C | undefined {
  const qualities = qualitiesIn(acceptEncoding)
  const gzip = qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0
  const qualityOf = (coding: C): number => (coding === 'gzip' ? gzip : (qualities.get(coding) ?? 0))
  const best = Math.max(...offered.map(qualityOf))
  if (best === 0 || best < (qualities.get('identity') ?? 0)) return undefined
  return offered.find((coding) => qualityOf(coding) === best)
}

/**
 * Returns the tag of a body in the coding that this request gets. A compressed body has other bytes, so it needs another
 * strong validator (RFC 9110, 8.8.3). The coding is decided before anything is compressed, so that a 304 has the tag that the
 * 200 would have had. The request's header is then rewritten, so that the compression plugin uses that coding.
 */
export function tagOfSent(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { body, bytes, etag }: Pick<Answer, 'body' | 'bytes' | 'etag'>,
): string {
  vary(reply, 'accept-encoding')
  const accepted = headers['accept-encoding']
  if (accepted === undefined) return etag
  const coding =
    (bytes?.length ?? Buffer.byteLength(body)) < compression.threshold
      ? undefined
      : codingFor(String(accepted), compression.encodings)
  headers['accept-encoding'] = coding ?? 'identity'
  // The plugin would obey this header and send a plain body under the tag of a compressed one.
  delete headers['x-no-compression']
  return coding ? `${etag.slice(0, -1)}-${coding}"` : etag
}

/**
 * Gives the answers to HEAD the headers of GET. Fastify's hook drops the body before the compression plugin has seen it, so
 * the hooks are put in reverse order. It also sends `Content-Length: 0` with a 304, which is removed. Call it after the
 * plugin is registered.
 */
export function alignHeadWithGet(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat().reverse(), withoutLength]
  })
}

const withoutLength: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length')
  done(null, payload)
}
