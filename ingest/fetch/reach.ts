import { BlockList, isIP } from 'node:net'

/**
 * Tells at which addresses of a URL's host a fetcher may ask: at any address (`any`), only at those on the public
 * internet (`public`), or at none (`none`).
 */
export type Reach = (url: URL) => 'any' | 'public' | 'none'

/** Allows a publisher's hosts, by name, on the default port, at public addresses only, whatever their DNS answers. */
export const hosts =
  (...names: readonly string[]): Reach =>
  ({ host }) =>
    names.includes(host) ? 'public' : 'none'

/** Allows the host and port of one address. The operator named it, so it may be on a private network. */
export const hostOf =
  (address: URL): Reach =>
  ({ host }) =>
    host === address.host ? 'any' : 'none'

/** Allows what `hostOf` does, and redirects to any public host, because downloads often have a host of their own. */
export const hostOfAndPublic =
  (address: URL): Reach =>
  ({ host }) =>
    host === address.host ? 'any' : 'public'

/** Prefix of 96 bits under which networks with IPv6 only reach IPv4 addresses, also in DNS answers (RFC 6052). */
const NAT64 = '64:ff9b::'

/** Special-purpose addresses within the public ranges: IANA's registries of RFC 6890. */
const special = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, bits, 'ipv4')
  special.addSubnet(`${NAT64}${network}`, 96 + bits, 'ipv6')
}
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  special.addSubnet(network, bits, 'ipv6')

/**
 * All IPv6 addresses that are routed on the internet, and NAT64, whose IPv4 address `special` checks. Loopback, local,
 * mapped and multicast addresses lie outside.
 */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
global.addSubnet(NAT64, 96, 'ipv6')

/** Tells whether an IP address, IPv6 without brackets, is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
