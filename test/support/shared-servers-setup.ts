import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createAuthority } from './certificates.ts'
import type { SharedServers } from './shared-servers.ts'

const REDIS_DATABASES = 1_024

const kafkaSettings = {
  // Kafka's own retention, which first runs half a minute after a start, would take records of the past.
  'log.initial.task.delay.ms': '3600000',
  'log.cleaner.backoff.ms': '300',
}

/** Answers the files of a run with the addresses of servers that they share, and stops these at the end of the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(join(tmpdir(), 'almanac-shared-'))
  const stops: (() => Promise<unknown>)[] = []
  let database = 0

  // What a start needs is imported only then: a run of one file that asks for nothing pays for nothing.
  const starts: { readonly [Name in keyof SharedServers]: () => Promise<SharedServers[Name]> } = {
    kafka: async () => {
      const { startKafka } = await import('../../infra/services/kafka.ts')
      const authority = await createAuthority('TEST authority')
      const [node, client] = [await authority.sign('TEST node'), await authority.sign('TEST client')]
      const [user, password] = ['almanac', 'TEST-password']
      const tls = { ...node, authority: authority.certificate, users: { [user]: password } }
      const { brokers, tlsBrokers, stop } = await startKafka({ dir: join(dir, 'kafka'), settings: kafkaSettings, tls })
      stops.push(stop)
      return { brokers, tlsBrokers, authority: authority.certificate, client, user, password }
    },
    registry: async () => {
      const { startRegistry } = await import('../../infra/services/registry.ts')
      const registry = await startRegistry({ dir: join(dir, 'registry') })
      stops.push(() => registry.stop())
      return { url: registry.url }
    },
    redis: async () => {
      const { startRedis } = await import('../../infra/services/redis.ts')
      const args = ['--databases', String(REDIS_DATABASES)]
      const redis = await startRedis({ dir: join(dir, 'redis'), args })
      stops.push(() => redis.stop())
      return { url: redis.url }
    },
    store: async () => {
      const { startStoreProcess } = await import('../projections/support/store-process.ts')
      const store = await startStoreProcess({ path: join(dir, 'store') })
      stops.push(() => store.stop('SIGTERM'))
      return { url: store.url }
    },
    sample: async () => {
      const { watchFirstStart } = await import('./first-start.ts')
      const { service, seen } = await watchFirstStart(join(dir, 'sample'))
      const code = await service.stop()
      if (code !== 0) throw new Error(`the service with the sample ended with ${code}: ${service.output()}`)
      return { dataDir: service.dataDir, firstStart: { ...seen, output: service.output() } }
    },
  }

  const started = new Map<string, Promise<SharedServers[keyof SharedServers]>>()
  async function answerTo(name: string): Promise<object> {
    if (!isServer(name)) throw new Error(`no such server: ${name}`)
    const starting = started.get(name) ?? starts[name]()
    started.set(name, starting)
    const server = await starting
    return name === 'redis' && 'url' in server ? { url: `${server.url}/${database++ % REDIS_DATABASES}` } : server
  }
  const isServer = (name: string): name is keyof SharedServers => Object.hasOwn(starts, name)

  const server = createServer(async (request, response) => {
    response.setHeader('connection', 'close')
    try {
      response.end(JSON.stringify(await answerTo((request.url ?? '').slice(1))))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  project.provide('sharedServers', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)

  return async () => {
    server.close()
    await Promise.allSettled(started.values())
    const stopped = await Promise.allSettled(stops.map((stop) => stop()))
    await rm(dir, { recursive: true, force: true })
    for (const one of stopped) if (one.status === 'rejected') throw one.reason
  }
}
