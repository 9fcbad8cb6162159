import { BlockList, isIP } from 'node:net'

/**
 * What a fetcher may ask for a document: any address of that host (`any`), its addresses on the public internet only
 * (`public`), or nothing of it (`none`).
 */
export type Reach = (url: URL) => 'any' | 'public' | 'none'

/** Hosts of a publisher, by name, on the default port. Whatever their DNS says, no address of a private network. */
export const hosts =
  (...names: readonly string[]): Reach =>
  ({ host }) =>
    names.includes(host) ? 'public' : 'none'

/** The host and port of one address, which the operator has named: it may be on a private network. */
export const hostOf =
  (address: URL): Reach =>
  ({ host }) =>
    host === address.host ? 'any' : 'none'

/** As `hostOf`, and redirects to any public host: downloads are often served by a host of their own. */
export const hostOfAndPublic =
  (address: URL): Reach =>
  ({ host }) =>
    host === address.host ? 'any' : 'public'

/** RFC 6052: a network that has IPv6 only reaches an IPv4 address under this prefix, and its DNS answers so. 96 bits. */
const NAT64 = '64:ff9b::'

/** Special-purpose addresses within what is otherwise public: IANA's registries of RFC 6890. */
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
 * All of IPv6 that is routed on the internet, and NAT64, whose IPv4 address `special` judges. Loopback, local, mapped and
 * multicast addresses lie outside.
 */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
global.addSubnet(NAT64, 96, 'ipv6')

/** Whether an IP address, IPv6 without brackets, is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special.check(address, 'ipv4')
  return family === 6 && global.check(address, 'ipv6') && !special.check(address, 'ipv6')
}
