import { isIPv6 } from 'node:net'

/** Hosts that stand for every address of the machine. */
const wildcards: readonly string[] = ['0.0.0.0', '[::]']
const LOOPBACK = '127.0.0.1'

/** Whether a server that listens on `host` listens on every address of the machine. */
export const isWildcard = (host: string): boolean => wildcards.includes(bracketed(host))

/** Text `host:port`, with an IPv6 address in brackets. */
export const hostAndPort = (host: string, port: number): string => `${bracketed(host)}:${port}`

/**
 * Address at which a client on this machine reaches a server that listens on `host`. Not every system can connect to a
 * wildcard, so it is replaced by loopback, which every wildcard covers.
 */
export const urlOf = (scheme: 'http' | 'ws', host: string, port: number): string =>
  `${scheme}://${hostAndPort(isWildcard(host) ? LOOPBACK : host, port)}`

/** A host in the form of URLs: an IPv6 address in its shortest form and in brackets, any other host unchanged. */
function bracketed(host: string): string {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (!isIPv6(address)) return host
  // A URL's host cannot contain a zone, as in fe80::1%eth0, so such an address keeps its spelling.
  return URL.parse(`http://[${address}]`)?.hostname ?? `[${address}]`
}
