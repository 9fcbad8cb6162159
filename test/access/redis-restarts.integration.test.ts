/** Leases after Redis has started again, or after a replica has taken its place. */
import { describe, expect, it } from 'vitest'
import type { Access } from '../../access/access.ts'
import type { Identity } from '../../access/identity.ts'
import { accessPartition, leasesName, partitions, runName } from '../../access/redis/names.ts'
import { streamLimits } from '../../contracts/streams.ts'
import type { RunningRedis } from '../../infra/services/redis.ts'
import { takeLease } from '../contracts/leases-contract.ts'
import { newIdentity } from '../contracts/quota-contract.ts'
import { until } from '../support/journal.ts'
import { serviceIsThere } from '../support/services.ts'
import { asAdmin, open, redisServers, refused, type TestRedis } from './support/redis-servers.ts'

const { start, startInPlaceOf } = redisServers()

/** Another account, of the same partition. */
function neighbourOf({ account }: Identity): Identity {
  for (;;) {
    const other = newIdentity()
    if (accessPartition(other.account) === accessPartition(account)) return other
  }
}

describe.skipIf(!serviceIsThere('redis'))('Redis that restarts or is replaced', () => {
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
      const admin = asAdmin(replica.url)
      await until('it follows', async () => (await admin.info('replication')).includes('master_link_status:up'))
      const isWritten = async () => (await admin.info('persistence')).includes('aof_rewrite_in_progress:0')
      await until('it has written all of it', isWritten)
      const leading = asAdmin(master.url)
      await leading.incr('TEST')
      expect(await leading.wait(1, 5_000)).toBe(1)
      return { replica, admin }
    }
    /** A replica takes over the address of `master`. */
    const replaced = async (master: RunningRedis): Promise<TestRedis> => {
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
      // A failover may lose leases.
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
      const patience = { clock: 'redis', settleMs: 3_600_000, checkEveryMs: 3_600_000 } as const
      /** Has decided for longer than that, for all that it knows. */
      const old = async (...args: string[]): Promise<TestRedis> => {
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
      const admits = async (access: Access) =>
        (await access.leases.take(newIdentity(), 1, 0).catch(() => undefined))?.outcome === 'granted'

      it('lets streams in at once, for it knows all that were granted', async () => {
        const server = await old()
        const access = await open(server.url, patience)
        const who = newIdentity()
        const lease = await takeLease(access.leases, who, 1, 0)
        for (let kills = 0; kills < 2; kills++) {
          await restarted(server, access)
          await until('streams are let in', () => admits(access))
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
        expect(await admits(await open(server.url, patience))).toBe(false)
      })

      it('waits where it was a replica in between, whatever the mark that it was sent', async () => {
        const server = await old('--repl-diskless-sync-delay', '0')
        await markedAs(server, (id) => `${id} ${Date.now()}`)
        await replaced(server)
        expect(await admits(await open(server.url, patience))).toBe(false)
      })

      it('waits where the file is that of a replica', async () => {
        const master = await old('--repl-diskless-sync-delay', '0')
        const { replica } = await following(master)
        await replica.kill()
        await master.kill()
        const alone = await startInPlaceOf(master, [], replica.dir)
        expect(await admits(await open(alone.url, patience))).toBe(false)
        const row = await asAdmin(alone.url).hgetall(runName(partitions[0] ?? ''))
        expect(row, 'what it has read').not.toHaveProperty('restart')
      })

      it('waits where it had been promoted right before, and nobody had noticed', async () => {
        const master = await old('--repl-diskless-sync-delay', '0')
        const { replica, admin } = await following(master)
        await master.kill()
        await admin.replicaof('NO', 'ONE')
        await replica.kill()
        const promoted = await startInPlaceOf(master, [], replica.dir)
        expect(await admits(await open(promoted.url, patience))).toBe(false)
      })

      it('waits where what an earlier restart left to be confirmed is no longer so', async () => {
        const server = await old()
        const admin = asAdmin(server.url)
        for (const partition of partitions) {
          const id = await admin.hget(runName(partition), 'id')
          await admin.hset(runName(partition), { since: String(Date.now()), restart: `${id} 7 1` })
        }
        expect(await admits(await open(server.url, patience))).toBe(false)
        expect(await admin.hget(runName(partitions[0] ?? ''), 'restart')).toBeNull()
      })

      it('waits where it may forget itself', async () => {
        const server = await old()
        await server.kill()
        await startInPlaceOf(server, ['--appendfsync', 'everysec'], server.dir)
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
      const server = await start()
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
