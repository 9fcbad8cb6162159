/** Access decisions while Redis is killed, stopped, emptied of its scripts or kept from writing. */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openRedisAccess } from '../../access/redis/open.ts'
import { parseRedisAddress } from '../../base/redis/address.ts'
import type { RunningRedis } from '../../infra/services/redis.ts'
import { takeLease } from '../contracts/leases-contract.ts'
import { newIdentity } from '../contracts/quota-contract.ts'
import { issueTicket, ticketRequest } from '../contracts/tickets-contract.ts'
import { until } from '../support/journal.ts'
import { serviceIsThere } from '../support/services.ts'
import { allRefuse, asAdmin, decides, NOON, open, redisServers, refused } from './support/redis-servers.ts'

const { start, startInPlaceOf } = redisServers()

describe.skipIf(!serviceIsThere('redis'))('Redis that fails', () => {
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
    expect(await allRefuse(access)).toBeLessThan(4_000)

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
    // The shortest of several, because a machine that stands still meanwhile makes it longer.
    let first = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 10 && first >= 1_000; tries++) {
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
      await until('the connection is given up', async () => (await allRefuse(access)) < 100)
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

  it('decides nothing where the server has come back with fewer databases', async () => {
    const shrinking = await start('--databases', '3')
    const access = await open(`${shrinking.url}/2`, { replyTimeoutMs: 500 })
    await access.quota.take(newIdentity(), 5, NOON)
    await shrinking.stop()
    const smaller = await startInPlaceOf(shrinking, ['--databases', '2'])
    const admin = asAdmin(smaller.url)
    const tries = async () => Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))?.[1])
    const before = await tries()
    await until('it has tried again', async () => (await tries()) > before + 2)
    await allRefuse(access)
    expect(await admin.dbsize()).toBe(0)
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
})
