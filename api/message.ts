import type { IncomingMessage } from 'node:http'

/** Fault of a request as an HTTP message (RFC 9112, 2.3 and 3.2), which Node's parser lets through. */
export function faultOfMessage({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return `HTTP/${httpVersion} is not spoken here; HTTP/1.1 and HTTP/1.0 are.`
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts > 1) return `A request has one Host header; this one has ${hosts}.`
  return hosts === 0 && httpVersion === '1.1'
    ? 'A request of HTTP/1.1 has a Host header; this one has none.'
    : undefined
}
