import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Answer } from './answer.ts'
import { vary } from './headers.ts'

/** What the compressing plugin is set to: codings offered, the preferred one first, and the bytes that are worth it. */
export const compression = { encodings: ['br', 'gzip'], threshold: 1024 } as const

type Coding = (typeof compression.encodings)[number]

/**
 * The coding that Accept-Encoding prefers (RFC 9110, 12.5.3); undefined: none. `*` is taken for gzip, which whoever
 * sends it can surely read.
 */
export function codingFor(acceptEncoding: string): Coding | undefined {
  const qualities = new Map<string, number>()
  for (const item of acceptEncoding.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    qualities.set(coding, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  const br = qualities.get('br') ?? 0
  const gzip = qualities.get('gzip') ?? qualities.get('x-gzip') ?? qualities.get('*') ?? 0
  const best = Math.max(br, gzip)
  if (best === 0 || best < (qualities.get('identity') ?? 0)) return undefined
  return br === best ? 'br' : 'gzip'
}

/**
 * The tag of a body in the form in which this request is sent it: coded, it is other bytes, so another strong validator
 * (RFC 9110, 8.8.3). Decided before anything is compressed, so that a 304 names the tag that the 200 would have had; the
 * compressing plugin is then held to it.
 */
export function tagOfSent(
  { headers }: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { body, etag }: Pick<Answer, 'body' | 'etag'>,
): string {
  vary(reply, 'accept-encoding')
  const accepted = headers['accept-encoding']
  if (accepted === undefined) return etag
  const coding = Buffer.byteLength(body) < compression.threshold ? undefined : codingFor(String(accepted))
  headers['accept-encoding'] = coding ?? 'identity'
  // A switch of the plugin's own, which would leave the body plain under the tag of a coding.
  delete headers['x-no-compression']
  return coding ? `${etag.slice(0, -1)}-${coding}"` : etag
}

/**
 * Lets HEAD say what GET would: the framework's hook drops a body before the plugin's has seen it, so their order is
 * turned round; and it says of a 304 that the body were empty. For applications that compress, after the plugin.
 */
export function likenHeads(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat().reverse(), withoutLength]
  })
}

const withoutLength: onSendHookHandler = (_request, reply, payload, done) => {
  if (reply.statusCode === 304) reply.removeHeader('content-length')
  done(null, payload)
}
