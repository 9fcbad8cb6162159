import { type Cluster, Redis, type RedisOptions } from 'ioredis'
import { isDatabaseRefused, withoutArguments } from '../../base/redis/errors.ts'
import { ScheduleUnavailable } from './schedule.ts'

type Settings = Required<Pick<RedisOptions, 'maxRetriesPerRequest' | 'retryStrategy'>>

/** BullMQ waits for jobs inside Redis, longer than anything else may take, and wants what it sent to be sent again. */
const patient: object = { socketTimeout: undefined, enableOfflineQueue: true, autoResendUnfulfilledCommands: true }
/** A loading server's own estimate of the time left is seconds too long: it is asked again after this. */
const LOADING_MS = 500
/** The same of a Cluster as a whole; the delays are those of ioredis, ms. */
const patientCluster = { enableOfflineQueue: true, retryDelayOnFailover: 100, retryDelayOnClusterDown: 100 }

/**
 * A client of its own to where `to` leads, with these settings in place of its; `to` itself need not be connected. It never
 * works in another database than the one asked for.
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
  if (to instanceof Redis) return to.duplicate({ ...patient, ...settings, lazyConnect: false })
  const { maxRetriesPerRequest, retryStrategy: clusterRetryStrategy } = settings
  const redisOptions: object = { ...to.options.redisOptions, ...patient, maxRetriesPerRequest }
  return to.duplicate([], { ...patientCluster, redisOptions, clusterRetryStrategy, lazyConnect: false })
}

/** What is asked of Redis, or `ScheduleUnavailable`. */
export async function available<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (cause) {
    throw new ScheduleUnavailable('Redis, which holds the schedule, cannot be reached.', {
      cause: withoutArguments(cause),
    })
  }
}
