import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster, Redis } from 'ioredis'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Identity } from '../../access/identity.ts'
import { accessPartition, partitions, runName } from '../../access/redis/names.ts'
import { freePorts } from '../../infra/ports.ts'
import { startProgram } from '../../infra/services/child.ts'
import { type RunningRedis, startRedis } from '../../infra/services/redis.ts'
import { takeLease } from '../contracts/leases-contract.ts'
import { newIdentity } from '../contracts/quota-contract.ts'
import { issueTicket, redemptionOf, ticketRequest } from '../contracts/tickets-contract.ts'
import { until } from '../support/journal.ts'
import { startRedisCluster } from '../support/redis-cluster.ts'
import { serviceIsThere } from '../support/services.ts'
import { openTestRedisAccess } from './support/redis-access.ts'

const NOON = Date.UTC(2026, 8, 15, 12)
const root = mkdtempSync(join(tmpdir(), 'almanac-redis-topology-'))
const closing: (() => Promise<unknown>)[] = []

afterAll(async () => {
  await Promise.all(closing.map((close) => close()))
  rmSync(root, { recursive: true, force: true })
})

const start = async (port: number, ...args: string[]): Promise<RunningRedis> => {
  const server = await startRedis({ dir: join(root, String(port)), port, args })
  closing.push(() => server.stop())
  return server
}
const asAdmin = (url: string): Redis => {
  const client = new Redis(url)
  client.on('error', () => undefined)
  onTestFinished(() => client.disconnect())
  return client
}
/** A sentinel that alone decides when the master at that port is gone; resolves with a client of it. */
async function startSentinel(port: number, masterPort: number): Promise<Redis> {
  const file = join(root, 'sentinel.conf')
  const settings = [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${root}`,
    `sentinel monitor main 127.0.0.1 ${masterPort} 1`,
    'sentinel down-after-milliseconds main 500',
    'sentinel failover-timeout main 3000',
  ]
  writeFileSync(file, settings.join('\n'))
  const client = asAdmin(`redis://127.0.0.1:${port}`)
  const service = await startProgram({
    name: 'Sentinel',
    command: 'redis-server',
    args: [file, '--sentinel'],
    install: 'install redis-server, 7 or newer',
    logFile: join(root, 'sentinel.log'),
    ports: [port],
    ready: async () => (await client.ping()) === 'PONG',
  })
  closing.push(() => service.stop())
  return client
}

/** A key of each partition. */
const keyOfEach = (): Identity[] =>
  partitions.map((partition) => {
    for (;;) {
      const who = newIdentity()
      if (accessPartition(who.account) === partition) return who
    }
  })

describe.skipIf(!serviceIsThere('redis'))('Redis of several servers', () => {
  it('Cluster: decides on every partition, and without one server on those of the others', async () => {
    const { servers, url } = await startRedisCluster(root)
    closing.push(...servers.map((server) => () => server.stop()))
    const access = await openTestRedisAccess(url)
    onTestFinished(() => access.close())
    const { quota, burst, leases, tickets, revocations } = access
    const keys = keyOfEach()
    const useAll = async (who: Identity) => {
      const request = ticketRequest(who)
      const ticket = await issueTicket(tickets, request, NOON)
      expect(await tickets.redeem(ticket, NOON)).toEqual(redemptionOf(request))
      expect(await quota.take(who, 5, NOON)).toMatchObject({ outcome: 'granted', used: 1 })
      quota.refund(who, NOON)
      expect(await quota.peek(who, 5, NOON)).toMatchObject({ used: 0 })
      expect(await burst.take(who, 5, NOON)).toMatchObject({ allowed: true, remaining: 4 })
      const lease = await takeLease(leases, who, 1, NOON)
      expect(await leases.renew(who, [lease], NOON)).toEqual([])
      await leases.release(who, lease)
      expect(await leases.count(who, NOON)).toBe(0)
      expect(await revocations.isRevoked(who)).toBe(false)
    }
    await Promise.all(keys.map(useAll))

    // All have decided for long, for all that anybody knows.
    const patient = await openTestRedisAccess(url, { clock: 'redis', settleMs: 3_600_000 })
    onTestFinished(() => patient.close())
    const admin = new Cluster([url.replace('redis+cluster', 'redis').split(',')[0] ?? ''])
    onTestFinished(() => admin.disconnect())
    for (const partition of partitions) await admin.hset(runName(partition), { since: '1' })
    const letsIn = async (who: Identity) =>
      (await patient.leases.take(who, 1_000, NOON).catch(() => undefined))?.outcome === 'granted'

    await servers[2]?.kill()
    const fates = async () => {
      const outcomes = await Promise.allSettled(keys.map((who) => quota.take(who, 1_000, NOON)))
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'unavailable' })
      return outcomes.filter(({ status }) => status === 'fulfilled').length
    }
    const began = performance.now()
    expect(await fates()).toBeLessThan(keys.length)
    // Not after their 5 s of patience.
    expect(performance.now() - began).toBeLessThan(4_000)
    await until('the others decide', async () => (await fates()) > keys.length / 2)
    await servers[2]?.start()
    await until('all decide again', async () => (await fates()) === keys.length)
    const allAreLetIn = () =>
      until('streams are let in', async () => (await Promise.all(keys.map(letsIn))).every(Boolean))
    await allAreLetIn()
    // Back before anybody has missed it: for its first seconds it answers, but decides nothing yet.
    await servers[2]?.kill()
    await servers[2]?.start()
    await allAreLetIn()
  })

  it('Sentinel: goes to the replica that takes over, where no ticket of before is good any more', async () => {
    const [first = 0, second = 0, port = 0] = await freePorts(3)
    const master = await start(first)
    const replica = await start(second, '--replicaof', '127.0.0.1', String(first))
    const sentinel = await startSentinel(port, first)
    const [before, after] = [asAdmin(master.url), asAdmin(replica.url)]
    await until('the replica follows', async () => (await after.info('replication')).includes('master_link_status:up'))
    await until('the sentinel knows it', async () => (await sentinel.info('sentinel')).includes('slaves=1'))

    const url = `redis+sentinel://127.0.0.1:${port}/main`
    const access = await openTestRedisAccess(url, { settleMs: 1_000 })
    onTestFinished(() => access.close())
    const { quota, leases, tickets, revocations } = access
    const [who, revoked] = [newIdentity(), newIdentity()]
    const takes = (who: Identity, limit: number) => leases.take(who, limit, NOON).catch(() => undefined)
    await until('a lease is granted', async () => (await takes(who, 2))?.outcome === 'granted')
    const ticket = await issueTicket(tickets, ticketRequest(who), NOON)
    await revocations.revoke(revoked)
    for (let i = 0; i < 3; i++) await quota.take(who, 10, NOON)
    // Redis waits for what this connection has written, and so for all that came before.
    await before.incr('TEST')
    expect(await before.wait(1, 5_000), 'all is on the replica').toBe(1)

    await master.kill()
    const decides = async () => (await Promise.allSettled([quota.take(who, 10, NOON)]))[0].status === 'fulfilled'
    await until('the replica decides', decides)
    expect((await quota.peek(who, 10, NOON)).used).toBeGreaterThanOrEqual(4)
    expect(await tickets.redeem(ticket, NOON)).toMatchObject({ ok: false })
    expect(await leases.take(revoked, 1, NOON)).toEqual({ outcome: 'revoked' })
    await expect(leases.take(newIdentity(), 1, NOON)).rejects.toMatchObject({ code: 'unavailable' })
    await until('the lease of before counts', async () => (await takes(who, 1))?.outcome === 'limit')
    await until('streams are let in again', async () => (await takes(newIdentity(), 1))?.outcome === 'granted')
    expect(await tickets.redeem(await issueTicket(tickets, ticketRequest(), NOON), NOON)).toMatchObject({ ok: true })
  })
})
