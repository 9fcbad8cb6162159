import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { Kafka, logLevel } from 'kafkajs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory, until } from '../support/journal.ts'
import { createByAdmin } from '../support/kafka-topics.ts'
import { serviceIsThere } from '../support/services.ts'

const main = new URL('../../infra/services/main.ts', import.meta.url).pathname

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
  await until('the line that starts Almanac', () => {
    if (run.child.exitCode !== null) throw new Error(run.output)
    return /npm start\n/.test(run.output)
  })
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
  it('starts all three, ends them on Ctrl-C and finds their data again', async () => {
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
    await withAdmin(kafka, (admin) => createByAdmin(admin, { topic: 'TEST' }))
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

  it('ends when one of them has ended that cannot be missed', async () => {
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
