import type { IncomingMessage } from 'node:http'

/**
 * Headers that may occur only once, by their names in lower case. Of several, Node takes the first, but a proxy in front may
 * have checked another one.
 */
const singleHeaders = new Map(['Host', 'Authorization', 'Origin'].map((header) => [header.toLowerCase(), header]))

/** Fault of a request as an HTTP message that Node's parser accepts (RFC 9112, 2.3 and 3.2; RFC 9110, 5.3). */
export function faultOfMessage({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return `HTTP/${httpVersion} is not supported. Use HTTP/1.1 or HTTP/1.0.`
  const seen = new Set<string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = singleHeaders.get(rawHeaders[i]?.toLowerCase() ?? '')
    if (header === undefined) continue
    if (seen.has(header)) return `A request may have only one ${header} header; this one has several.`
    seen.add(header)
  }
  return httpVersion === '1.1' && !seen.has('Host')
    ? 'An HTTP/1.1 request must have a Host header; this one has none.'
    : undefined
}
