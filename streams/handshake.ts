import type { HttpRequest } from 'uWebSockets.js'
import { nearestText } from '../base/nearest.ts'
import type { ProblemCode } from '../contracts/problems.ts'

/** The headers of a request: names in lower case, the values of each in order of arrival. */
type Headers = ReadonlyMap<string, readonly string[]>

/** Why a request is refused over HTTP. */
export type HandshakeFault = {
  readonly status: '400 Bad Request' | '404 Not Found' | '426 Upgrade Required' | '503 Service Unavailable'
  readonly code: ProblemCode
  readonly detail: string
}

export function handshakeHeaders(request: HttpRequest): Headers {
  const headers = new Map<string, string[]>()
  request.forEach((name, value) => {
    const values = headers.get(name)
    if (values) values.push(value)
    else headers.set(name, [value])
  })
  return headers
}

/** Fault of the Host header of any request (RFC 9112, 3.2). uWebSockets.js already refuses requests without one. */
export function faultOfHost(headers: Headers): HandshakeFault | undefined {
  return headers.get('host')?.length === 1 ? undefined : bad('A request must have exactly one Host header.')
}

/** Fault of a request as a WebSocket handshake (RFC 6455, 4.2.1); undefined if it is a valid one. */
export function faultOfHandshake(headers: Headers): HandshakeFault | undefined {
  if (!hasToken(headers, 'upgrade', 'websocket')) return upgradeRequired('This address speaks WebSocket only.')
  if (!hasToken(headers, 'connection', 'upgrade'))
    return bad('A WebSocket handshake must have the header Connection: Upgrade.')
  const version = headers.get('sec-websocket-version')?.join(', ') ?? ''
  if (version !== '13') {
    return upgradeRequired(
      `Sec-WebSocket-Version is ${version ? `"${version.slice(0, 20)}"` : 'missing'}; it must be 13.`,
    )
  }
  const keys = headers.get('sec-websocket-key') ?? []
  if (keys.length !== 1 || !isNonce.test(keys[0] ?? '')) {
    return bad('A WebSocket handshake must have one Sec-WebSocket-Key: 16 bytes in base64.')
  }
  return undefined
}

/**
 * Fault of a handshake's credentials: a repeated Authorization, Origin or ticket. Other query parameters are ignored, because
 * a browser cannot see why a handshake is refused.
 */
export function faultOfArrival(headers: Headers, query: URLSearchParams): HandshakeFault | undefined {
  for (const name of ['Authorization', 'Origin']) {
    const values = headers.get(name.toLowerCase()) ?? []
    if (values.length > 1) return bad(`A request may have only one ${name} header; this one has several.`)
  }
  return query.getAll('ticket').length > 1 ? bad('Query parameter ticket is given more than once.') : undefined
}

/** Where clients find the streams, and REST if that is known. */
export type PublicAddresses = { readonly streamBase: string; readonly restBase?: string | undefined }

/** Fault of a path that is no stream's. `served`: paths of the streams. */
export function faultOfPath(
  path: string,
  served: readonly string[],
  { streamBase, restBase }: PublicAddresses,
): HandshakeFault {
  const shown = path.slice(0, MAX_SHOWN)
  const meant = nearestText(shown, served)
  const streams = served.map((known) => streamBase + known)
  const hint = meant
    ? `Did you mean ${streamBase}${meant}?`
    : `Streams: ${streams.join(', ')}.${restBase ? ` REST: ${restBase}.` : ''}`
  const detail = `No stream is served at ${shown}. ${hint}`
  return { status: '404 Not Found', code: 'route_not_found', detail }
}

/** Longest path that a message shows, in characters. */
const MAX_SHOWN = 200

/** 16 bytes in base64. */
const isNonce = /^[A-Za-z0-9+/]{21}[AQgw]==$/

/** Whether a comma-separated header contains a token, whatever its case. */
const hasToken = (headers: Headers, name: string, token: string): boolean =>
  (headers.get(name) ?? []).some((value) => value.split(',').some((each) => each.trim().toLowerCase() === token))

const bad = (detail: string): HandshakeFault => ({ status: '400 Bad Request', code: 'invalid_query', detail })
const upgradeRequired = (detail: string): HandshakeFault => ({
  status: '426 Upgrade Required',
  code: 'upgrade_required',
  detail,
})
