import { Cluster, Redis } from 'ioredis'
import type { RedisAddress } from './address.ts'

export type Client = Redis | Cluster

/**
 * Creates a client that connects, and reconnects for ever. A lazy client connects at its first command.
 * `replyTimeoutMs` is how long callers wait for a reply.
 */
export function createClient(address: RedisAddress, replyTimeoutMs: number, lazyConnect = false): Client {
  const common = {
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { tls: {} } : {}),
    connectionName: 'almanac',
    protocol: 2 as const,
    connectTimeout: 4 * replyTimeoutMs,
    // Closes a connection whose server is stopped or unreachable. Later commands then fail at once.
    socketTimeout: 2 * replyTimeoutMs,
    // Caps the wait for a server that is loading, because its own estimate is seconds too long.
    maxLoadingRetryTime: replyTimeoutMs,
    // No command is sent again: the caller decides what to do about a lost answer.
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // Reconnects to find the master when this server has become a replica.
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
          // 0: commands that a closed connection left without an answer are not sent again.
          retryDelayOnFailover: 0,
          retryDelayOnClusterDown: 0,
          slotsRefreshInterval: 5_000,
        },
      )
  }
}

/** Pause before the next attempt to connect, ms: up to 2 s, with jitter so that not all processes connect at once. */
const retryDelay = (attempt: number): number =>
  Math.min(2_000, 25 * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2)
