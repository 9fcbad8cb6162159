import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../../contracts/problems.ts'

/** Whether only this machine can reach what listens on `host`. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

/** How a caller may identify itself: a header line each. Chromium asks for no password where one line names both. */
export const challenges: string[] = ['Basic realm="Almanac admin", charset="UTF-8"', 'Bearer']

/**
 * Throws `ProblemError` unless the request may use the admin surface: with the token, as `Authorization: Bearer` or as the
 * password of `Basic`, which browsers ask for; without one configured, from this machine.
 */
export function checkCaller(request: FastifyRequest, token: string): void {
  // Without a token the name that was asked for is all there is against a page that rebinds its own to 127.0.0.1.
  if (token === '' && !isLoopback(request.hostname))
    throw new ProblemError('origin_not_allowed', 'Ask for it as localhost or 127.0.0.1.')
  if (token !== '' && !isSame(presented(request.headers.authorization ?? ''), token)) {
    throw new ProblemError('unauthorized', 'Send the admin token, as a bearer token or as a password.')
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') checkOrigin(request)
}

/** A browser says from whose page a request comes, and sends a password it knows along whoever's page that is. */
function checkOrigin({ headers, host }: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = headers
  const own = origin === undefined || URL.parse(origin)?.host === host
  if (own && (site === undefined || site === 'same-origin')) return
  throw new ProblemError('origin_not_allowed', 'Another site’s page may not change anything here.')
}

function presented(authorization: string): string {
  const [, scheme = '', credentials = ''] = /^(Bearer|Basic) +([^ ]+)$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() !== 'basic') return credentials
  const userAndPassword = Buffer.from(credentials, 'base64').toString('utf8')
  return userAndPassword.slice(userAndPassword.indexOf(':') + 1)
}

/** In a time that says nothing of either, not even the length. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
