import { once } from 'node:events'
import { connect } from 'node:net'
import { RedisConnection } from '../access/redis/connection.ts'
import { checkServers } from '../access/redis/settings.ts'
import type { Config } from '../infra/config.ts'
import { redisAddress } from './parts.ts'

/**
 * Whether the engines of a deployment answer, for `almanac doctor`. Each says in a line what it found; rejects where it isn't
 * well. Nothing is written.
 */
const PATIENCE_MS = 3_000

/** Every broker takes connections; whether it takes ours as well, the journal says. */
export async function askKafka({ kafka }: Pick<Config, 'kafka'>): Promise<string> {
  if (!kafka) return 'none: the journal is in the data directory'
  const reached = await Promise.all(kafka.brokers.map(async (broker) => [broker, await isReached(broker)] as const))
  const away = reached.filter(([, isThere]) => !isThere).map(([broker]) => broker)
  if (away.length > 0) throw new Error(`no connection to ${away.join(', ')}`)
  return kafka.brokers.join(', ')
}

async function isReached(broker: string): Promise<boolean> {
  const colon = broker.lastIndexOf(':')
  const socket = connect({ host: broker.slice(0, colon).replace(/[[\]]/g, ''), port: Number(broker.slice(colon + 1)) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(PATIENCE_MS) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

export async function askRegistry({ schemaRegistryUrl }: Pick<Config, 'schemaRegistryUrl'>): Promise<string> {
  if (schemaRegistryUrl === '') return 'none: the schemas of this release'
  const { origin, pathname, username, password } = new URL(schemaRegistryUrl)
  const base = origin + pathname.replace(/\/+$/, '')
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const response = await fetch(`${base}/subjects`, {
    headers: username === '' ? {} : { Authorization: `Basic ${login}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  if (!response.ok) throw new Error(`${base}/subjects answers ${response.status}`)
  return `${base}, ${((await response.json()) as unknown[]).length} subjects`
}

export async function askRedis(config: Pick<Config, 'redisUrl'>): Promise<string> {
  const address = redisAddress(config)
  if (!address) return 'none: quotas, leases and tickets are in the data directory'
  const warnings: string[] = []
  const options = { address, replyTimeoutMs: PATIENCE_MS, connectTimeoutMs: PATIENCE_MS, onFault: () => undefined }
  const connection = await RedisConnection.open(options)
  try {
    const { fault } = await checkServers(connection, (message) => warnings.push(message))
    if (fault) throw fault
    return warnings.join('; ') || 'answers, and forgets nothing'
  } finally {
    connection.close()
  }
}
