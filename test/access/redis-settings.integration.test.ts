/** Addresses and settings of Redis that are refused or warned of, and the rights that are needed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { RunningRedis } from '../../infra/services/redis.ts'
import { newIdentity } from '../contracts/quota-contract.ts'
import { until } from '../support/journal.ts'
import { serviceIsThere } from '../support/services.ts'
import { openTestRedisAccess } from './support/redis-access.ts'
import { asAdmin, decides, NOON, open, redisServers, refused } from './support/redis-servers.ts'

const { start } = redisServers()

describe.skipIf(!serviceIsThere('redis'))('Redis at a wrong address or with wrong settings', () => {
  let server: RunningRedis
  beforeAll(async () => {
    server = await start()
  })

  it('is not opened where there is none, or with a wrong password, which nobody gets to read', async () => {
    const nowhere = openTestRedisAccess('redis://127.0.0.1:1', { connectTimeoutMs: 300 })
    await expect(nowhere).rejects.toMatchObject({ ...refused, message: expect.stringContaining('ECONNREFUSED') })
    const admin = asAdmin(server.url)
    await admin.config('SET', 'requirepass', 'TEST-right')
    onTestFinished(async () => void (await admin.config('SET', 'requirepass', '')))
    const told: unknown[] = []
    const url = server.url.replace('://', '://:TEST-wrong@')
    const options = { connectTimeoutMs: 3_000, warn: (...all: unknown[]) => told.push(all) }
    const error = await openTestRedisAccess(url, options).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ ...refused, message: expect.stringContaining('WRONGPASS') })
    expect(told.length).toBeGreaterThan(0)
    expect(inspect([error, told], { depth: 20, showHidden: true })).not.toContain('TEST-wrong')
  })

  it('names the place that nobody answers at, and says the same trouble once', async () => {
    const told: unknown[][] = []
    const warn = (...all: unknown[]) => void told.push(all)
    const opened = openTestRedisAccess('redis://almanac:TEST-secret@127.0.0.1:1/3', { connectTimeoutMs: 700, warn })
    const says = 'no Redis at 127.0.0.1:1 within 700 ms: connect ECONNREFUSED 127.0.0.1:1'
    await expect(opened).rejects.toMatchObject({ ...refused, message: `unavailable: ${says}` })
    expect(told).toEqual([['the connection to Redis failed: connect ECONNREFUSED 127.0.0.1:1']])
  })

  it('is not opened with a database that the server does not have, nor is another one used in its place', async () => {
    const error = await openTestRedisAccess(`${server.url}/99`).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'RedisSettingsError', message: expect.stringContaining('database 99') })
    expect((error as Error).message).toContain('ERR DB index is out of range')
    const { quota } = await open(`${server.url}/15`)
    const who = newIdentity()
    await quota.take(who, 5, NOON)
    const admin = asAdmin(server.url)
    const names = async (database: number) => {
      await admin.select(database)
      return admin.keys(`*${who.account}*`)
    }
    expect(await names(15)).toHaveLength(1)
    expect(await names(0)).toHaveLength(0)
  })

  it.for([
    ['maxmemory-policy', 'allkeys-lru'],
    ['appendfsync', 'everysec'],
    ['appendonly', 'no'],
    ['no-appendfsync-on-rewrite', 'yes'],
  ] as const)('is not opened while %s is %s', async ([name, value]) => {
    const admin = asAdmin(server.url)
    const [, before = ''] = (await admin.config('GET', name)) as string[]
    await admin.config('SET', name, value)
    try {
      const message = expect.stringContaining(`${name}=${value};`)
      await expect(openTestRedisAccess(server.url)).rejects.toMatchObject({ name: 'RedisSettingsError', message })
    } finally {
      await admin.config('SET', name, before)
    }
  })

  it('is said to be set otherwise while it runs, and serves on', async () => {
    const told: string[] = []
    const access = await open(server.url, { checkEveryMs: 10, warn: (message) => told.push(message) })
    const admin = asAdmin(server.url)
    await admin.config('SET', 'appendfsync', 'everysec')
    try {
      await until('it is said', () => told.some((message) => message.includes('may forget')))
      expect(told).toEqual([expect.stringContaining('appendfsync=everysec')])
      expect(await decides(access)).toBe(true)
    } finally {
      await admin.config('SET', 'appendfsync', 'always')
    }
  })

  it('needs no more rights than docs/redis.md says, and warns where it may not read the settings', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/redis.md'), 'utf8')
    const [, rights = ''] = /`ACL SETUSER almanac ([^`]+)`/.exec(page) ?? []
    expect(rights).toContain(' +config|get')
    const admin = asAdmin(server.url)
    const told: string[] = []
    const openAs = async (user: string, rules: string) => {
      await admin.acl('SETUSER', user, ...rules.replace('PASSWORD', 'TEST').split(' '))
      return open(server.url.replace('://', `://${user}:TEST@`), { warn: (message) => told.push(message) })
    }
    expect(await decides(await openAs('almanac', rights))).toBe(true)
    expect(told).toEqual([])
    expect(await decides(await openAs('tenant', rights.replace(' +config|get', '')))).toBe(true)
    expect(told).toEqual([expect.stringContaining('maxmemory-policy=noeviction')])
  })
})
