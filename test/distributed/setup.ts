import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startKafka } from '../../infra/services/kafka.ts'
import { startRedis } from '../../infra/services/redis.ts'
import { startRegistry } from '../../infra/services/registry.ts'
import { REDIS_DATABASES, SHARED_SERVICES, type SharedServices, untilStreamsAreLetIn } from '../support/distributed.ts'

/** One Kafka, schema registry and Redis for all files of a run. */
export default async function setup(): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'almanac-distributed-'))
  const starting = [
    // Kafka's own retention, which first runs after 30 s, would delete what tests write with times of the past.
    startKafka({ dir: join(dir, 'kafka'), settings: { 'log.initial.task.delay.ms': '3600000' } }),
    startRegistry({ dir: join(dir, 'registry') }),
    startRedis({ dir: join(dir, 'redis'), args: ['--databases', String(REDIS_DATABASES)] }),
  ] as const
  const stop = async () => {
    const started = await Promise.allSettled(starting)
    await Promise.all(started.map((one) => one.status === 'fulfilled' && one.value.stop()))
    await rm(dir, { recursive: true, force: true })
  }
  try {
    const [kafka, registry, redis] = await Promise.all(starting)
    await untilStreamsAreLetIn(redis.url)
    const shared: SharedServices = { brokers: kafka.brokers, registryUrl: registry.url, redisUrl: redis.url }
    process.env[SHARED_SERVICES] = JSON.stringify(shared)
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
