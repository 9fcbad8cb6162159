import { type Cluster, Redis, type RedisOptions } from 'ioredis'
import { isDatabaseRefused, withoutArguments } from '../../base/redis/errors.ts'
import { ScheduleUnavailable } from './schedule.ts'

type Settings = Required<Pick<RedisOptions, 'maxRetriesPerRequest' | 'retryStrategy'>>

/** Client settings for BullMQ. Its commands wait for jobs inside Redis, so they must not time out, and are resent. */
const blocking: object = { socketTimeout: undefined, enableOfflineQueue: true, autoResendUnfulfilledCommands: true }
/** Longest wait before a loading server is asked again. The server's own estimate is seconds too long. */
const LOADING_MS = 500
/** The same settings for a Cluster as a whole, with the default delays of ioredis, ms. */
const blockingCluster = { enableOfflineQueue: true, retryDelayOnFailover: 100, retryDelayOnClusterDown: 100 }

/**
 * Opens a new client for the same server as `to`, with `settings` in place of its own; `to` need not be connected.
 * Disconnects if the server refuses the database, because ioredis would go on in database 0.
 */
export function connect(to: string | Redis | Cluster, settings: Settings): Redis | Cluster {
  const client = newClient(to, settings)
  client.on('error', (error: Error) => {
    if (isDatabaseRefused(error)) client.disconnect(true)
  })
  return client
}

function newClient(to: string | Redis | Cluster, settings: Settings): Redis | Cluster {
  if (typeof to === 'string') return new Redis(to, { maxLoadingRetryTime: LOADING_MS, ...settings })
  if (to instanceof Redis) return to.duplicate({ ...blocking, ...settings, lazyConnect: false })
  const { maxRetriesPerRequest, retryStrategy: clusterRetryStrategy } = settings
  const redisOptions: object = { ...to.options.redisOptions, ...blocking, maxRetriesPerRequest }
  return to.duplicate([], { ...blockingCluster, redisOptions, clusterRetryStrategy, lazyConnect: false })
}

/** Awaits an answer of Redis. Throws `ScheduleUnavailable` if it fails. */
export async function available<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (cause) {
    throw new ScheduleUnavailable('Redis, which holds the schedule, cannot be reached.', {
      cause: withoutArguments(cause),
    })
  }
}
