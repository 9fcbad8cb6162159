import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../ports.ts'
import { type StartedService, startProgram } from './child.ts'

export type RunningRedis = StartedService & { readonly url: string }

/**
 * Starts `redis-server` from the PATH on loopback, with the settings that quotas, leases and tickets depend on: every
 * acknowledged write is on the disk, and nothing is evicted for lack of memory. `dir` holds its append-only file and its
 * log.
 */
export async function startRedis(options: {
  readonly dir: string
  /** 0 or absent: a free port. */
  readonly port?: number
  /** Further arguments of `redis-server`; a later one overrides an earlier one. */
  readonly args?: readonly string[]
}): Promise<RunningRedis> {
  const dir = resolve(options.dir)
  const port = options.port || (await freePort())
  const url = `redis://127.0.0.1:${port}`
  await mkdir(dir, { recursive: true })
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    dir,
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
    'maxmemory-policy': 'noeviction',
    daemonize: 'no',
  }
  const service = await startProgram({
    name: 'Redis',
    command: 'redis-server',
    args: [...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]), ...(options.args ?? [])],
    ports: [port],
    install: 'install redis-server, 7 or newer',
    logFile: join(dir, 'redis.log'),
    ready: () => answersPing(url),
  })
  return Object.assign(service, { url })
}

/**
 * Short time limits, because a server that is just starting may accept a connection and never answer. While it reads its
 * file, it suggests a retry time that is seconds too long.
 */
const soon = { connectTimeout: 1_000, commandTimeout: 1_000, maxLoadingRetryTime: 50 }

/** Whether the server answers PING, which it does once it has read its file. */
async function answersPing(url: string): Promise<boolean> {
  const client = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    ...soon,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.ping()) === 'PONG'
  } finally {
    client.disconnect()
  }
}
