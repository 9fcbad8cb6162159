import { AccessError } from './error.ts'
import type { KeyKind } from './key.ts'

/** Every port of the developer's machine, for pages under development. Test keys only. */
export const localhostPatterns: readonly string[] = ['http://localhost:*', 'http://127.0.0.1:*']

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Checks an origin for which a key may issue stream tickets. It must be the exact scheme, host and port that a browser sends in
 * `Origin`, with `https` except for localhost. Throws `invalid_origin`, which names the right spelling where there is one.
 */
export function checkOrigin(origin: string, kind: KeyKind): string {
  if (localhostPatterns.includes(origin)) {
    if (kind === 'test') return origin
    throw new AccessError('invalid_origin', `${quoted(origin)}: only a test key may allow every port`)
  }
  const url = URL.parse(origin)
  // In a host name a star is an ordinary character, so such an origin would never match.
  if (!url || !['http:', 'https:'].includes(url.protocol) || origin.includes('*')) {
    throw new AccessError('invalid_origin', `${quoted(origin)} is not an origin such as https://app.example.com`)
  }
  if (url.protocol === 'http:' && !loopback.test(url.hostname)) {
    throw new AccessError('invalid_origin', `${quoted(origin)}: http is for localhost only, use https`)
  }
  if (url.origin !== origin) {
    throw new AccessError('invalid_origin', `${quoted(origin)}: browsers send ${quoted(url.origin)}, use that`)
  }
  return origin
}

/** Whether the allowed origins of a key include a browser's `Origin`. */
export const isOriginAllowed = (origin: string, allowed: readonly string[]): boolean =>
  allowed.some((entry) => (localhostPatterns.includes(entry) ? isAnyPortOf(entry, origin) : entry === origin))

function isAnyPortOf(pattern: string, origin: string): boolean {
  const host = pattern.slice(0, -':*'.length)
  if (!origin.startsWith(host) || !/^(?::\d{1,5})?$/.test(origin.slice(host.length))) return false
  // Browsers leave default ports out and do not know ports above 65535. A ticket for such an origin could never be redeemed.
  return URL.parse(origin)?.origin === origin
}

const quoted = (text: string): string => JSON.stringify(text)
