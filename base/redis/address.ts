/** Where a Redis is, as ALMANAC_REDIS_URL says it: judged when the configuration is read, used by who connects. */
type RedisNode = { readonly host: string; readonly port: number }

type Login = {
  readonly username: string | undefined
  readonly password: string | undefined
  readonly tls: boolean
}

export type RedisAddress = Login &
  (
    | { readonly kind: 'single'; readonly node: RedisNode; readonly database: number }
    | {
        readonly kind: 'sentinel'
        readonly sentinels: readonly RedisNode[]
        readonly master: string
        readonly database: number
        /** Of the sentinels themselves, which have users of their own. */
        readonly sentinelPassword: string | undefined
      }
    | { readonly kind: 'cluster'; readonly nodes: readonly RedisNode[] }
  )

/** Its message names no part of the address: there may be a password in it. */
export class RedisAddressError extends Error {
  override readonly name = 'RedisAddressError'
}

const shape = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/
const node = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/
const REDIS_PORT = 6379
const SENTINEL_PORT = 26_379

/**
 * Reads an address, with `rediss` for TLS to the servers (and to the sentinels):
 *
 *   redis://[user:password@]host[:6379][/database]
 *   redis+sentinel://[user:password@]host[:26379],host,…/master[/database][?sentinel_password=…]
 *   redis+cluster://[user:password@]host[:6379],host,…
 *
 * User and password are percent-encoded; a user without a colon is a password. Throws `RedisAddressError`.
 */
export function parseRedisAddress(url: string): RedisAddress {
  const [whole, secure, kind = 'single', login = '', hosts = '', path = '', query = ''] = shape.exec(url) ?? []
  if (whole === undefined) {
    throw new RedisAddressError(
      'a Redis address begins with redis://, redis+sentinel:// or redis+cluster:// (rediss for TLS); ' +
        'special characters in a password are percent-encoded',
    )
  }
  const common = { ...loginOf(login), tls: secure === 's' }
  const parameters = new URLSearchParams(query)
  for (const name of parameters.keys()) {
    if (kind === 'sentinel' && name === 'sentinel_password') continue
    throw new RedisAddressError(`a ${kind} Redis address takes no parameter ${JSON.stringify(name)}`)
  }
  const parts = path === '' ? [] : path.split('/').map(decoded)
  if (kind === 'cluster') {
    if (parts.length > 0) throw new RedisAddressError('a Redis Cluster has no databases: nothing follows its hosts')
    return { kind, ...common, nodes: nodesOf(hosts, REDIS_PORT) }
  }
  if (kind === 'sentinel') {
    const [master = '', database, ...rest] = parts
    if (master === '' || rest.length > 0) {
      throw new RedisAddressError('the name of the master follows the sentinels: redis+sentinel://host,host/master')
    }
    const sentinelPassword = parameters.get('sentinel_password') ?? undefined
    const sentinels = nodesOf(hosts, SENTINEL_PORT)
    return { kind, ...common, sentinels, master, database: databaseOf(database), sentinelPassword }
  }
  const [first, ...others] = nodesOf(hosts, REDIS_PORT)
  if (!first || others.length > 0) throw new RedisAddressError('redis:// takes one host; several are redis+cluster://')
  if (parts.length > 1) throw new RedisAddressError('only a database number follows the host')
  return { kind: 'single', ...common, node: first, database: databaseOf(parts[0]) }
}

/** The servers of an address as text for a log: without user and password. */
export function redisServers(address: RedisAddress): string {
  const nodes =
    address.kind === 'single' ? [address.node] : address.kind === 'sentinel' ? address.sentinels : address.nodes
  return nodes.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(',')
}

function loginOf(text: string): { username: string | undefined; password: string | undefined } {
  if (text === '') return { username: undefined, password: undefined }
  const colon = text.indexOf(':')
  if (colon < 0) return { username: undefined, password: decoded(text) }
  return { username: decoded(text.slice(0, colon)) || undefined, password: decoded(text.slice(colon + 1)) }
}

function nodesOf(text: string, fallback: number): RedisNode[] {
  return text.split(',').map((entry) => {
    const [, host = '', port] = node.exec(entry) ?? []
    const number = port === undefined ? fallback : Number(port)
    if (host === '' || number < 1 || number > 65_535) {
      throw new RedisAddressError('each host of a Redis address is host or host:port, with commas between them')
    }
    return { host: host.replace(/^\[|\]$/g, ''), port: number }
  })
}

function databaseOf(text: string | undefined): number {
  if (text === undefined || text === '') return 0
  if (!/^\d{1,4}$/.test(text)) throw new RedisAddressError('the database of a Redis address is a number')
  return Number(text)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new RedisAddressError('a part of the Redis address is not percent-encoded as it should be', { cause })
  }
}
