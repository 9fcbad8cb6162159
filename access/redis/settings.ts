import type { Redis } from 'ioredis'
import { plain } from '../../contracts/redis-errors.ts'
import type { RedisConnection } from './connection.ts'
import { RedisSettingsError, unavailable } from './errors.ts'

/** What a server must be set to, so that what it acknowledged is still there after a crash, and nothing is evicted. */
const required: Readonly<Record<string, string>> = {
  'maxmemory-policy': 'noeviction',
  appendonly: 'yes',
  appendfsync: 'always',
}

/** A server that is set otherwise, as `name=value` a fault; or one that doesn't say how it is set, and why. */
type SettingsFault = { readonly wrong: readonly string[] } | { readonly unknown: Error }

/** Throws RedisSettingsError if a server that decides is set wrongly; warns where it won't say (managed ones). */
export async function checkSettings(
  connection: Pick<RedisConnection, 'masters'>,
  warn: (message: string, error?: Error) => void,
): Promise<void> {
  for (const master of connection.masters()) {
    const fault = await faultOf(master)
    if (!fault) continue
    if ('unknown' in fault) {
      warn(`Redis does not say how it is set; ${wanted} is what is needed`, fault.unknown)
      continue
    }
    throw new RedisSettingsError(`Redis is set to ${fault.wrong.join(', ')}; ${wanted} is what is needed`)
  }
}

const wanted = Object.entries(required)
  .map(([name, value]) => `${name}=${value}`)
  .join(', ')

async function faultOf(master: Redis): Promise<SettingsFault | undefined> {
  const wrong: string[] = []
  for (const [name, value] of Object.entries(required)) {
    try {
      const [, is] = (await master.config('GET', name)) as readonly unknown[]
      if (is === undefined) return { unknown: new Error(`CONFIG GET ${name} has no answer`) }
      if (is !== value) wrong.push(`${name}=${String(is)}`)
    } catch (error) {
      // A reply is the server's refusal; anything else is trouble on the way there.
      if (error instanceof Error && error.name === 'ReplyError') return { unknown: plain(error) }
      throw unavailable(error)
    }
  }
  return wrong.length > 0 ? { wrong } : undefined
}
