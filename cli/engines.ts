import { once } from 'node:events'
import { connect } from 'node:net'
import { checkServers } from '../access/redis/settings.ts'
import type { Config } from '../infra/config.ts'
import { redisAddress } from './parts.ts'

/**
 * Probes of a deployment's engines for `almanac doctor`. Each resolves with its finding in one line, and rejects if the
 * engine cannot be used. They write nothing.
 */
const ENGINE_PROBE_TIMEOUT_MS = 3_000

/** Checks that every broker accepts TCP connections. The journal's check then tells whether it accepts the settings. */
export async function askKafka({ kafka }: Pick<Config, 'kafka'>): Promise<string> {
  if (!kafka) return 'none: the journal is in the data directory'
  const reached = await Promise.all(kafka.brokers.map(async (broker) => [broker, await isReached(broker)] as const))
  const away = reached.filter(([, isThere]) => !isThere).map(([broker]) => broker)
  if (away.length > 0) throw new Error(`cannot connect to ${away.join(', ')}`)
  return kafka.brokers.join(', ')
}

async function isReached(broker: string): Promise<boolean> {
  const colon = broker.lastIndexOf(':')
  const socket = connect({ host: broker.slice(0, colon).replace(/[[\]]/g, ''), port: Number(broker.slice(colon + 1)) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(ENGINE_PROBE_TIMEOUT_MS) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

export async function askRegistry({ schemaRegistryUrl }: Pick<Config, 'schemaRegistryUrl'>): Promise<string> {
  if (schemaRegistryUrl === '') return 'none: the schemas of this release are used'
  const { origin, pathname, username, password } = new URL(schemaRegistryUrl)
  const base = origin + pathname.replace(/\/+$/, '')
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const response = await fetch(`${base}/subjects`, {
    headers: username === '' ? {} : { Authorization: `Basic ${login}` },
    signal: AbortSignal.timeout(ENGINE_PROBE_TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`${base}/subjects answers ${response.status}`)
  return `${base}, ${((await response.json()) as unknown[]).length} subjects`
}

export async function askRedis(config: Pick<Config, 'redisUrl'>): Promise<string> {
  const address = redisAddress(config)
  if (!address) return 'none: quotas, leases and tickets are in the data directory'
  const { RedisConnection } = await import('../access/redis/connection.ts')
  const warnings: string[] = []
  const options = {
    address,
    replyTimeoutMs: ENGINE_PROBE_TIMEOUT_MS,
    connectTimeoutMs: ENGINE_PROBE_TIMEOUT_MS,
    onFault: () => undefined,
  }
  const connection = await RedisConnection.open(options)
  try {
    const { fault } = await checkServers(connection, (message) => warnings.push(message))
    if (fault) throw fault
    return warnings.join('; ') || 'answers, and its settings keep all data'
  } finally {
    connection.close()
  }
}
