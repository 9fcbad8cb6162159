import { BlockList, isIP } from 'node:net'

/** The proxies whose `X-Forwarded-For` is believed. */
export type Proxies = { readonly has: (address: string) => boolean }

/** Makes the set of trusted proxies from addresses and CIDR blocks, which must be valid. */
export function trustedProxies(networks: readonly string[]): Proxies {
  if (networks.length === 0) return { has: () => false }
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return {
    has(address) {
      const version = isIP(address)
      return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
    },
  }
}

/**
 * The client behind a trusted proxy: the last entry of `X-Forwarded-For` that is not a trusted proxy itself. The client
 * may have written all entries before it. Undefined if the header names no client.
 */
export function forwardedClient(header: string, proxies: Proxies): string | undefined {
  for (const entry of header.split(',').reverse()) {
    const address = withoutPort(entry.trim())
    if (isIP(address) === 0) return undefined
    if (!proxies.has(address)) return address
  }
  return undefined
}

const withoutPort = (entry: string): string =>
  /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? entry
