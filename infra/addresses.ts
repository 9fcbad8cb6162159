import { isIP } from 'node:net'
import { parseRedisAddress, RedisAddressError } from '../base/redis/address.ts'
import { parseSocketAddress } from '../base/socket-address.ts'
import { isPort } from './setting-kinds.ts'

/** Checks of server addresses. They run before URL or a client could print an address with its password. */

export const faultOfHttpUrl = (text: string) => faultOfUrl(text, /^https?:$/, 'an http(s)')

/** Checks the address of a price feed. */
export const faultOfFeedUrl = (text: string) => faultOfUrl(text, /^wss?:$/, 'a ws:// or wss://')

function faultOfUrl(text: string, scheme: RegExp, kind: string): string | undefined {
  const url = URL.parse(text)
  // An unescaped # or ? in a password would end the address early and change its host.
  const isWhole = url && scheme.test(url.protocol) && !/[#@]/.test(url.pathname + url.search + url.hash)
  if (!isWhole) return `must be ${kind} address; percent-encode characters such as / @ : % # ? in a password`
  try {
    decodeURIComponent(url.username)
    decodeURIComponent(url.password)
  } catch {
    return 'has a % before the @ that encodes no character: write %25 for a percent sign'
  }
  return undefined
}

/** Checks the address of a ClickHouse server, or of an embedded store's socket on this machine. */
export function faultOfClickHouseUrl(text: string): string | undefined {
  if (text.startsWith('unix:')) {
    return parseSocketAddress(text) ? undefined : 'must be unix:/absolute/path for a socket'
  }
  const fault = faultOfHttpUrl(text)
  if (fault) return fault
  return /^\/[\w-]*$/.test(new URL(text).pathname) ? undefined : 'must name a database of letters, digits, _ and - only'
}

/** Checks a list such as `host:port,host:port`. */
export function faultOfBrokers(text: string): string | undefined {
  const isWhole = text.split(',').every((broker) => {
    const [, , port = ''] = /^([^\s,/]+):([^:]*)$/.exec(broker) ?? []
    return isPort(port, 1)
  })
  return isWhole ? undefined : 'must be host:port, comma separated, each port from 1 to 65535'
}

/** Checks a list of networks such as `10.0.0.0/8,192.0.2.7,2001:db8::/32`. */
export function faultOfNetworks(text: string): string | undefined {
  const isWhole = text.split(',').every((network) => {
    const [address = '', prefix, ...rest] = network.trim().split('/')
    const version = isIP(address)
    const bits = version === 6 ? 128 : 32
    return version !== 0 && rest.length === 0 && (prefix === undefined || isPort(prefix, 0, bits))
  })
  return isWhole ? undefined : 'must be IP addresses or CIDR blocks such as 10.0.0.0/8, comma separated'
}

/** Checks the address of the streams. It has no path, because clients append the path of a stream. */
export function faultOfStreamUrl(text: string): string | undefined {
  return /^wss?:\/\/[^/]+$/.test(text) ? undefined : 'must be ws://host:port or wss://host:port, without a path'
}

/** Checks the address of Redis. The fault quotes no part of it. */
export function faultOfRedisUrl(text: string): string | undefined {
  try {
    parseRedisAddress(text)
    return undefined
  } catch (error) {
    if (error instanceof RedisAddressError) return error.message
    throw error
  }
}

/** Hides the login and the query of an address, which may hold secrets, before it is printed. */
export const withoutPassword = (value: string) =>
  value.replace(/^([a-z+]+:\/\/)?[\s\S]*@/i, '$1…@').replace(/\?[\s\S]*$/, '?…')

/** Checks origins of pages, comma separated; `*` alone is any. A host may begin with `*.`, as a policy (CSP) has it. */
export function faultOfAncestors(text: string): string | undefined {
  if (text === '*') return undefined
  for (const item of text.split(',').map((one) => one.trim())) {
    const url = URL.parse(item.replace('//*.', '//any.'))
    const origin = url && /^https?:$/.test(url.protocol) ? url.origin.replace('//any.', '//*.') : undefined
    if (origin === item) continue
    const meant = origin === undefined ? '' : `: write ${origin}`
    return `must be * or origins such as https://news.example.com, comma separated, and "${item}" is none${meant}`
  }
  return undefined
}
