import { AccessError } from './error.ts'
import type { KeyKind } from './key.ts'

/** Any port of this machine, for pages under development; test keys only. */
export const localhostPatterns: readonly string[] = ['http://localhost:*', 'http://127.0.0.1:*']

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Checks an origin for which a key may issue stream tickets: exact scheme, host and port, as a browser sends it in
 * `Origin`; `https` except on this machine. Throws `invalid_origin`, with the spelling that would do where there is one.
 */
export function checkOrigin(origin: string, kind: KeyKind): string {
  if (localhostPatterns.includes(origin)) {
    if (kind === 'test') return origin
    throw new AccessError('invalid_origin', `${quoted(origin)}: only a test key may allow every port`)
  }
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  // A star is a character like any other in a host name, and would never match.
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

/** Whether a browser's `Origin` is among a key's allowed origins. */
export const isOriginAllowed = (origin: string, allowed: readonly string[]): boolean =>
  allowed.some((entry) => (localhostPatterns.includes(entry) ? isAnyPortOf(entry, origin) : entry === origin))

function isAnyPortOf(pattern: string, origin: string): boolean {
  const host = pattern.slice(0, -':*'.length)
  if (!origin.startsWith(host) || !/^(?::\d{1,5})?$/.test(origin.slice(host.length))) return false
  // A port that browsers leave out or don't know would make a ticket that nobody can redeem.
  return URL.canParse(origin) && new URL(origin).origin === origin
}

const quoted = (text: string): string => JSON.stringify(text)
