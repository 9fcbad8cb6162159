/** What every adapter of the burst limit port must do. Keys and accounts are of each case's own. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Burst, BurstDecision } from '../../access/burst.ts'
import type { Identity } from '../../access/identity.ts'
import { newIdentity } from './quota-contract.ts'

const NOON = Date.UTC(2026, 8, 15, 12)
const MINUTE = 60_000

export function burstContract(name: string, connect: () => Promise<Burst>): void {
  const takeMany = async (burst: Burst, who: Identity, perMinute: number, times: number, now: number) => {
    const decisions: BurstDecision[] = []
    for (let i = 0; i < times; i++) decisions.push(await burst.take(who, perMinute, now))
    return decisions
  }

  describe(`${name} burst limit`, () => {
    it('allows a minute’s calls at once, then says when the next may come', async () => {
      const burst = await connect()
      const decisions = await takeMany(burst, newIdentity(), 30, 32, NOON)
      expect(decisions[0]).toEqual({ allowed: true, remaining: 29, resetAfter: 2, retryAfter: 0 })
      expect(decisions[28]).toEqual({ allowed: true, remaining: 1, resetAfter: 58, retryAfter: 0 })
      expect(decisions[29]).toEqual({ allowed: true, remaining: 0, resetAfter: 60, retryAfter: 2 })
      expect(decisions[30]).toEqual({ allowed: false, remaining: 0, resetAfter: 60, retryAfter: 2 })
      expect(decisions[31]).toEqual(decisions[30])
    })

    it('counts the keys of an account as one', async () => {
      const burst = await connect()
      const old = newIdentity()
      const next = newIdentity(old.account)
      await takeMany(burst, old, 30, 20, NOON)
      expect((await takeMany(burst, next, 30, 11, NOON)).map(({ allowed }) => allowed)).toEqual([
        ...Array(10).fill(true),
        false,
      ])
      expect(await burst.take(old, 30, NOON)).toMatchObject({ allowed: false, retryAfter: 2 })
    })

    it('allows a call again after exactly the seconds it said', async () => {
      const burst = await connect()
      const who = newIdentity()
      const { retryAfter } = (await takeMany(burst, who, 7, 8, NOON)).at(-1) as BurstDecision
      expect(retryAfter).toBe(9)
      expect(await burst.take(who, 7, NOON + 8_000)).toMatchObject({ allowed: false, retryAfter: 1 })
      expect(await burst.take(who, 7, NOON + 9_000)).toMatchObject({ allowed: true })
    })

    it('charges nothing for refused calls: whoever asks all the time is let in when it was told', async () => {
      const burst = await connect()
      for (const perMinute of [1, 2, 3, 4, 5, 6]) {
        const who = newIdentity()
        await takeMany(burst, who, perMinute, perMinute, NOON)
        const wait = 60_000 / perMinute
        for (let ms = 100; ms < wait; ms += 100) await burst.take(who, perMinute, NOON + ms)
        expect(await burst.take(who, perMinute, NOON + wait)).toMatchObject({ allowed: true })
      }
    })

    it('is full again after the reset, and not before', async () => {
      const burst = await connect()
      const who = newIdentity()
      await takeMany(burst, who, 120, 120, NOON)
      const late = await takeMany(burst, who, 120, 121, NOON + MINUTE)
      expect(late.filter(({ allowed }) => allowed)).toHaveLength(120)
    })

    it('limits each key by itself', async () => {
      const burst = await connect()
      await takeMany(burst, newIdentity(), 30, 31, NOON)
      expect(await burst.take(newIdentity(), 30, NOON)).toMatchObject({ allowed: true, remaining: 29 })
    })

    it('follows a changed limit', async () => {
      const burst = await connect()
      const who = newIdentity()
      await takeMany(burst, who, 600, 1, NOON)
      expect((await takeMany(burst, who, 30, 31, NOON)).filter(({ allowed }) => allowed)).toHaveLength(30)
      expect(await burst.take(who, 600, NOON + MINUTE)).toMatchObject({ allowed: true, remaining: 599 })
    })

    it('neither refills nor locks out when the clock is set back', async () => {
      const burst = await connect()
      const who = newIdentity()
      await takeMany(burst, who, 30, 30, NOON)
      expect(await burst.take(who, 30, NOON - 60 * MINUTE)).toMatchObject({ allowed: false })
      expect(await burst.take(who, 30, NOON - 60 * MINUTE + 2_000)).toMatchObject({ allowed: true })
    })

    it('never refuses a client that keeps to the limit in any 60 s, and allows no other more than twice of it', async () => {
      const burst = await connect()
      const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat(500), fc.nat(70_000)), { minLength: 1, maxLength: 150 })
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 13 }), gaps, fc.boolean(), async (perMinute, gaps, keeps) => {
          const who = newIdentity()
          const allowed: number[] = []
          let now = NOON
          for (const gap of gaps) {
            now += gap
            // The polite one waits until its call before the last `perMinute` is a minute old.
            if (keeps) now = Math.max(now, (allowed.at(-perMinute) ?? 0) + MINUTE)
            const decision = await burst.take(who, perMinute, now)
            if (keeps) expect(decision.allowed).toBe(true)
            if (decision.allowed) allowed.push(now)
            expect(decision.remaining).toBeLessThan(perMinute)
            expect(allowed.filter((at) => at > now - MINUTE).length).toBeLessThanOrEqual(2 * perMinute)
          }
        }),
        { numRuns: 60 },
      )
    })
  })
}
