import type { Redis } from 'ioredis'
import { withoutArguments } from '../../base/redis/errors.ts'
import type { RedisConnection } from './connection.ts'
import { RedisSettingsError, unavailable } from './errors.ts'

/** Settings with which a server keeps what it acknowledged after a crash, and evicts nothing. */
const required: Readonly<Record<string, string>> = {
  'maxmemory-policy': 'noeviction',
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
}

type CheckedServers = {
  /** The `run_id` of each server that keeps what it acknowledges. */
  readonly durableRunIds: readonly string[]
  /**
   * The RedisSettingsError of a server with wrong settings, or else the AccessError `unavailable` of one that did not answer.
   */
  readonly fault: unknown
}

/** Checks the settings of each master. Warns of servers that do not show their settings, as managed ones do. */
export async function checkServers(
  connection: Pick<RedisConnection, 'masters'>,
  warn: (message: string, error: Error) => void,
): Promise<CheckedServers> {
  const outcomes = await Promise.allSettled(connection.masters().map((master) => durableRunId(master, warn)))
  const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  return {
    durableRunIds: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value) || []),
    fault: faults.find((fault) => fault instanceof RedisSettingsError) ?? faults[0],
  }
}

async function durableRunId(master: Redis, warn: (message: string, error: Error) => void): Promise<string | undefined> {
  const before = await runIdOf(master)
  const refusal = await checkSettings(master)
  if (refusal) {
    warn(`Redis does not show its settings; make sure that they are ${wanted}`, refusal)
    return undefined
  }
  // The connection may have moved to another server during the check.
  return (await runIdOf(master)) === before ? before : undefined
}

const wanted = Object.entries(required)
  .map(([name, value]) => `${name}=${value}`)
  .join(', ')

async function runIdOf(master: Redis): Promise<string | undefined> {
  const info = await master.info('server').catch((error) => {
    throw unavailable(error)
  })
  return /run_id:(\w+)/.exec(info)?.[1]
}

/** Throws RedisSettingsError if settings are wrong. Returns why they are unknown, if they are. */
async function checkSettings(master: Redis): Promise<Error | undefined> {
  const wrong: string[] = []
  for (const [name, value] of Object.entries(required)) {
    try {
      // CONFIG GET replies with the name and the value.
      const [, is] = (await master.config('GET', name)) as readonly unknown[]
      if (is === undefined) return new Error(`CONFIG GET ${name} has no answer`)
      if (is !== value) wrong.push(`${name}=${String(is)}`)
    } catch (error) {
      // A ReplyError is a refusal by the server. Any other error is a fault of the connection.
      if (error instanceof Error && error.name === 'ReplyError') return withoutArguments(error)
      throw unavailable(error)
    }
  }
  if (wrong.length > 0) throw new RedisSettingsError(`Redis is set to ${wrong.join(', ')}; set it to ${wanted}`)
  return undefined
}
