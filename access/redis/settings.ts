import type { Redis } from 'ioredis'
import { withoutArguments } from '../../base/redis/errors.ts'
import type { RedisConnection } from './connection.ts'
import { RedisSettingsError, unavailable } from './errors.ts'

/** What a server must be set to, so that what it acknowledged is still there after a crash, and nothing is evicted. */
const required: Readonly<Record<string, string>> = {
  'maxmemory-policy': 'noeviction',
  appendonly: 'yes',
  appendfsync: 'always',
  'no-appendfsync-on-rewrite': 'no',
}

/** A server that is set otherwise, as `name=value` a fault; or one that doesn't say how it is set, and why. */
type SettingsFault = { readonly wrong: readonly string[] } | { readonly unknown: Error }

type JudgedServers = {
  /** The `run_id` of each that keeps what it acknowledges. */
  readonly keepers: readonly string[]
  /** The RedisSettingsError of one that is set otherwise; or else the AccessError `unavailable` of one that was not there. */
  readonly fault: unknown
}

/** Judges each server that decides, for itself; warns of those that won't say how they are set (managed ones). */
export async function judgeServers(
  connection: Pick<RedisConnection, 'masters'>,
  warn: (message: string, error: Error) => void,
): Promise<JudgedServers> {
  const outcomes = await Promise.allSettled(connection.masters().map((master) => keeper(master, warn)))
  const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  return {
    keepers: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value) || []),
    fault: faults.find((fault) => fault instanceof RedisSettingsError) ?? faults[0],
  }
}

async function keeper(master: Redis, warn: (message: string, error: Error) => void): Promise<string | undefined> {
  const before = await runOf(master)
  const fault = await faultOf(master)
  if (fault && 'wrong' in fault) {
    throw new RedisSettingsError(`Redis is set to ${fault.wrong.join(', ')}; ${wanted} is what is needed`)
  }
  if (fault) {
    warn(`Redis does not say how it is set; ${wanted} is what is needed`, fault.unknown)
    return undefined
  }
  // The connection may have come to another server in the midst of it.
  return (await runOf(master)) === before ? before : undefined
}

const wanted = Object.entries(required)
  .map(([name, value]) => `${name}=${value}`)
  .join(', ')

async function runOf(master: Redis): Promise<string | undefined> {
  const info = await master.info('server').catch((error) => {
    throw unavailable(error)
  })
  return /run_id:(\w+)/.exec(info)?.[1]
}

async function faultOf(master: Redis): Promise<SettingsFault | undefined> {
  const wrong: string[] = []
  for (const [name, value] of Object.entries(required)) {
    try {
      const [, is] = (await master.config('GET', name)) as readonly unknown[]
      if (is === undefined) return { unknown: new Error(`CONFIG GET ${name} has no answer`) }
      if (is !== value) wrong.push(`${name}=${String(is)}`)
    } catch (error) {
      // A reply is the server's refusal; anything else is trouble on the way there.
      if (error instanceof Error && error.name === 'ReplyError') return { unknown: withoutArguments(error) }
      throw unavailable(error)
    }
  }
  return wrong.length > 0 ? { wrong } : undefined
}
