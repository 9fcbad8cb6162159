import type { RedisAddress } from '../../base/redis/address.ts'
import { onceAMinute } from '../../base/redis/errors.ts'
import { streamLimits } from '../../contracts/streams.ts'
import type { Access } from '../access.ts'
import { RedisBurst } from './burst.ts'
import { RedisConnection } from './connection.ts'
import { RedisSettingsError } from './errors.ts'
import { RedisLeases } from './leases.ts'
import { RedisQuota } from './quota.ts'
import { RedisRevocations } from './revocations.ts'
import { judgeServers } from './settings.ts'
import type { DecidingClock, RedisStore } from './store.ts'
import { RedisTickets } from './tickets.ts'

export type RedisAccessOptions = {
  readonly address: RedisAddress
  /** Told of troubles that mend themselves, and of settings that can't be checked. */
  readonly warn: (message: string) => void
  readonly patienceMs?: number
  readonly openWithinMs?: number
  /** For tests with a time of their own. */
  readonly clock?: DecidingClock
  readonly settleMs?: number
  readonly judgeEveryMs?: number
}

const PATIENCE_MS = 500
const OPEN_WITHIN_MS = 10_000
/** Several times while a lease lasts: a mark that is older counts for nothing (`leases.ts`). */
const JUDGE_EVERY_MS = 2_000

/**
 * The access ports on a Redis that all nodes share. Rejects with AccessError `unavailable` if it can't be reached, and with
 * RedisSettingsError if it is set so that it may forget, or doesn't have the database.
 */
export async function openRedisAccess(options: RedisAccessOptions): Promise<Access> {
  const { patienceMs = PATIENCE_MS, openWithinMs = OPEN_WITHIN_MS } = options
  const tell = onceAMinute(({ message }) => options.warn(message))
  const warn = (message: string, error: Error) => tell(new Error(`${message}: ${error.message}`))
  const connection = await RedisConnection.open({
    address: options.address,
    patienceMs,
    openWithinMs,
    onTrouble: (error) => warn('the connection to Redis has trouble', error),
  })
  const { clock = 'redis', settleMs = streamLimits.leaseMs, judgeEveryMs = JUDGE_EVERY_MS } = options
  const store: RedisStore = { connection, clock, settleMs }
  const leases = new RedisLeases(store)
  const quota = new RedisQuota(store)
  const told = new Set<string>()
  /** Of what nobody can mend while this process runs. */
  const warnOnce = (message: string, error: Error) => {
    if (!told.has(message)) warn(message, error)
    told.add(message)
  }
  const judge = async () => {
    const { keepers, fault } = await judgeServers(connection, warnOnce)
    // Without a mark new streams wait after the next restart, no more.
    await leases.witness(keepers).catch(() => undefined)
    if (fault) throw fault
  }
  try {
    await judge()
    await leases.witness()
  } catch (error) {
    connection.close()
    throw error
  }
  // Again and again: a server can be set otherwise while it runs. What can't be asked or noted down now is so the next time.
  // Whoever is in service stays so, and says loudly that a server may forget.
  const judgeAgain = () =>
    void judge().catch((error) => {
      if (error instanceof RedisSettingsError) warn('Redis may forget what it acknowledges', error)
    })
  const judging = setInterval(judgeAgain, judgeEveryMs).unref()
  connection.onReady(() => {
    // At once, so that a change is noticed when it happens.
    leases.witness().catch(() => undefined)
    judgeAgain()
  })
  return {
    quota,
    leases,
    tickets: new RedisTickets(store),
    burst: new RedisBurst(store),
    revocations: new RedisRevocations(store),
    close: async () => {
      clearInterval(judging)
      await quota.close()
      connection.close()
    },
  }
}
