import type { RedisAddress } from '../../contracts/redis-address.ts'
import { onceAMinute, plain } from '../../contracts/redis-errors.ts'
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
  readonly warn: (message: string, error?: Error) => void
  readonly patienceMs?: number
  readonly openWithinMs?: number
  /** For tests with a time of their own. */
  readonly clock?: DecidingClock
  readonly settleMs?: number
}

const PATIENCE_MS = 500
const OPEN_WITHIN_MS = 10_000
const WITNESS_EVERY_MS = 5_000

/**
 * The access ports on a Redis that all nodes share. Rejects with AccessError `unavailable` if it can't be reached, and with
 * RedisSettingsError if it is set so that it may forget, or doesn't have the database.
 */
export async function openRedisAccess(options: RedisAccessOptions): Promise<Access> {
  const { warn, patienceMs = PATIENCE_MS, openWithinMs = OPEN_WITHIN_MS } = options
  const connection = await RedisConnection.open({
    address: options.address,
    patienceMs,
    openWithinMs,
    onTrouble: onceAMinute(({ message }) => warn(`the connection to Redis has trouble: ${message}`)),
  })
  const { clock = 'redis', settleMs = streamLimits.leaseMs } = options
  const store: RedisStore = { connection, clock, settleMs }
  const leases = new RedisLeases(store)
  const quota = new RedisQuota(store)
  const judge = async () => {
    const { keepers, fault } = await judgeServers(connection, warn)
    await leases.witness(keepers)
    if (fault) throw fault
  }
  try {
    await judge()
  } catch (error) {
    connection.close()
    throw error
  }
  // What can't be noted down now is noted down the next time, or by the first stream's own decision.
  const witness = () => void leases.witness().catch(() => undefined)
  const witnessing = setInterval(witness, WITNESS_EVERY_MS).unref()
  connection.onReady(() => {
    witness()
    // Whoever is in service stays so, and says loudly that the server it has come to may forget. One that is gone again is
    // judged when it is back.
    judge().catch((error) => {
      if (error instanceof RedisSettingsError) warn('Redis may forget what it acknowledges', plain(error))
    })
  })
  return {
    quota,
    leases,
    tickets: new RedisTickets(store),
    burst: new RedisBurst(store),
    revocations: new RedisRevocations(store),
    close: async () => {
      clearInterval(witnessing)
      await quota.close()
      connection.close()
    },
  }
}
