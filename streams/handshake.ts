import type { HttpRequest } from 'uWebSockets.js'
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

/** Fault of a handshake's credentials: a repeated Authorization, Origin or ticket, or an unknown query parameter. */
export function faultOfArrival(headers: Headers, query: URLSearchParams): HandshakeFault | undefined {
  for (const name of ['Authorization', 'Origin']) {
    const values = headers.get(name.toLowerCase()) ?? []
    if (values.length > 1) return bad(`A request may have only one ${name} header; this one has several.`)
  }
  for (const name of new Set(query.keys())) {
    if (name !== 'ticket') {
      return bad(`Unknown query parameter ${JSON.stringify(name.slice(0, 80))}. Known: ticket.`)
    }
    if (query.getAll(name).length > 1) return bad(`Query parameter ${name} is given more than once.`)
  }
  return undefined
}

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
