import type { RedisAddress } from '../../base/redis/address.ts'
import { onceAMinute } from '../../base/redis/errors.ts'
import { cancelTimer, systemTime, type Time } from '../../base/time.ts'
import { streamLimits } from '../../contracts/streams.ts'
import type { Access } from '../access.ts'
import { RedisBurst } from './burst.ts'
import { RedisConnection } from './connection.ts'
import { RedisSettingsError } from './errors.ts'
import { RedisLeases } from './leases.ts'
import { RedisQuota } from './quota.ts'
import { RedisRevocations } from './revocations.ts'
import { checkServers } from './settings.ts'
import type { DecidingClock, RedisStore } from './store.ts'
import { RedisTickets } from './tickets.ts'

export type RedisAccessOptions = {
  readonly address: RedisAddress
  /** Called with faults of the connection, which reconnects by itself, and with settings that cannot be checked. */
  readonly warn: (message: string) => void
  readonly replyTimeoutMs?: number
  readonly connectTimeoutMs?: number
  /** `caller` in tests that pass their own times. */
  readonly clock?: DecidingClock
  readonly time?: Time
  readonly settleMs?: number
  readonly checkEveryMs?: number
}

const REPLY_TIMEOUT_MS = 500
const CONNECT_TIMEOUT_MS = 10_000
/** Several times during a lease, because a mark older than a lease counts for nothing (`leases.ts`). */
const CHECK_EVERY_MS = 2_000

/**
 * Opens the access ports on a Redis that all nodes share. Rejects with AccessError `unavailable` if it cannot be
 * reached, and with RedisSettingsError if it may lose what it acknowledges or does not have the database.
 */
export async function openRedisAccess(options: RedisAccessOptions): Promise<Access> {
  const { replyTimeoutMs = REPLY_TIMEOUT_MS, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options
  const warnOnceAMinute = onceAMinute(({ message }) => options.warn(message))
  const warn = (message: string, error: Error) => warnOnceAMinute(new Error(`${message}: ${error.message}`))
  const connection = await RedisConnection.open({
    address: options.address,
    replyTimeoutMs,
    connectTimeoutMs,
    onFault: (error) => warn('the connection to Redis failed', error),
  })
  const { clock = 'redis', time = systemTime, settleMs = streamLimits.leaseMs, checkEveryMs = CHECK_EVERY_MS } = options
  const store: RedisStore = { connection, clock, time, settleMs }
  const leases = new RedisLeases(store)
  const quota = new RedisQuota(store)
  const warned = new Set<string>()
  /** Warns once of a fault that lasts as long as this process. */
  const warnOnce = (message: string, error: Error) => {
    if (!warned.has(message)) warn(message, error)
    warned.add(message)
  }
  const check = async () => {
    const { durableRunIds, fault } = await checkServers(connection, warnOnce)
    // A failure is ignored: without a mark, new streams only wait after the server's next restart.
    await leases.witness(durableRunIds).catch(() => undefined)
    if (fault) throw fault
  }
  try {
    await check()
    await leases.witness()
  } catch (error) {
    connection.close()
    throw error
  }
  // Repeated, because a server's settings can change while it runs. A check that fails is repeated by the next one. A
  // node in service stays so, and warns that a server may lose data.
  const recheck = () =>
    void check().catch((error) => {
      if (error instanceof RedisSettingsError) warn('Redis may forget what it acknowledges', error)
    })
  const checking = time.every(checkEveryMs, recheck).unref()
  connection.onReady(() => {
    // At once, so that a change of server is noticed when it happens. A failure is ignored: the next check records it.
    leases.witness().catch(() => undefined)
    recheck()
  })
  return {
    quota,
    leases,
    tickets: new RedisTickets(store),
    burst: new RedisBurst(store),
    revocations: new RedisRevocations(store),
    close: async () => {
      cancelTimer(checking)
      await quota.close()
      connection.close()
    },
  }
}
