import { isIP } from 'node:net'
import { parseRedisAddress, RedisAddressError } from '../base/redis/address.ts'
import { parseSocketAddress } from '../base/socket-address.ts'
import { isPort } from './setting-kinds.ts'

/** What is wrong with addresses of servers, found before URL and clients carry them, password and all, into logs. */

export function faultOfHttpUrl(text: string): string | undefined {
  const url = URL.parse(text)
  // What follows a # or ? of a password would be taken for the end of an address that has another host.
  const isWhole = url && /^https?:$/.test(url.protocol) && !/[#@]/.test(url.pathname + url.search + url.hash)
  if (!isWhole) return 'is no http(s) address; characters such as / @ : % # ? of a password are percent-encoded'
  try {
    decodeURIComponent(url.username)
    decodeURIComponent(url.password)
  } catch {
    return 'has a % before the @ that encodes nothing: write %25'
  }
  return undefined
}

/** A server's address, or the socket of an embedded store on this machine. */
export function faultOfClickHouseUrl(text: string): string | undefined {
  if (text.startsWith('unix:')) {
    return parseSocketAddress(text) ? undefined : 'is no socket address; it must be unix:/absolute/path'
  }
  const fault = faultOfHttpUrl(text)
  if (fault) return fault
  return /^\/[\w-]*$/.test(new URL(text).pathname)
    ? undefined
    : 'names a database that is not of letters, digits, _ and -'
}

/** Of `host:port,host:port`. */
export function faultOfBrokers(text: string): string | undefined {
  const isWhole = text.split(',').every((broker) => {
    const [, , port = ''] = /^([^\s,/]+):([^:]*)$/.exec(broker) ?? []
    return isPort(port, 1)
  })
  return isWhole ? undefined : 'must be host:port, comma separated, each port from 1 to 65535'
}

/** Fault of a list of networks such as `10.0.0.0/8,192.0.2.7,2001:db8::/32`; undefined: none. */
export function faultOfNetworks(text: string): string | undefined {
  const isWhole = text.split(',').every((network) => {
    const [address = '', prefix, ...rest] = network.trim().split('/')
    const version = isIP(address)
    const bits = version === 6 ? 128 : 32
    return version !== 0 && rest.length === 0 && (prefix === undefined || isPort(prefix, 0, bits))
  })
  return isWhole ? undefined : 'must be IP addresses or CIDR blocks such as 10.0.0.0/8, comma separated'
}

/** A path would be lost: clients append that of their stream. */
export function faultOfStreamUrl(text: string): string | undefined {
  return /^wss?:\/\/[^/]+$/.test(text) ? undefined : 'must be ws://host:port or wss://host:port, without a path'
}

/** Names no part of the address. */
export function faultOfRedisUrl(text: string): string | undefined {
  try {
    parseRedisAddress(text)
    return undefined
  } catch (error) {
    if (error instanceof RedisAddressError) return error.message
    throw error
  }
}

/** What stands before the @ of an address, or behind its ?, is nobody’s to read in a log. */
export const withoutPassword = (value: string) =>
  value.replace(/^([a-z+]+:\/\/)?[\s\S]*@/i, '$1…@').replace(/\?[\s\S]*$/, '?…')
