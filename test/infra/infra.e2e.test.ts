import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startKafka } from '../../infra/services/kafka.ts'
import { watchOver } from '../../infra/services/watch.ts'
import { temporaryDirectory, until } from '../support/journal.ts'
import { serviceIsThere } from '../support/services.ts'

const main = new URL('../../infra/services/main.ts', import.meta.url).pathname
const SLOW_MS = 240_000

/** `npm run infra` without npm; `output` is what it has printed. */
function infra(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child: ChildProcess = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const run = { child, output: '', ended: once(child, 'exit').then(([code]) => code as number | null) }
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      run.output += chunk.toString()
    })
  }
  return run
}

/** The settings in the line that it prints for Almanac's start. */
async function settingsOf(run: ReturnType<typeof infra>): Promise<Record<string, string>> {
  await until(
    'the line that starts Almanac',
    () => {
      if (run.child.exitCode !== null) throw new Error(run.output)
      return /npm start\n/.test(run.output)
    },
    SLOW_MS / 2,
  )
  return Object.fromEntries(
    [...run.output.matchAll(/(ALMANAC_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

const refuses = async (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}`).then(
    () => false,
    (error) => (error.cause as NodeJS.ErrnoException)?.code === 'ECONNREFUSED',
  )

async function withRedis<T>(url: string, use: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url)
  return use(redis).finally(() => redis.disconnect())
}
async function withAdmin<T>(brokers: string, use: (admin: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T> {
  const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  return use(admin).finally(() => admin.disconnect())
}

describe.skipIf(!serviceIsThere('java') || !serviceIsThere('redis'))('npm run infra', () => {
  it('starts all three, ends them on Ctrl-C and finds their data again', { timeout: SLOW_MS }, async () => {
    const dir = await temporaryDirectory()
    const first = infra(['--dir', dir])
    const addresses = await settingsOf(first)
    const kafka = addresses.ALMANAC_KAFKA_BROKERS ?? ''
    const sourced = readFileSync(join(dir, 'settings.sh'), 'utf8').trim().split('\n').sort()
    const lines = Object.entries(addresses).map(([name, value]) => `export ${name}=${value}`)
    expect(sourced).toEqual(lines.sort())
    const registry = addresses.ALMANAC_SCHEMA_REGISTRY_URL ?? ''
    const redis = addresses.ALMANAC_REDIS_URL ?? ''
    const register = {
      method: 'POST',
      body: JSON.stringify({ schema: '"string"' }),
      headers: { 'content-type': 'application/json' },
    }
    expect((await fetch(`${registry}/subjects/TEST-value/versions`, register)).status).toBe(200)
    await withRedis(redis, (client) => client.set('TEST', 'kept'))
    await withAdmin(kafka, (admin) => admin.createTopics({ topics: [{ topic: 'TEST' }], waitForLeaders: true }))
    const again = infra(['--dir', dir, '--only', 'redis'])
    expect(await again.ended).toBe(1)
    expect(again.output).toContain(`is in use by process ${first.child.pid}`)

    first.child.kill('SIGINT')
    expect(await first.ended).toBe(0)
    for (const address of [kafka, registry, redis]) {
      expect(await refuses(Number(/:(\d+)/.exec(address.replace(/^\w+:/, ''))?.[1])), address).toBe(true)
    }

    const second = infra(['--dir', dir])
    const found = await settingsOf(second)
    expect(await withRedis(found.ALMANAC_REDIS_URL ?? '', (client) => client.get('TEST'))).toBe('kept')
    expect(await withAdmin(found.ALMANAC_KAFKA_BROKERS ?? '', (admin) => admin.listTopics())).toContain('TEST')
    expect(await (await fetch(`${found.ALMANAC_SCHEMA_REGISTRY_URL}/subjects`)).json()).toEqual(['TEST-value'])
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })

  it('ends when one of them has ended that cannot be missed', { timeout: SLOW_MS }, async () => {
    const run = infra(['--dir', await temporaryDirectory(), '--only', 'redis'])
    const { ALMANAC_REDIS_URL = '' } = await settingsOf(run)
    const info = await withRedis(ALMANAC_REDIS_URL, (client) => client.info('server'))
    process.kill(Number(/process_id:(\d+)/.exec(info)?.[1]), 'SIGKILL')
    expect(await run.ended).toBe(1)
    expect(run.output).toMatch(/^redis has ended: ending the others; see the logs in /m)
  })

  it('says what to install', async () => {
    const dir = await temporaryDirectory()
    const { JAVA_HOME: _, ...env } = process.env
    const without = async (only: string, more: NodeJS.ProcessEnv = {}) => {
      const run = infra(['--dir', join(dir, only), '--only', only], { ...env, PATH: dir, ...more })
      expect(await run.ended).toBe(1)
      return run.output
    }
    expect(await without('redis')).toContain('install redis-server')
    expect(await without('kafka', { INFRA_CACHE_DIR: dir })).toContain('install Maven 3.8 or newer and Java 17')
  })
  it('fetches only what would be started', async () => {
    const run = infra(['--fetch', '--only', 'redis'])
    expect(await run.ended).toBe(0)
    expect(run.output).toBe('')
  })
  it('says which options it has', async () => {
    const run = infra(['--only', 'kafka,postgres'])
    expect(await run.ended).toBe(1)
    expect(run.output).toContain('--only postgres is unknown; use kafka, registry, redis')
  })
})

describe.skipIf(!serviceIsThere('java'))('a Kafka of three nodes', () => {
  it('goes on without one of them, which comes back, and is told to go on or not', { timeout: SLOW_MS }, async () => {
    const kafka = await startKafka({ dir: await temporaryDirectory(), nodes: 3 })
    onTestFinished(() => kafka.stop())
    const told: [string, boolean][] = []
    onTestFinished(watchOver([{ name: 'kafka', services: kafka.nodes }], (...what) => told.push(what)))
    await withAdmin(kafka.brokers.join(','), (admin) =>
      admin.createTopics({ topics: [{ topic: 'TEST', replicationFactor: 3 }], waitForLeaders: true }),
    )
    // A node hears of a topic and of a new leader a moment later, and says until then that it has none.
    const partition = (brokers: readonly string[]) =>
      withAdmin(brokers.join(','), async (admin) => {
        const { topics } = await admin.fetchTopicMetadata({ topics: ['TEST'] })
        return topics[0]?.partitions[0]
      }).catch(() => undefined)
    const leaderOf = async (brokers: readonly string[]) => (await partition(brokers))?.leader ?? -1
    let leader = -1
    const hasLeader = async () => {
      leader = await leaderOf(kafka.brokers)
      return leader > 0
    }
    await until('a leader', hasLeader, 60_000)
    const node = kafka.nodes[leader - 1]!
    const left = kafka.brokers.filter((_, i) => i !== leader - 1)
    await node.kill()
    await until('it is told', () => told.length === 1)
    expect(told.splice(0)).toEqual([[`kafka's node ${leader} has ended, 2 of 3 are left`, true]])
    await until('another leader', async () => ![leader, -1].includes(await leaderOf(left)), 60_000)
    await node.start()
    await until('it is in sync again', async () => (await partition(left))?.isr.length === 3, 60_000)
    // Watched again, it is one of the majority again, until another goes and then it.
    const other = kafka.nodes[leader % 3]!
    await other.kill()
    await until('the other is told', () => told.length === 1)
    expect(told.splice(0)).toEqual([[`kafka's node ${(leader % 3) + 1} has ended, 2 of 3 are left`, true]])
    await node.kill()
    await until('the end is told', () => told.length === 1)
    expect(told).toEqual([[`kafka's node ${leader} has ended, 1 of 3 are left`, false]])
  })
})
