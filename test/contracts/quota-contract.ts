/**
 * What every adapter of the quota and revocation ports must do. An adapter's test calls `quotaContract` with a harness;
 * each case has a key and account of its own, so the store may be one long-lived server.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Identity } from '../../access/identity.ts'
import type { Quota, QuotaDecision } from '../../access/quota.ts'
import type { Revocations } from '../../access/revocations.ts'
import { AccessProcess } from '../access/support/access-process.ts'
import { UNTIL_MS } from '../support/patience.ts'

export type QuotaClient = {
  readonly quota: Quota
  readonly revocations: Revocations
  readonly close: () => Promise<void>
}

export type QuotaHarness = {
  /** A further client of the same store. The suite closes it. */
  readonly connect: () => Promise<QuotaClient>
  /** What `access-process.ts` needs to open the same store: the adapter's name and where the store is. */
  readonly process: readonly [adapter: string, location: string]
  /** The most calls that a crash of one client may leave charged and not granted. */
  readonly block: (limit: number) => number
}

const NOON = Date.UTC(2026, 8, 15, 12)
const OCTOBER = Date.UTC(2026, 9, 1)
const PROCESSES = 4
/** Raise for a longer run: ALMANAC_TEST_KILLS=50 npm test -- test/access -t SIGKILL */
const KILLS = Number(process.env.ALMANAC_TEST_KILLS ?? 1)

/** A key that is not the first of its line: what is counted is its account's, and by another name than its own. */
export const newIdentity = (account = `key_${randomUUID()}`): Identity => ({ keyId: `key_${randomUUID()}`, account })

/** Takes until the quota is exhausted; answers with how many calls were granted. */
export async function takeAll(quota: Quota, who: Identity, limit: number, now: number): Promise<number> {
  for (let granted = 0; ; granted++) {
    const { outcome } = await quota.take(who, limit, now)
    if (outcome !== 'granted') return granted
  }
}

export function quotaContract(name: string, { connect, process, block }: QuotaHarness): void {
  const open = async (): Promise<QuotaClient> => {
    const client = await connect()
    onTestFinished(() => client.close())
    return client
  }

  describe(`${name} quota`, () => {
    it('grants exactly the limit and says what is left and until when', async () => {
      const { quota } = await open()
      const who = newIdentity()
      const decisions: QuotaDecision[] = []
      for (let i = 0; i < 12; i++) decisions.push(await quota.take(who, 10, NOON))
      expect(decisions.map(({ outcome }) => outcome)).toEqual([...Array(10).fill('granted'), 'exhausted', 'exhausted'])
      expect(decisions.map(({ used }) => used)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10])
      expect(decisions.map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0])
      expect(new Set(decisions.map(({ resetAt }) => resetAt))).toEqual(new Set([OCTOBER]))
      expect(await quota.peek(who, 10, NOON)).toEqual({ used: 10, remaining: 0, resetAt: OCTOBER })
    })

    it('counts each account by itself', async () => {
      const { quota } = await open()
      const [spent, fresh] = [newIdentity(), newIdentity()]
      await takeAll(quota, spent, 3, NOON)
      expect(await quota.take(fresh, 3, NOON)).toMatchObject({ outcome: 'granted', used: 1, remaining: 2 })
    })

    it('counts the keys of an account as one, each by the limit it asks with, and revokes them one by one', async () => {
      const [one, other] = [await open(), await open()]
      const first: Identity = { keyId: `key_${randomUUID()}`, account: '' }
      const old = { ...first, account: first.keyId }
      const next = newIdentity(old.account)
      expect(await takeAll(one.quota, old, 20, NOON)).toBe(20)
      expect(await one.quota.take(next, 20, NOON)).toMatchObject({ outcome: 'exhausted', used: 20 })
      expect(await takeAll(one.quota, next, 30, NOON)).toBe(10)
      expect(await one.quota.peek(old, 20, NOON)).toMatchObject({ used: 30, remaining: 0 })
      one.quota.refund(next, NOON)
      await vi.waitFor(async () => expect((await one.quota.peek(old, 40, NOON)).used).toBe(29), UNTIL_MS)
      // The first of the line, whose id is the account's.
      await other.revocations.revoke(old)
      expect(await one.quota.take(old, 40, NOON)).toMatchObject({ outcome: 'revoked' })
      expect(await takeAll(one.quota, next, 40, NOON)).toBe(11)
      const last = newIdentity(old.account)
      await other.revocations.revoke(next)
      expect(await one.quota.take(next, 50, NOON)).toMatchObject({ outcome: 'revoked', used: 40 })
      expect(await takeAll(one.quota, last, 50, NOON)).toBe(10)
      expect(await Promise.all([old, next, last].map((who) => other.revocations.isRevoked(who)))).toEqual([
        true,
        true,
        false,
      ])
    })

    it('shares one count among clients, however their calls mix', async () => {
      const clients = [await open(), await open(), await open()]
      const who = newIdentity()
      const granted = await Promise.all(clients.map(({ quota }) => takeAll(quota, who, 500, NOON)))
      expect(granted.reduce((sum, count) => sum + count)).toBe(500)
    })

    it('grants no more to calls that are under way at once', async () => {
      const { quota } = await open()
      const who = newIdentity()
      const decisions = await Promise.all(Array.from({ length: 300 }, () => quota.take(who, 200, NOON)))
      expect(decisions.filter(({ outcome }) => outcome === 'granted')).toHaveLength(200)
    })

    it('starts anew with each calendar month, UTC', async () => {
      const { quota } = await open()
      const who = newIdentity()
      expect(await takeAll(quota, who, 20, OCTOBER - 1)).toBe(20)
      expect(await quota.take(who, 20, OCTOBER)).toEqual({
        outcome: 'granted',
        used: 1,
        remaining: 19,
        resetAt: Date.UTC(2026, 10, 1),
      })
      expect(await takeAll(quota, who, 20, OCTOBER + 1)).toBe(19)
      // A call that was slow to be judged still belongs to the month of its time.
      expect(await quota.take(who, 20, OCTOBER - 1)).toMatchObject({ outcome: 'exhausted', resetAt: OCTOBER })
      expect((await quota.peek(who, 20, Date.UTC(2026, 11, 31))).resetAt).toBe(Date.UTC(2027, 0, 1))
      expect((await quota.peek(who, 20, Date.UTC(2028, 1, 29))).resetAt).toBe(Date.UTC(2028, 2, 1))
    })

    it('grants a refunded call once more, and only in the month it was taken', async () => {
      const { quota } = await open()
      const who = newIdentity()
      await takeAll(quota, who, 20, NOON)
      quota.refund(who, NOON)
      await vi.waitFor(async () => expect((await quota.peek(who, 20, NOON)).used).toBe(19), UNTIL_MS)
      expect(await takeAll(quota, who, 20, NOON)).toBe(1)
      await takeAll(quota, who, 20, OCTOBER)
      quota.refund(who, NOON)
      await vi.waitFor(async () => expect((await quota.peek(who, 20, NOON)).used).toBe(19), UNTIL_MS)
      expect(await takeAll(quota, who, 20, OCTOBER)).toBe(0)
      expect(await takeAll(quota, who, 20, NOON)).toBe(1)
    })

    it('follows a plan that grows or shrinks', async () => {
      const { quota } = await open()
      const who = newIdentity()
      for (let i = 0; i < 30; i++) await quota.take(who, 1_000, NOON)
      expect(await takeAll(quota, who, 20, NOON)).toBe(0)
      expect(await takeAll(quota, who, 40, NOON)).toBe(10)
    })

    it('gives back on close what is reserved and not granted, and is unavailable from then on', async () => {
      const [leaving, staying] = [await open(), await open()]
      const who = newIdentity()
      for (let i = 0; i < 7; i++) await leaving.quota.take(who, 100_000, NOON)
      await leaving.quota.close()
      expect((await staying.quota.peek(who, 100_000, NOON)).used).toBe(7)
      await expect(async () => leaving.quota.take(who, 100_000, NOON)).rejects.toMatchObject({ code: 'unavailable' })
      await expect(async () => leaving.quota.peek(who, 100_000, NOON)).rejects.toMatchObject({ code: 'unavailable' })
    })

    it('refuses a revoked key on every client within a second, whatever is reserved', async () => {
      const [one, other] = [await open(), await open()]
      const [who, untouched] = [newIdentity(), newIdentity()]
      for (let i = 0; i < 9; i++) await one.quota.take(who, 100_000, NOON)
      await other.revocations.revoke(who)
      await other.revocations.revoke(who)
      const refused = async () =>
        expect(await one.quota.take(who, 100_000, NOON)).toMatchObject({ outcome: 'revoked', resetAt: OCTOBER })
      await vi.waitFor(refused, { timeout: 1_000, interval: 10 })
      expect(await one.revocations.isRevoked(who)).toBe(true)
      expect(await one.revocations.isRevoked(untouched)).toBe(false)
      expect(await one.quota.take(untouched, 10, NOON)).toMatchObject({ outcome: 'granted' })
    })

    it('agrees with a plain count, whatever two clients do', async () => {
      const steps = fc.array(
        fc.record({
          client: fc.nat(1),
          act: fc.oneof({ weight: 4, arbitrary: fc.constant('take') }, fc.constantFrom('refund', 'reconnect')),
          month: fc.nat(1),
          times: fc.integer({ min: 1, max: 12 }),
        }),
        { maxLength: 25 },
      )
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 120 }), steps, async (limit, steps) => {
          const who = newIdentity()
          const clients = [await connect(), await connect()] as const
          const granted: [number, number] = [0, 0]
          for (const { client, act, month, times } of steps) {
            const at = [NOON, OCTOBER][month] as number
            const { quota } = clients[client] as QuotaClient
            for (let i = 0; i < times; i++) {
              if (act === 'take') {
                if ((await quota.take(who, limit, at)).outcome === 'granted') granted[month as 0 | 1]++
              } else if (act === 'refund' && (granted[month as 0 | 1] as number) > 0) {
                quota.refund(who, at)
                granted[month as 0 | 1]--
              }
            }
            if (act === 'reconnect') {
              await clients[client]?.close()
              Object.assign(clients, { [client]: await connect() })
            }
            // Whoever asks, and whenever: never fewer counted than granted, never more granted than the limit.
            for (const { quota } of clients) {
              expect((await quota.peek(who, limit, at)).used).toBeGreaterThanOrEqual(granted[month as 0 | 1] as number)
            }
            expect(Math.max(...granted)).toBeLessThanOrEqual(limit)
          }
          for (const client of clients) await client.close()
          const last = await connect()
          const used = [await last.quota.peek(who, limit, NOON), await last.quota.peek(who, limit, OCTOBER)]
          await last.close()
          expect(used.map(({ used }) => used)).toEqual(granted)
        }),
        { numRuns: 30 },
      )
    })

    describe('among processes', () => {
      const LIMIT = 2_000
      const start = async (who: Identity) => {
        const processes = Array.from(
          { length: PROCESSES },
          () => new AccessProcess([...process, 'hammer', JSON.stringify(who), LIMIT]),
        )
        await Promise.all(processes.map((each) => each.says('ready')))
        for (const each of processes) each.go()
        return processes
      }
      const admitted = (processes: readonly AccessProcess[]) => processes.reduce((sum, each) => sum + each.grants(), 0)

      it('grants exactly the limit when all end in good order', async () => {
        const processes = await start(newIdentity())
        await Promise.all(processes.map((each) => each.finish()))
        expect(admitted(processes)).toBe(LIMIT)
      })

      it.for(Array.from({ length: KILLS }, (_, round) => round))(
        'grants no more, and loses at most a block each, when some get SIGKILL (round %i)',
        async (round) => {
          const who = newIdentity()
          const processes = await start(who)
          const victims = processes.slice(0, 2)
          for (const [i, victim] of victims.entries()) {
            await victim.hasGranted(25 + 100 * i + ((69 * round) % 150))
            await victim.kill()
          }
          await Promise.all(processes.slice(2).map((each) => each.finish()))
          for (const victim of victims) {
            expect(victim.signal, 'the fault fired').toBe('SIGKILL')
            expect(victim.said, 'while it was still taking').not.toContain('exhausted')
          }
          const { quota } = await open()
          expect((await quota.peek(who, LIMIT, Date.now())).used).toBe(LIMIT)
          expect(admitted(processes)).toBeLessThanOrEqual(LIMIT)
          // A call may have been granted to a victim that died before it could note it down: one for each call under way.
          const unnoted = victims.length * AccessProcess.callsAtOnce
          expect(admitted(processes)).toBeGreaterThanOrEqual(LIMIT - victims.length * block(LIMIT) - unnoted)
        },
      )

      it('refuses a key that another process has revoked, within a second', async () => {
        const { revocations } = await open()
        const who = newIdentity()
        const taker = new AccessProcess([...process, 'until-revoked', JSON.stringify(who), 1_000_000])
        await taker.says('ready')
        taker.go()
        await taker.hasGranted(100)
        await revocations.revoke(who)
        const revokedAt = Date.now()
        await taker.says('revoked')
        expect(Date.now() - revokedAt).toBeLessThan(1_000)
        await taker.finish()
      })
    })
  })
}
