import { Cluster, Redis } from 'ioredis'
import type { RedisAddress } from './address.ts'

export type Client = Redis | Cluster

/**
 * A client that is about to connect, and goes on trying; a lazy one connects when it is first asked something.
 * `patienceMs`: how long its callers wait for an answer.
 */
export function createClient(address: RedisAddress, patienceMs: number, lazyConnect = false): Client {
  const common = {
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { tls: {} } : {}),
    connectionName: 'almanac',
    protocol: 2 as const,
    connectTimeout: 4 * patienceMs,
    // A server that is stopped, or gone without a word: the connection is given up, and what comes next fails at once.
    socketTimeout: 2 * patienceMs,
    // A loading server's own estimate of the time left is seconds too long.
    maxLoadingRetryTime: patienceMs,
    // Lost answers are the callers' to judge: nothing is sent again.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // A server that was made a replica: the next connection finds the master.
    reconnectOnError: (error: Error) => error.message.includes('READONLY'),
  }
  const single = { ...common, lazyConnect, enableOfflineQueue: false, retryStrategy: retryDelay }
  switch (address.kind) {
    case 'single':
      return new Redis({ ...single, ...address.node, db: address.database })
    case 'sentinel':
      return new Redis({
        ...single,
        sentinels: address.sentinels.map((sentinel) => ({ ...sentinel })),
        name: address.master,
        db: address.database,
        sentinelRetryStrategy: retryDelay,
        sentinelCommandTimeout: common.socketTimeout,
        enableTLSForSentinelMode: address.tls,
        ...(address.tls ? { sentinelTLS: {} } : {}),
        ...(address.sentinelPassword === undefined ? {} : { sentinelPassword: address.sentinelPassword }),
      })
    case 'cluster':
      return new Cluster(
        address.nodes.map((node) => ({ ...node })),
        {
          redisOptions: common,
          lazyConnect,
          enableOfflineQueue: false,
          clusterRetryStrategy: retryDelay,
          // 0: what a closed connection had not answered is not sent again.
          retryDelayOnFailover: 0,
          retryDelayOnClusterDown: 0,
          slotsRefreshInterval: 5_000,
        },
      )
  }
}

/** Milliseconds before the next attempt to connect: up to 2 s, and never all processes at once. */
const retryDelay = (attempt: number): number =>
  Math.min(2_000, 25 * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2)
