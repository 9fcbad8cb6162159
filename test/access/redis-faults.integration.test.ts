import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Access } from '../../access/access.ts'
import type { Identity } from '../../access/identity.ts'
import { accessPartition, leasesName, partitions, runName } from '../../access/redis/names.ts'
import { openRedisAccess, type RedisAccessOptions } from '../../access/redis/open.ts'
import { parseRedisAddress } from '../../base/redis/address.ts'
import { streamLimits } from '../../contracts/streams.ts'
import { type RunningRedis, startRedis } from '../../infra/services/redis.ts'
import { takeLease } from '../contracts/leases-contract.ts'
import { newIdentity } from '../contracts/quota-contract.ts'
import { issueTicket, ticketRequest } from '../contracts/tickets-contract.ts'
import { until } from '../support/journal.ts'
import { serviceIsThere } from '../support/services.ts'
import { openTestRedisAccess } from './support/redis-access.ts'

const NOON = Date.UTC(2026, 8, 15, 12)
const refused = { name: 'AccessError', code: 'unavailable' }
const there = serviceIsThere('redis')
const root = mkdtempSync(join(tmpdir(), 'almanac-redis-faults-'))
const closing: (() => Promise<unknown>)[] = []
let servers = 0

const start = async (...args: string[]): Promise<RunningRedis> => {
  const server = await startRedis({ dir: join(root, String(++servers)), args })
  closing.push(() => server.stop())
  return server
}
const open = async (url: string, options: Partial<RedisAccessOptions> = {}): Promise<Access> => {
  const access = await openTestRedisAccess(url, options)
  onTestFinished(() => access.close())
  return access
}
const asAdmin = (url: string): Redis => {
  const client = new Redis(url, { maxRetriesPerRequest: 1 })
  client.on('error', () => undefined)
  onTestFinished(() => client.disconnect())
  return client
}

/** One decision of each kind, under way. */
const decisions = (access: Access, who = newIdentity()): Promise<unknown>[] =>
  [
    () => access.quota.take(who, 10, NOON),
    () => access.quota.peek(who, 10, NOON),
    () => access.burst.take(who, 10, NOON),
    () => access.leases.take(who, 1, NOON),
    () => access.leases.renew(who, ['lease'], NOON),
    () => access.leases.release(who, 'lease'),
    () => access.leases.count(who, NOON),
    () => access.tickets.issue(ticketRequest(who), NOON),
    () => access.tickets.redeem('A'.repeat(43), NOON),
    () => access.revocations.isRevoked(who),
    () => access.revocations.revoke(who),
  ].map(async (decide) => decide())

/** Asserts that every port says `unavailable`; resolves with how long that took, ms. */
async function allRefuse(access: Access): Promise<number> {
  const began = performance.now()
  const outcomes = await Promise.allSettled(decisions(access))
  const took = performance.now() - began
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: refused })
  return took
}

const decides = async (access: Access): Promise<boolean> => {
  const outcomes = await Promise.allSettled(decisions(access))
  return outcomes.every(({ status }) => status === 'fulfilled')
}

afterAll(async () => {
  await Promise.all(closing.map((close) => close()))
  rmSync(root, { recursive: true, force: true })
})

/** Another account, of the same partition. */
function neighbourOf({ account }: Identity): Identity {
  for (;;) {
    const other = newIdentity()
    if (accessPartition(other.account) === accessPartition(account)) return other
  }
}

describe.skipIf(!there)('Redis that fails', () => {
  let server: RunningRedis
  beforeAll(async () => {
    server = await start()
  })

  it('keeps what it has acknowledged through SIGKILL, while decisions fail at once', async () => {
    const access = await open(server.url)
    const { quota, leases, tickets, revocations } = access
    const [who, revoked] = [newIdentity(), newIdentity()]
    const spent = await issueTicket(tickets, ticketRequest(), NOON)
    const unspent = await issueTicket(tickets, ticketRequest(), NOON)
    expect(await tickets.redeem(spent, NOON)).toMatchObject({ ok: true })
    await takeLease(leases, who, 1, NOON)
    await revocations.revoke(revoked)

    let [sent, granted] = [0, 0]
    const calls = async (): Promise<never> => {
      for (;;) {
        sent++
        await quota.take(who, 1_000_000, NOON)
        granted++
      }
    }
    const calling = Promise.allSettled(Array.from({ length: 8 }, calls))
    await until('some calls are granted', () => granted > 200)
    await server.kill()
    for (const outcome of await calling) expect(outcome).toMatchObject({ reason: refused })
    // Not after their 5 s of patience.
    expect(await allRefuse(access)).toBeLessThan(2_000)

    await server.start()
    await until('it decides again', () => decides(access))
    const { used } = await quota.peek(who, 1_000_000, NOON)
    expect(used).toBeGreaterThanOrEqual(granted)
    expect(used).toBeLessThanOrEqual(sent)
    expect(await leases.take(who, 1, NOON)).toEqual({ outcome: 'limit' })
    expect(await quota.take(revoked, 10, NOON)).toMatchObject({ outcome: 'revoked' })
    expect(await tickets.redeem(spent, NOON)).toMatchObject({ ok: false })
    expect(await tickets.redeem(unspent, NOON), 'of another server process').toMatchObject({ ok: false })
  })

  it('is unavailable within a second while it is stopped, then at once, and comes back by itself', async () => {
    // With the patience of a node.
    const access = await openRedisAccess({
      address: parseRedisAddress(server.url),
      clock: 'caller',
      settleMs: 0,
      warn: () => undefined,
    })
    onTestFinished(() => access.close())
    const who = newIdentity()
    // A machine that stands still meanwhile makes it longer.
    let first = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 3 && first >= 1_000; tries++) {
      process.kill(server.pid, 'SIGSTOP')
      first = await allRefuse(access).finally(() => process.kill(server.pid, 'SIGCONT'))
      await until('it decides again', () => decides(access))
    }
    expect(first).toBeGreaterThan(400)
    expect(first).toBeLessThan(1_000)
    process.kill(server.pid, 'SIGSTOP')
    try {
      const takes = Array.from({ length: 5 }, async () => access.quota.take(who, 100, NOON))
      const calls = Promise.allSettled(takes)
      for (const outcome of await calls) expect(outcome).toMatchObject({ reason: refused })
      await until('the connection is given up', async () => (await allRefuse(access)) < 100, 5_000)
    } finally {
      process.kill(server.pid, 'SIGCONT')
    }
    await until('it decides again', () => decides(access))
    expect((await access.quota.peek(who, 100, NOON)).used, 'nothing is sent twice').toBeLessThanOrEqual(5)
  })

  it('decides on after its scripts are flushed', async () => {
    const { quota } = await open(server.url)
    const who = newIdentity()
    for (let i = 0; i < 2; i++) await quota.take(who, 5, NOON)
    await asAdmin(server.url).script('FLUSH')
    expect(await quota.take(who, 5, NOON)).toMatchObject({ outcome: 'granted', used: 3 })
    expect(await quota.take(who, 5, NOON)).toMatchObject({ outcome: 'granted', used: 4 })
  })

  it('is not opened where there is none, or with a wrong password, which nobody gets to read', async () => {
    const nowhere = openTestRedisAccess('redis://127.0.0.1:1', { openWithinMs: 300 })
    await expect(nowhere).rejects.toMatchObject({ ...refused, message: expect.stringContaining('ECONNREFUSED') })
    const admin = asAdmin(server.url)
    await admin.config('SET', 'requirepass', 'TEST-right')
    onTestFinished(async () => void (await admin.config('SET', 'requirepass', '')))
    const told: unknown[] = []
    const url = server.url.replace('://', '://:TEST-wrong@')
    const options = { openWithinMs: 3_000, warn: (...all: unknown[]) => told.push(all) }
    const error = await openTestRedisAccess(url, options).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ ...refused, message: expect.stringContaining('WRONGPASS') })
    expect(told.length).toBeGreaterThan(0)
    expect(inspect([error, told], { depth: 20, showHidden: true })).not.toContain('TEST-wrong')
  })

  it('names the place that nobody answers at, and says the same trouble once', async () => {
    const told: unknown[][] = []
    const warn = (...all: unknown[]) => void told.push(all)
    const opened = openTestRedisAccess('redis://almanac:TEST-secret@127.0.0.1:1/3', { openWithinMs: 700, warn })
    const says = 'no Redis at 127.0.0.1:1 within 700 ms: connect ECONNREFUSED 127.0.0.1:1'
    await expect(opened).rejects.toMatchObject({ ...refused, message: `unavailable: ${says}` })
    expect(told).toEqual([['the connection to Redis has trouble: connect ECONNREFUSED 127.0.0.1:1']])
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

  it('decides nothing where the server has come back with fewer databases', async () => {
    const shrinking = await start('--databases', '3')
    const access = await open(`${shrinking.url}/2`, { patienceMs: 500 })
    await access.quota.take(newIdentity(), 5, NOON)
    await shrinking.stop()
    const smaller = await startRedis({
      dir: join(root, `smaller-${++servers}`),
      port: Number(new URL(shrinking.url).port),
      args: ['--databases', '2'],
    })
    closing.push(() => smaller.stop())
    const admin = asAdmin(smaller.url)
    const tries = async () => Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))?.[1])
    const before = await tries()
    await until('it has tried again', async () => (await tries()) > before + 2)
    await allRefuse(access)
    expect(await admin.dbsize()).toBe(0)
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
    const access = await open(server.url, { judgeEveryMs: 10, warn: (message) => told.push(message) })
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

  it('is opened while it may not write, for it was known before', async () => {
    const alone = await start()
    expect(await decides(await open(alone.url))).toBe(true)
    const admin = asAdmin(alone.url)
    await admin.config('SET', 'min-replicas-to-write', '1')
    const access = await open(alone.url)
    await expect(access.leases.take(newIdentity(), 1, NOON)).rejects.toMatchObject(refused)
    await admin.config('SET', 'min-replicas-to-write', '0')
    expect(await decides(access)).toBe(true)
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

  describe('and starts again, or gives way to another', () => {
    const settleMs = 2_500
    /** Each partition has a time of its own: the one that decides about `who` is waited for. */
    const settled = (access: Access, who: Identity) =>
      until('it lets streams in', async () => {
        const decision = await access.leases.take(neighbourOf(who), 1, 0).catch(() => undefined)
        return decision?.outcome === 'granted'
      })

    const restarted = async (server: RunningRedis, access: Access): Promise<void> => {
      await server.kill()
      await server.start()
      await answering(access)
    }
    const answering = (access: Access) =>
      until('it answers', async () => {
        const [peeked] = await Promise.allSettled([access.quota.peek(newIdentity(), 1, 0)])
        return peeked?.status === 'fulfilled'
      })
    /** A replica of `master` that has all of it, with an append-only file of its own. */
    const following = async (master: RunningRedis) => {
      const { port } = new URL(master.url)
      const replica = await start('--replicaof', '127.0.0.1', port)
      const dir = join(root, String(servers))
      const admin = asAdmin(replica.url)
      await until('it follows', async () => (await admin.info('replication')).includes('master_link_status:up'))
      const isWritten = async () => (await admin.info('persistence')).includes('aof_rewrite_in_progress:0')
      await until('it has written all of it', isWritten)
      const leading = asAdmin(master.url)
      await leading.incr('TEST')
      expect(await leading.wait(1, 5_000)).toBe(1)
      return { replica: Object.assign(replica, { dir }), admin }
    }
    /** A replica takes over the address of `master`. */
    const replaced = async (master: RunningRedis): Promise<RunningRedis> => {
      const { port } = new URL(master.url)
      const { replica, admin } = await following(master)
      await master.kill()
      await admin.replicaof('NO', 'ONE')
      await admin.config('SET', 'port', port)
      return replica
    }

    it('lets no stream in until leases that it may have lost have ended, and takes on those still held', async () => {
      const young = await start('--repl-diskless-sync-delay', '0')
      const access = await open(young.url, { clock: 'redis', settleMs })
      const { leases } = access
      const who = newIdentity()
      await expect(leases.take(who, 1, 0), 'never seen, and just started').rejects.toMatchObject(refused)
      await settled(access, who)
      const lease = await takeLease(leases, who, 1, 0)
      expect(await leases.renew(who, ['never granted'], 0)).toEqual(['never granted'])

      await replaced(young)
      await answering(access)
      // What a failover may do.
      await asAdmin(young.url).del(leasesName(who.account))
      await expect(leases.take(who, 1, 0)).rejects.toMatchObject(refused)
      const careless = await open(young.url, { clock: 'redis', settleMs: 0 })
      expect(await careless.leases.take(who, 1, 0), 'the fault that this guards against').toMatchObject({
        outcome: 'granted',
      })
      await asAdmin(young.url).del(leasesName(who.account))

      expect(await leases.renew(who, [lease], 0)).toEqual([])
      expect(await leases.count(who, 0)).toBe(1)
      await settled(access, who)
      expect(await leases.take(who, 1, 0)).toEqual({ outcome: 'limit' })
      expect(await leases.renew(who, [lease, 'never granted'], 0)).toEqual(['never granted'])
    })

    describe('on its own file', () => {
      /** Long enough that nobody is let in by waiting, and that marks are written at connections only. */
      const patience = { clock: 'redis', settleMs: 3_600_000, judgeEveryMs: 3_600_000 } as const
      /** Has decided for longer than that, for all that it knows. */
      const old = async (...args: string[]): Promise<RunningRedis> => {
        const server = await start(...args)
        const access = await open(server.url, patience)
        const admin = asAdmin(server.url)
        for (const partition of partitions) await admin.hset(runName(partition), { since: '1' })
        expect(await access.leases.take(newIdentity(), 1, 0)).toMatchObject({ outcome: 'granted' })
        return server
      }
      const markedAs = async (server: RunningRedis, mark: (id: string) => string): Promise<void> => {
        const admin = asAdmin(server.url)
        for (const partition of partitions) {
          const id = await admin.hget(runName(partition), 'id')
          await admin.hset(runName(partition), { kept: mark(id ?? '') })
        }
      }
      const letsIn = async (access: Access) =>
        (await access.leases.take(newIdentity(), 1, 0).catch(() => undefined))?.outcome === 'granted'

      it('lets streams in at once, for it knows all that were granted', async () => {
        const server = await old()
        const access = await open(server.url, patience)
        const who = newIdentity()
        const lease = await takeLease(access.leases, who, 1, 0)
        for (let kills = 0; kills < 2; kills++) {
          await restarted(server, access)
          await until('streams are let in', () => letsIn(access))
          expect(await access.leases.take(who, 1, 0)).toEqual({ outcome: 'limit' })
          expect(await access.leases.renew(who, [lease, 'never granted'], 0)).toEqual(['never granted'])
        }
      })

      it('goes on waiting, where the earlier one waited', async () => {
        const server = await start()
        const access = await open(server.url, patience)
        await restarted(server, access)
        const again = await open(server.url, patience)
        for (const { leases } of [access, again])
          await expect(leases.take(newIdentity(), 1, 0)).rejects.toMatchObject(refused)
      })

      it.for([
        ['is so old that others may have gone on', (id: string) => `${id} ${Date.now() - streamLimits.leaseMs}`],
        ['was written last by a process that nobody judged', () => `${'0'.repeat(40)} ${Date.now()}`],
        ['has no mark', () => ''],
      ] as const)('waits where its file %s', async ([, mark]) => {
        const server = await old()
        const access = await open(server.url, patience)
        await markedAs(server, mark)
        await restarted(server, access)
        // Whoever is opened has judged it.
        expect(await letsIn(await open(server.url, patience))).toBe(false)
      })

      it('waits where it was a replica in between, whatever the mark that it was sent', async () => {
        const server = await old('--repl-diskless-sync-delay', '0')
        await markedAs(server, (id) => `${id} ${Date.now()}`)
        await replaced(server)
        expect(await letsIn(await open(server.url, patience))).toBe(false)
      })

      it('waits where the file is that of a replica', async () => {
        const master = await old('--repl-diskless-sync-delay', '0')
        const { replica } = await following(master)
        await replica.kill()
        await master.kill()
        const alone = await startRedis({ dir: replica.dir, port: Number(new URL(master.url).port) })
        closing.push(() => alone.stop())
        expect(await letsIn(await open(alone.url, patience))).toBe(false)
        const row = await asAdmin(alone.url).hgetall(runName(partitions[0] ?? ''))
        expect(row, 'what it has read').not.toHaveProperty('restart')
      })

      it('waits where it had been promoted right before, and nobody had noticed', async () => {
        const master = await old('--repl-diskless-sync-delay', '0')
        const { replica, admin } = await following(master)
        await master.kill()
        await admin.replicaof('NO', 'ONE')
        await replica.kill()
        const promoted = await startRedis({ dir: replica.dir, port: Number(new URL(master.url).port) })
        closing.push(() => promoted.stop())
        expect(await letsIn(await open(promoted.url, patience))).toBe(false)
      })

      it('waits where what an earlier restart left to be confirmed is no longer so', async () => {
        const server = await old()
        const admin = asAdmin(server.url)
        for (const partition of partitions) {
          const id = await admin.hget(runName(partition), 'id')
          await admin.hset(runName(partition), { since: String(Date.now()), restart: `${id} 7 1` })
        }
        expect(await letsIn(await open(server.url, patience))).toBe(false)
        expect(await admin.hget(runName(partitions[0] ?? ''), 'restart')).toBeNull()
      })

      it('waits where it may forget itself', async () => {
        const server = await old()
        await server.kill()
        const { port } = new URL(server.url)
        const dir = join(root, String(servers))
        const careless = await startRedis({ dir, port: Number(port), args: ['--appendfsync', 'everysec'] })
        closing.push(() => careless.stop())
        await expect(open(server.url, patience)).rejects.toMatchObject({ name: 'RedisSettingsError' })
        const admin = asAdmin(server.url)
        const row = await admin.hgetall(runName(partitions[0] ?? ''))
        expect(row).toMatchObject({
          id: expect.not.stringMatching(row.kept?.split(' ')[0] ?? ''),
          restart: `${row.id} ${row.since} 1`,
        })
        expect(Number(row.since)).toBeGreaterThan(1)
      })
    })

    it('waits for a replica that was made the master, however long that has run', async () => {
      const admin = asAdmin(server.url)
      const access = await open(server.url, { settleMs: 200 })
      const who = newIdentity()
      await settled(access, who)
      for (const partition of partitions) await admin.hset(runName(partition), { id: 'another', since: '1' })
      await expect(access.leases.take(who, 1, 0)).rejects.toMatchObject(refused)
      await settled(access, who)
    })
  })
})
