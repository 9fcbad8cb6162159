import { isIPv6 } from 'node:net'

/** Hosts that mean every address of the machine. */
const wildcards: readonly string[] = ['0.0.0.0', '[::]']
const LOOPBACK = '127.0.0.1'

/** Whether a server that listens on `host` listens on every address of the machine. */
export const isWildcard = (host: string): boolean => wildcards.includes(bracketed(host))

/** `host:port`, an IPv6 address in brackets. */
export const hostAndPort = (host: string, port: number): string => `${bracketed(host)}:${port}`

/**
 * Where a client on this machine reaches what listens on `host`. A wildcard is no address that can be connected to
 * everywhere, so it becomes loopback, which every wildcard covers.
 */
export const urlOf = (scheme: 'http' | 'ws', host: string, port: number): string =>
  `${scheme}://${hostAndPort(isWildcard(host) ? LOOPBACK : host, port)}`

/** A host as URLs write it: an IPv6 address in its shortest form and in brackets, everything else as it is. */
function bracketed(host: string): string {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (!isIPv6(address)) return host
  // A zone, as in fe80::1%eth0, has no place in a URL's host: such an address keeps its spelling.
  return URL.parse(`http://[${address}]`)?.hostname ?? `[${address}]`
}
