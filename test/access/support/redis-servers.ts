import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, expect, onTestFinished } from 'vitest'
import type { Access } from '../../../access/access.ts'
import type { RedisAccessOptions } from '../../../access/redis/open.ts'
import { type RunningRedis, startRedis } from '../../../infra/services/redis.ts'
import { newIdentity } from '../../contracts/quota-contract.ts'
import { ticketRequest } from '../../contracts/tickets-contract.ts'
import { openTestRedisAccess } from './redis-access.ts'

export const NOON = Date.UTC(2026, 8, 15, 12)
/** The error of every port that cannot ask Redis. */
export const refused = { name: 'AccessError', code: 'unavailable' }

/** A server, and the directory of its files. */
export type TestRedis = RunningRedis & { readonly dir: string }

/** Starts Redis servers for the tests of a file, and stops them after the last one. */
export function redisServers() {
  const root = mkdtempSync(join(tmpdir(), 'almanac-redis-faults-'))
  const closing: (() => Promise<unknown>)[] = []
  let servers = 0

  afterAll(async () => {
    await Promise.all(closing.map((close) => close()))
    rmSync(root, { recursive: true, force: true })
  })

  const newDirectory = () => join(root, String(++servers))
  async function startIn(dir: string, args: readonly string[], port = 0): Promise<TestRedis> {
    const server = await startRedis({ dir, port, args })
    closing.push(() => server.stop())
    return Object.assign(server, { dir })
  }

  return {
    start: (...args: string[]): Promise<TestRedis> => startIn(newDirectory(), args),
    /** Starts a server at the address of one that has ended, on the files in `dir` or on none. */
    startInPlaceOf: ({ url }: RunningRedis, args: readonly string[], dir = newDirectory()): Promise<TestRedis> =>
      startIn(dir, args, Number(new URL(url).port)),
  }
}

export const open = async (url: string, options: Partial<RedisAccessOptions> = {}): Promise<Access> => {
  const access = await openTestRedisAccess(url, options)
  onTestFinished(() => access.close())
  return access
}

export const asAdmin = (url: string): Redis => {
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
export async function allRefuse(access: Access): Promise<number> {
  const began = performance.now()
  const outcomes = await Promise.allSettled(decisions(access))
  const took = performance.now() - began
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: refused })
  return took
}

export const decides = async (access: Access): Promise<boolean> => {
  const outcomes = await Promise.allSettled(decisions(access))
  return outcomes.every(({ status }) => status === 'fulfilled')
}
