import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../ports.ts'
import { type StartedService, startProgram } from './child.ts'

export type RunningRedis = StartedService & { readonly url: string }

/**
 * `redis-server` from the PATH, on loopback, with the settings that quotas, leases and tickets rest on: what it has
 * acknowledged is on the disk, and it forgets nothing for lack of memory. `dir` holds its append-only file and its log.
 */
export async function startRedis(options: {
  readonly dir: string
  /** 0 or absent: a free one. */
  readonly port?: number
  /** Further arguments of `redis-server`; a later one wins. */
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
 * A server that is just starting may take a connection and never answer. How long one that still reads its file says that
 * it will take is seconds too long.
 */
const soon = { connectTimeout: 1_000, commandTimeout: 1_000, maxLoadingRetryTime: 50 }

/** Answers only once it has read its file in. */
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
