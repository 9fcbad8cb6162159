import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { streamLimits } from '../../contracts/streams.ts'
import { until } from './journal.ts'

/** Real services that one run of the tests shares, by their addresses. */
export type SharedServices = {
  readonly brokers: readonly string[]
  readonly registryUrl: string
  readonly redisUrl: string
}

/** The environment variable by which the setup of a run tells its test files; absent: everything is embedded. */
export const SHARED_SERVICES = 'TEST_SHARED_SERVICES'

/** How many databases the shared Redis needs. */
export const REDIS_DATABASES = 4_096

export function sharedServices(): SharedServices | undefined {
  const text = process.env[SHARED_SERVICES]
  return text === undefined ? undefined : JSON.parse(text)
}

/** Settings of a node on real services, with topics, schemas and a Redis database that others of the same name share. */
export function settingsOn({ brokers, registryUrl, redisUrl }: SharedServices, name: string): Record<string, string> {
  const hash = createHash('sha256').update(name).digest()
  return {
    ALMANAC_KAFKA_BROKERS: brokers.join(','),
    ALMANAC_SCHEMA_REGISTRY_URL: registryUrl,
    ALMANAC_REDIS_URL: `${redisUrl}/${hash.readUInt32BE() % REDIS_DATABASES}`,
    ALMANAC_TOPIC_PREFIX: `test-${hash.toString('hex', 0, 6)}.`,
  }
}

/** Waits until a Redis that was just started lets streams in (docs/redis.md). */
export async function untilStreamsAreLetIn(redisUrl: string): Promise<void> {
  const client = new Redis(redisUrl)
  const seconds = 1 + streamLimits.leaseMs / 1_000
  const uptime = async () => Number(/uptime_in_seconds:(\d+)/.exec(await client.info('server'))?.[1])
  try {
    await until('Redis lets streams in', async () => (await uptime()) > seconds)
  } finally {
    client.disconnect()
  }
}
