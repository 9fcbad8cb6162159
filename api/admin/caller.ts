import { hash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { ProblemError } from '../../contracts/problems.ts'

/** Whether a server that listens on `host` can be reached from this machine only. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'))

/** The accepted authentication schemes, one header line each. Chromium asks for no password if one line names both. */
export const challenges: string[] = ['Basic realm="Almanac admin", charset="UTF-8"', 'Bearer']

/**
 * Throws `ProblemError` unless the request may use the admin port. It needs the token, as `Authorization: Bearer` or as the
 * password of `Basic`, which browsers ask for. If no token is configured, it must come from this machine.
 */
export function checkCaller(request: FastifyRequest, token: string): void {
  // Without a token, only the requested host name stops a page that rebinds its own name to 127.0.0.1.
  if (token === '' && !isLoopback(request.hostname))
    throw new ProblemError('origin_not_allowed', 'Use the host name localhost or 127.0.0.1.')
  if (token !== '' && !isSame(presented(request.headers.authorization ?? ''), token)) {
    throw new ProblemError('unauthorized', 'Send the admin token, as a bearer token or as a password.')
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') checkOrigin(request)
}

/** Refuses changes from pages of other sites, because a browser sends a password that it knows with their requests too. */
function checkOrigin({ headers, host }: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = headers
  const own = origin === undefined || URL.parse(origin)?.host === host
  if (own && (site === undefined || site === 'same-origin')) return
  throw new ProblemError('origin_not_allowed', 'Pages of other sites may not change anything here.')
}

function presented(authorization: string): string {
  const [, scheme = '', credentials = ''] = /^(Bearer|Basic) +([^ ]+)$/i.exec(authorization) ?? []
  if (scheme.toLowerCase() !== 'basic') return credentials
  const userAndPassword = Buffer.from(credentials, 'base64').toString('utf8')
  return userAndPassword.slice(userAndPassword.indexOf(':') + 1)
}

/** Compares two texts in constant time. Digests hide their lengths as well. */
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))
const digest = (text: string): Buffer => hash('sha256', text, 'buffer')
