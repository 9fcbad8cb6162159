import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Identity } from '../../access/identity.ts'
import type { RedisAccessOptions } from '../../access/redis/open.ts'
import { hashTicket } from '../../access/tickets.ts'
import { startRedis } from '../../infra/services/redis.ts'
import { burstContract } from '../contracts/burst-contract.ts'
import { leasesContract, takeLease } from '../contracts/leases-contract.ts'
import { newIdentity, quotaContract } from '../contracts/quota-contract.ts'
import { issueTicket, redemptionOf, ticketRequest, ticketsContract } from '../contracts/tickets-contract.ts'
import { serviceIsThere } from '../support/services.ts'
import { openTestRedisAccess } from './support/redis-access.ts'

const dir = mkdtempSync(join(tmpdir(), 'almanac-redis-'))
const there = serviceIsThere('redis')
const shared = there ? await startRedis({ dir: join(dir, 'shared') }) : undefined
const url = shared?.url ?? ''
afterAll(async () => {
  await shared?.stop()
  rmSync(dir, { recursive: true, force: true })
})

describe.skipIf(!there)('on a real server', () => {
  const connect = () => openTestRedisAccess(url)
  const process = ['redis', url] as const

  // Nothing is reserved ahead: a crash loses no more than the calls that were under way.
  quotaContract('Redis', { connect, process, block: () => 0 })
  leasesContract('Redis', { connect, process })
  ticketsContract('Redis', { connect, process })

  let burst: ReturnType<typeof connect> | undefined
  afterAll(async () => (await burst)?.close())
  burstContract('Redis', async () => {
    burst ??= connect()
    return (await burst).burst
  })

  describe('as a node opens it', () => {
    const open = async (options: Partial<RedisAccessOptions> = {}) => {
      const access = await openTestRedisAccess(url, { clock: 'redis', ...options })
      onTestFinished(() => access.close())
      return access
    }
    const asAdmin = () => {
      const client = new Redis(url)
      onTestFinished(() => client.disconnect())
      return client
    }
    const HOUR = 3_600_000

    it('goes by the time of Redis, whatever the clocks of the nodes say', async () => {
      const { leases, tickets, burst } = await open()
      const [seconds = '0'] = (await asAdmin().time()) as unknown as string[]
      const now = Number(seconds) * 1_000
      const [who, request] = [newIdentity(), ticketRequest()]
      const lease = await takeLease(leases, who, 1, now - HOUR)
      expect(await leases.count(who, now + HOUR)).toBe(1)
      expect(await leases.take(who, 1, now + HOUR)).toEqual({ outcome: 'limit' })
      expect(await leases.renew(who, [lease], now + HOUR)).toEqual([])
      const issued = await tickets.issue(request, now + HOUR)
      const expiresAt = 'expiresAt' in issued ? issued.expiresAt : 0
      expect(expiresAt).toBeGreaterThanOrEqual(now + 30_000)
      expect(expiresAt).toBeLessThan(now + 40_000)
      expect(await tickets.redeem('ticket' in issued ? issued.ticket : '', now - HOUR)).toEqual(redemptionOf(request))
      for (let i = 0; i < 3; i++) await burst.take(who, 3, now)
      expect(await burst.take(who, 3, now + HOUR)).toMatchObject({ allowed: false })
    })

    it('redeems no ticket of a key that was revoked since', async () => {
      const { tickets, revocations } = await open()
      const request = ticketRequest()
      const ticket = await issueTicket(tickets, request, 0)
      await revocations.revoke(request)
      expect(await tickets.redeem(ticket, 0)).toEqual({ ok: false, why: 'revoked' })
    })

    it('lets everything but revocations end by itself, the counts long after their month', async () => {
      const { quota, burst, leases, tickets, revocations } = await open()
      const admin = asAdmin()
      await admin.flushall()
      const who = newIdentity()
      await quota.take(who, 5, Date.now())
      await burst.take(who, 5, 0)
      await takeLease(leases, who, 5, 0)
      await tickets.redeem(await issueTicket(tickets, ticketRequest(who), 0), 0)
      await revocations.revoke(who)
      const names = await admin.keys('*')
      const ends = await Promise.all(
        names.map(async (name) => {
          const seconds = await admin.ttl(name)
          return [/^almanac:\{.\}:([a-z]+)/.exec(name)?.[1], seconds < 0 ? 'never' : Math.ceil(seconds / 10) * 10]
        }),
      )
      expect(Object.fromEntries(ends)).toEqual({
        quota: 100 * 86_400,
        burst: 120,
        leases: 30,
        ticket: 60,
        revoked: 'never',
        run: 'never',
      })
    })

    it('writes down no ticket, only its hash', async () => {
      const { tickets } = await open()
      const ticket = await issueTicket(tickets, ticketRequest(), 0)
      await tickets.redeem(ticket, 0)
      const folder = join(dir, 'shared', 'appendonlydir')
      const written = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
      expect(written.join()).toContain(hashTicket(ticket))
      expect(written.join()).not.toContain(ticket)
    })

    it('asks for the flags of thousands of streams in a command a partition', async () => {
      const { revocations } = await open()
      const admin = asAdmin()
      const keys = Array.from({ length: 3_000 }, () => newIdentity())
      await revocations.revoke(keys[1_234] as Identity)
      await admin.config('RESETSTAT')
      const flags = await Promise.all(keys.map((who) => revocations.isRevoked(who)))
      expect(flags.flatMap((flag, i) => (flag ? [i] : []))).toEqual([1_234])
      const [, calls] = /cmdstat_smismember:calls=(\d+)/.exec(await admin.info('commandstats')) ?? []
      expect(Number(calls)).toBeLessThanOrEqual(64)
    })
  })
})
