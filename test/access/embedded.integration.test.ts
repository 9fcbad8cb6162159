import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from 'lmdb'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { InProcessBurst } from '../../access/embedded/burst.ts'
import type { Table } from '../../access/embedded/engine.ts'
import { AccessEnvironment } from '../../access/embedded/environment.ts'
import { EmbeddedLeases } from '../../access/embedded/leases.ts'
import { openEmbeddedAccess } from '../../access/embedded/open.ts'
import { blockSize, EmbeddedQuota, reservation } from '../../access/embedded/quota.ts'
import { EmbeddedRevocations } from '../../access/embedded/revocations.ts'
import { EmbeddedTickets } from '../../access/embedded/tickets.ts'
import { identityOf } from '../../access/identity.ts'
import { createKey } from '../../access/keys.ts'
import { hashTicket } from '../../access/tickets.ts'
import { systemTime } from '../../base/time.ts'
import { burstContract } from '../contracts/burst-contract.ts'
import { leasesContract, takeLease } from '../contracts/leases-contract.ts'
import { newIdentity, quotaContract, takeAll } from '../contracts/quota-contract.ts'
import { issueTicket, ticketRequest, ticketsContract } from '../contracts/tickets-contract.ts'
import { AccessProcess } from './support/access-process.ts'

const newDir = () => mkdtempSync(join(tmpdir(), 'almanac-access-'))
const remove = (dir: string) => rmSync(dir, { recursive: true, force: true })
/** Whether a system call may be slowed down: strace is there and allowed. */
const canDelay = spawnSync('strace', ['-f', '-o', '/dev/null', '-e', 'inject=mmap:delay_enter=1', 'true']).status === 0
const NOON = Date.UTC(2026, 8, 15, 12)

const countOf = (table: Table<unknown>) => Array.from(table.getRange()).length
const contractDir = newDir()
const contractEnvironment = await AccessEnvironment.open(contractDir, systemTime)
afterAll(async () => {
  await contractEnvironment.close()
  remove(contractDir)
})

quotaContract('embedded', {
  // A process opens a directory once: its clients share the environment, and know nothing of each other's blocks.
  connect: async () => {
    const revocations = new EmbeddedRevocations(contractEnvironment)
    const quota = new EmbeddedQuota(contractEnvironment, revocations)
    return { quota, revocations, close: () => quota.close() }
  },
  process: ['embedded', contractDir],
  block: blockSize,
})

const connectShared = async () => {
  const revocations = new EmbeddedRevocations(contractEnvironment)
  return {
    revocations,
    leases: new EmbeddedLeases(contractEnvironment, revocations),
    tickets: new EmbeddedTickets(contractEnvironment, revocations),
    close: async () => undefined,
  }
}
leasesContract('embedded', { connect: connectShared, process: ['embedded', contractDir] })
ticketsContract('embedded', { connect: connectShared, process: ['embedded', contractDir] })

burstContract('in-process', async () => new InProcessBurst())

describe('the embedded access store', () => {
  const openStore = async () => {
    const dir = newDir()
    const environment = await AccessEnvironment.open(dir, systemTime)
    const revocations = new EmbeddedRevocations(environment)
    const leases = new EmbeddedLeases(environment, revocations)
    const tickets = new EmbeddedTickets(environment, revocations)
    const connect = () => {
      // Sweeps are the test's own, however slow the machine.
      const quota = new EmbeddedQuota(environment, revocations, 600_000)
      onTestFinished(() => quota.close())
      return quota
    }
    onTestFinished(async () => {
      await environment.close()
      remove(dir)
    })
    return { dir, environment, revocations, leases, tickets, connect }
  }

  it('reserves less and less near the limit, and never beyond it', () => {
    expect([100_000, 512, 100, 16, 9, 1, 0, -5].map((room) => reservation(64, room))).toEqual([
      64, 64, 12, 2, 1, 1, 0, 0,
    ])
    expect(reservation(4, 100_000)).toBe(4)
    expect([5_000, 100_000, 1_000_000, 1e9].map(blockSize)).toEqual([8, 100, 1_000, 1_024])
  })

  it('grants from memory, at once, once a caller is steady', async () => {
    const quota = (await openStore()).connect()
    const who = newIdentity()
    let waits = 0
    for (let i = 0; i < 5_000; i++) {
      const decision = quota.take(who, 1_000_000, NOON)
      if (decision instanceof Promise) waits++
      await decision
    }
    expect(waits).toBeLessThan(100)
  })

  it('leaves the last calls to whoever asks: an idle process gives its block back', async () => {
    const { connect } = await openStore()
    const [idle, busy] = [connect(), connect()]
    const who = newIdentity()
    for (let i = 0; i < 22; i++) await idle.take(who, 5_000, NOON)
    expect(await takeAll(busy, who, 5_000, NOON)).toBeLessThan(5_000 - 22)
    idle.sweep()
    idle.sweep()
    await expect.poll(() => busy.peek(who, 5_000, NOON).remaining).toBeGreaterThan(0)
    const rest = await takeAll(busy, who, 5_000, NOON)
    expect(rest).toBeGreaterThan(0)
    expect(busy.peek(who, 5_000, NOON)).toMatchObject({ used: 5_000, remaining: 0 })
    await idle.close()
    expect(busy.peek(who, 5_000, NOON).used, 'it held nothing any more').toBe(5_000)
  })

  it('does not give back a block that is drawn on', async () => {
    const { connect } = await openStore()
    const quota = connect()
    const who = newIdentity()
    for (let i = 0; i < 6; i++) {
      await quota.take(who, 5_000, NOON)
      quota.sweep()
    }
    const waited = quota.take(who, 5_000, NOON) instanceof Promise
    expect(waited).toBe(false)
  })

  it('keeps refunds of a failing service in memory, up to a block', async () => {
    const { connect } = await openStore()
    const [quota, other] = [connect(), connect()]
    const who = newIdentity()
    for (let i = 0; i < 100; i++) await quota.take(who, 5_000, NOON)
    for (let i = 0; i < 100; i++) quota.refund(who, NOON)
    await expect.poll(() => other.peek(who, 5_000, NOON).used).toBe(blockSize(5_000))
    expect(quota.peek(who, 5_000, NOON).used).toBe(0)
  })

  it('keeps counts and revocations when it is opened again', async () => {
    const dir = newDir()
    onTestFinished(() => remove(dir))
    const who = newIdentity()
    const before = await openEmbeddedAccess(dir)
    for (let i = 0; i < 5; i++) await before.quota.take(who, 100, NOON)
    await before.revocations.revoke(who)
    await before.close()
    const after = await openEmbeddedAccess(dir)
    expect(await after.quota.peek(who, 100, NOON)).toMatchObject({ used: 5 })
    expect(await after.revocations.isRevoked(who)).toBe(true)
    await after.close()
  })

  it.skipIf(!canDelay)('loses nothing to processes that open and close it meanwhile, slowly', async () => {
    const dir = newDir()
    onTestFinished(() => remove(dir))
    const counter = new AccessProcess(['embedded', dir, 'count', 'count', 0])
    await counter.says('ready')
    // LMDB forgets a commit made between an opener's reading the meta page and, 3 ms later here, its setting to work.
    const slowly = `exec strace -f -qq -o /dev/null -P ${dir}/data.mdb -e inject=mmap:delay_enter=3000 "$0" "$@"`
    const visitors = [1, 2].map(() => new AccessProcess(['embedded', dir, 'visit', '', 20], slowly))
    await Promise.all(visitors.map((visitor) => visitor.finish()))
    counter.go()
    await counter.finish()
    const environment = await AccessEnvironment.open(dir, systemTime)
    onTestFinished(() => environment.close())
    const counted = environment.quota.get('count')
    expect(counted).toBeGreaterThan(40)
    expect(counter.said).toContain(`acknowledged:${counted}`)
  })

  it('commits at once what is asked for at once, and undoes only the decision that throws', async () => {
    const { environment } = await openStore()
    const decide = (i: number) =>
      environment.write(() => {
        void environment.quota.put(`count ${i}`, i)
        if (i % 10 === 3) throw new Error('undecided')
        // Cast: the port does not number transactions, and LMDB does.
        return (environment.quota as Database<number, string>).getWriteTxnId()
      })
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, i) => decide(i)))
    const written = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(written).toHaveLength(90)
    expect(new Set(written).size, 'transactions').toBeLessThanOrEqual(2)
    for (const [i] of outcomes.entries()) {
      expect(environment.quota.get(`count ${i}`), `count ${i}`).toBe(i % 10 === 3 ? undefined : i)
    }
  })

  it('holds neither a key nor its hash, nor a ticket', async () => {
    const { dir, revocations, tickets, connect } = await openStore()
    const random = (size: number) => new Uint8Array(size).map((_, i) => (i * 37) % 251)
    const { key, record } = createKey(
      { kind: 'live', plan: 'pro', owner: 'Aunt May', origins: ['https://example.com'], expiresAt: null },
      NOON,
      random,
    )
    const quota = connect()
    await quota.take(identityOf(record), 1_000, NOON)
    const ticket = await issueTicket(tickets, ticketRequest(identityOf(record)), NOON)
    await revocations.revoke(identityOf(record))
    const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFile())
    const bytes = files.map(({ name }) => readFileSync(join(dir, name)))
    const holds = (text: string | Buffer) => bytes.some((file) => file.includes(text))
    expect(holds(record.key_id), 'the search finds what is there').toBe(true)
    expect(holds(hashTicket(ticket)), 'and this').toBe(true)
    expect(holds(ticket)).toBe(false)
    expect(holds(Buffer.from(ticket, 'base64url'))).toBe(false)
    expect(holds(key)).toBe(false)
    expect(holds(key.slice(9, 39))).toBe(false)
    expect(holds(record.hash)).toBe(false)
    expect(holds(Buffer.from(record.hash, 'hex'))).toBe(false)
    expect(holds('Aunt May')).toBe(false)
  })

  it('forgets leases that are released, and tickets that nobody redeemed', async () => {
    const { environment, leases, tickets } = await openStore()
    const who = newIdentity()
    await leases.release(who, await takeLease(leases, who, 1, NOON))
    expect(countOf(environment.leases)).toBe(0)
    const old = await issueTicket(tickets, ticketRequest(), NOON)
    await issueTicket(tickets, ticketRequest(), NOON + 20_000)
    expect(countOf(environment.tickets)).toBe(2)
    await issueTicket(tickets, ticketRequest(), NOON + 60_000)
    expect(environment.tickets.doesExist(hashTicket(old))).toBe(false)
    expect(countOf(environment.tickets)).toBe(2)
  })

  it('remembers of a redeemed ticket that it was, without whose it was, for a lifetime after its own', async () => {
    const { environment, tickets } = await openStore()
    const used = await issueTicket(tickets, ticketRequest(), NOON)
    await tickets.redeem(used, NOON)
    expect(environment.tickets.get(hashTicket(used))).toEqual({ usedUntil: NOON + 60_000 })
    await issueTicket(tickets, ticketRequest(), NOON + 59_999)
    expect(await tickets.redeem(used, NOON + 59_999)).toEqual({ ok: false, why: 'used' })
    await issueTicket(tickets, ticketRequest(), NOON + 90_000)
    expect(await tickets.redeem(used, NOON + 90_000)).toEqual({ ok: false, why: 'unknown' })
  })

  it('honours no ticket for longer than it lives when the clock is set back', async () => {
    const { tickets } = await openStore()
    const ticket = await issueTicket(tickets, ticketRequest(), NOON)
    expect(await tickets.redeem(ticket, NOON - 1)).toMatchObject({ ok: false })
  })

  it('takes no lock for tickets that are made up', async () => {
    const { environment, tickets } = await openStore()
    const real = await issueTicket(tickets, ticketRequest(), NOON)
    const write = vi.spyOn(environment, 'write')
    for (let i = 0; i < 20; i++) await tickets.redeem(String(i).padStart(43, 'A'), NOON)
    expect(write).not.toHaveBeenCalled()
    for (let i = 0; i < 3; i++) await tickets.redeem(real, NOON)
    expect(write).toHaveBeenCalledOnce()
  })

  it('shortens no lease that was renewed while a decision waited for its turn', async () => {
    const { environment, leases } = await openStore()
    const who = newIdentity()
    const lease = await takeLease(leases, who, 2, NOON)
    await leases.renew(who, [lease], NOON + 1_500)
    await takeLease(leases, who, 2, NOON)
    expect(environment.leases.get(who.account)?.[lease]).toBe(NOON + 1_500 + 15_000)
  })

  describe('that cannot be checked', () => {
    it('is unavailable where no directory can be', async () => {
      const dir = newDir()
      onTestFinished(() => remove(dir))
      const file = join(dir, 'file')
      writeFileSync(file, '')
      await expect(openEmbeddedAccess(join(file, 'store'))).rejects.toMatchObject({ code: 'unavailable' })
    })

    it('is unavailable once closed', async () => {
      const dir = newDir()
      onTestFinished(() => remove(dir))
      const environment = await AccessEnvironment.open(dir, systemTime)
      const revocations = new EmbeddedRevocations(environment)
      const quota = new EmbeddedQuota(environment, revocations)
      const who = newIdentity()
      for (let i = 0; i < 20; i++) await quota.take(who, 100_000, NOON)
      await environment.close()
      await expect(async () => quota.take(who, 100_000, NOON)).rejects.toMatchObject({ code: 'unavailable' })
      await expect(async () => revocations.isRevoked(who)).rejects.toMatchObject({ code: 'unavailable' })
      await expect(revocations.revoke(who)).rejects.toMatchObject({ code: 'unavailable' })
      const [leases, tickets] = [
        new EmbeddedLeases(environment, revocations),
        new EmbeddedTickets(environment, revocations),
      ]
      const refused = { code: 'unavailable' }
      await expect(leases.take(who, 1, NOON)).rejects.toMatchObject(refused)
      await expect(leases.renew(who, [], NOON)).rejects.toMatchObject(refused)
      await expect(leases.release(who, '')).rejects.toMatchObject(refused)
      await expect(async () => leases.count(who, NOON)).rejects.toMatchObject(refused)
      await expect(tickets.issue(ticketRequest(), NOON)).rejects.toMatchObject(refused)
      await expect(tickets.redeem('A'.repeat(43), NOON)).rejects.toMatchObject(refused)
      await quota.close()
    })

    it('grants nothing on a full disk, but what is reserved, and lives on', async () => {
      const dir = newDir()
      onTestFinished(() => remove(dir))
      const starved = new AccessProcess(['embedded', dir, 'fill', 'key', 5_000], 'ulimit -f 512; exec "$0" "$@"')
      await starved.finish()
      expect(starved.said).toEqual(['full:unavailable', 'again:unavailable', 'reserved:granted', 'closed'])
    })

    it('grants no lease and redeems no ticket that its caller no longer waits for', async () => {
      const { dir, environment, leases, tickets } = await openStore()
      const who = newIdentity()
      const lease = await takeLease(leases, who, 2, NOON)
      const ticket = await issueTicket(tickets, ticketRequest(), NOON)
      const holder = new AccessProcess(['embedded', dir, 'write', 'row', 0])
      await holder.says('writing')
      holder.stop()
      const asked = performance.now()
      const outcomes = await Promise.allSettled([
        leases.take(who, 2, NOON),
        leases.renew(who, [lease], NOON + 1_000),
        tickets.issue(ticketRequest(), NOON),
        tickets.redeem(ticket, NOON),
      ])
      expect(performance.now() - asked, 'fast').toBeLessThan(4_000)
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
      }
      await holder.kill()
      // The next write goes after those that waited.
      await environment.write(() => undefined)
      expect(environment.leases.get(who.account)).toEqual({ [lease]: NOON + 15_000 })
      expect(countOf(environment.tickets)).toBe(1)
      expect(await tickets.redeem(ticket, NOON)).toMatchObject({ ok: true })
    })

    it('is unavailable while a stopped process holds the write lock, and goes on when that is killed', async () => {
      const { dir, environment, connect } = await openStore()
      const [quota, other] = [connect(), connect()]
      const [who, unwritten] = [newIdentity(), 'a row']
      await quota.take(who, 5_000, NOON)
      const holder = new AccessProcess(['embedded', dir, 'write', unwritten, 0])
      await holder.says('writing')
      holder.stop()
      const refused = expect(other.take(who, 5_000, NOON)).rejects.toMatchObject({ code: 'unavailable' })
      expect(await quota.take(who, 5_000, NOON), 'what is reserved needs no lock').toMatchObject({ used: 2 })
      await refused
      await holder.kill()
      expect(await other.take(who, 5_000, NOON)).toMatchObject({ outcome: 'granted' })
      expect(environment.quota.get(unwritten), 'what it had written is undone').toBeUndefined()
      await Promise.all([quota.close(), other.close()])
      expect(await connect().peek(who, 5_000, NOON), 'and nothing is counted twice').toMatchObject({ used: 3 })
    })
  })
})
