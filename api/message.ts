import type { IncomingMessage } from 'node:http'

/**
 * Headers that say who asks whom, as they are spelt. Node takes the first of several, and a proxy in front may have judged
 * another.
 */
const singleHeaders = new Map(['Host', 'Authorization', 'Origin'].map((header) => [header.toLowerCase(), header]))

/** Fault of a request as an HTTP message (RFC 9112, 2.3 and 3.2; RFC 9110, 5.3), which Node's parser lets through. */
export function faultOfMessage({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return `HTTP/${httpVersion} is not spoken here; HTTP/1.1 and HTTP/1.0 are.`
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = singleHeaders.get(rawHeaders[i]?.toLowerCase() ?? '')
    if (header === undefined) continue
    if (seen.has(header)) return `A request has one ${header} header; this one has several.`
    seen.add(header)
  }
  return httpVersion === '1.1' && !seen.has('Host')
    ? 'A request of HTTP/1.1 has a Host header; this one has none.'
    : undefined
}
