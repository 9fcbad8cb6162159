import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { request as httpRequest } from '../../base/process/http.ts'
import { isPublicAddress } from './reach.ts'

export type HttpResponse = {
  readonly status: number
  /** Returns a header by its lower-case name. */
  readonly header: (name: string) => string | null
  /** The body, unpacked. Read it to its end or destroy it. */
  readonly body: Readable
}

/** The host's address lies in a private network, and only public ones may be asked. */
export class PrivateAddressError extends Error {}

/** True if Node's agents use the proxy of HTTP_PROXY and HTTPS_PROXY, except for the hosts in NO_PROXY. */
const isProxied = process.env.NODE_USE_ENV_PROXY === '1'

/** Sentence for an error of a connection, if a proxy is named that Node is not told to use; otherwise empty. */
export const unusedProxyAdvice = adviceFor(['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'])

function adviceFor(names: readonly string[]): string {
  const named = isProxied ? undefined : names.find((name) => process.env[name])
  return named === undefined ? '' : ` ${named} is set, but it is used only with NODE_USE_ENV_PROXY=1.`
}

/**
 * Sends one GET and follows no redirect. With `onlyPublic`, the address is checked when the connection is made, so that
 * the DNS answer can't change in between. A proxy looks names up itself, so it has to limit its own reach.
 * Throws `PrivateAddressError`, the reason of `signal`, or the platform's errors.
 */
export function send(
  url: URL,
  options: {
    readonly headers: Readonly<Record<string, string>>
    readonly onlyPublic: boolean
    readonly signal: AbortSignal
  },
): Promise<HttpResponse> {
  const { headers, onlyPublic, signal } = options
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (onlyPublic && isIP(host) > 0 && !isPublicAddress(host)) return Promise.reject(privateAddress(host, host))
  const ask = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = ask(url, {
      headers: { 'Accept-Encoding': 'gzip, deflate, br', ...headers },
      signal,
      ...(isProxied ? {} : { agent: false }),
      ...(onlyPublic ? { lookup: publicLookupOf(host) } : {}),
    })
    request.once('error', reject)
    // An answer that switches protocols is closed without an error.
    request.once('close', () => reject(new Error('the connection was closed without an answer')))
    request.once('response', (response) => resolve(responseOf(response)))
    request.end()
  })
}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/** Looks up `requestedHost` as a public host. Any other name that Node looks up for the request is the proxy's. */
const publicLookupOf =
  (requestedHost: string) =>
  (host: string, options: LookupOptions, callback: LookupCallback): void =>
    host === requestedHost ? publicLookup(host, options, callback) : lookup(host, options, callback)

/** Looks a name up in DNS, and fails if any of its addresses is private, because no public name needs one. */
function publicLookup(host: string, options: LookupOptions, callback: LookupCallback): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '')
    const refused = addresses.find(({ address }) => !isPublicAddress(address))
    if (refused) return callback(privateAddress(host, refused.address), '')
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  })
}

const privateAddress = (host: string, address: string) =>
  new PrivateAddressError(`${host === address ? host : `${host} is ${address}, which`} is not on the public internet`)

function responseOf(response: IncomingMessage): HttpResponse {
  return {
    status: response.statusCode ?? 0,
    header: (name) => {
      const value = response.headers[name]
      return value === undefined ? null : String(value)
    },
    body: unpacked(response),
  }
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? ''
  const unpack =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : new Transform({ transform: (chunk, _encoding, done) => done(null, chunk) })
  // A broken connection ends the unpacked body with the same error. A reader that stops early ends the connection.
  response.once('error', (error) => unpack.destroy(error))
  unpack.once('close', () => response.destroy())
  return response.pipe(unpack)
}
