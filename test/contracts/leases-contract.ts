/**
 * What every adapter of the lease port must do. An adapter's test calls `leasesContract` with a harness; each case has a
 * key and account of its own, so the store may be one long-lived server. Time is the test's own.
 */
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Identity } from '../../access/identity.ts'
import type { Leases } from '../../access/leases.ts'
import type { Revocations } from '../../access/revocations.ts'
import { streamLimits } from '../../contracts/streams.ts'
import { AccessProcess } from '../access/support/access-process.ts'
import { newIdentity } from './quota-contract.ts'

export type LeasesClient = {
  readonly leases: Leases
  readonly revocations: Revocations
  readonly close: () => Promise<void>
}

export type LeasesHarness = {
  /** A further client of the same store. The suite closes it. */
  readonly connect: () => Promise<LeasesClient>
  /** What `access-process.ts` needs to open the same store: the adapter's name and where the store is. */
  readonly process: readonly [adapter: string, location: string]
}

const NOON = Date.UTC(2026, 8, 15, 12)
const TERM = streamLimits.leaseMs
const HOUR = 3_600_000

/** Takes a lease that there must be. */
export async function takeLease(leases: Leases, who: Identity, limit: number, now: number): Promise<string> {
  const decision = await leases.take(who, limit, now)
  if (decision.outcome !== 'granted') throw new Error(`no lease: ${decision.outcome}`)
  return decision.lease
}

export function leasesContract(name: string, { connect, process }: LeasesHarness): void {
  const open = async (): Promise<LeasesClient> => {
    const client = await connect()
    onTestFinished(() => client.close())
    return client
  }

  describe(`${name} leases`, () => {
    it('grants as many as the limit, each by another name, and counts them for every client', async () => {
      const [one, other] = [await open(), await open()]
      const [who, unrelated] = [newIdentity(), newIdentity()]
      const leases = [await takeLease(one.leases, who, 2, NOON), await takeLease(other.leases, who, 2, NOON)]
      expect(new Set(leases).size).toBe(2)
      expect(await one.leases.take(who, 2, NOON)).toEqual({ outcome: 'limit' })
      expect(await other.leases.count(who, NOON)).toBe(2)
      expect(await other.leases.count(unrelated, NOON)).toBe(0)
      expect(await other.leases.take(unrelated, 1, NOON)).toMatchObject({ outcome: 'granted' })
    })

    it('counts the keys of an account as one, and cuts off one by one those that are revoked', async () => {
      const [one, other] = [await open(), await open()]
      const next = newIdentity()
      const old = { keyId: next.account, account: next.account }
      const leases = [await takeLease(one.leases, old, 2, NOON), await takeLease(other.leases, next, 2, NOON)] as const
      for (const who of [old, next]) {
        expect(await one.leases.take(who, 2, NOON)).toEqual({ outcome: 'limit' })
        expect(await other.leases.count(who, NOON)).toBe(2)
      }
      await other.revocations.revoke(old)
      expect(await one.leases.renew(old, [leases[0]], NOON + 1)).toEqual([leases[0]])
      expect(await one.leases.renew(next, [leases[1]], NOON + 1)).toEqual([])
      expect(await one.leases.take(old, 3, NOON + 1)).toEqual({ outcome: 'revoked' })
      await one.leases.release(old, leases[0])
      await takeLease(one.leases, next, 2, NOON + 1)
      expect(await one.leases.take(next, 2, NOON + 1)).toEqual({ outcome: 'limit' })
    })

    it('grants exactly two of a Basic key to 50 connections at once', async () => {
      const clients = [await open(), await open(), await open()]
      const who = newIdentity()
      const takes = Array.from({ length: 50 }, (_, i) => clients[i % 3]?.leases.take(who, 2, NOON))
      const outcomes = (await Promise.all(takes)).map((decision) => decision?.outcome)
      expect(outcomes.filter((outcome) => outcome === 'granted')).toHaveLength(2)
      expect(outcomes.filter((outcome) => outcome === 'limit')).toHaveLength(48)
    })

    it('frees a released place at once, and only its own, however often it is released', async () => {
      const { leases } = await open()
      const who = newIdentity()
      const [first, second] = [await takeLease(leases, who, 2, NOON), await takeLease(leases, who, 2, NOON)]
      await leases.release(who, first)
      await leases.release(who, first)
      await leases.release(newIdentity(), second)
      await leases.release(who, 'no such lease')
      expect(await leases.count(who, NOON)).toBe(1)
      await takeLease(leases, who, 2, NOON)
      await leases.release(who, first)
      expect(await leases.take(who, 2, NOON)).toEqual({ outcome: 'limit' })
    })

    it('ends a lease one term after it was taken or last renewed, to the millisecond', async () => {
      const { leases } = await open()
      const who = newIdentity()
      const lease = await takeLease(leases, who, 1, NOON)
      expect(await leases.renew(who, [lease], NOON + TERM - 1)).toEqual([])
      const end = NOON + TERM - 1 + TERM
      expect(await leases.count(who, end - 1)).toBe(1)
      expect(await leases.take(who, 1, end - 1)).toEqual({ outcome: 'limit' })
      expect(await leases.count(who, end)).toBe(0)
      expect(await leases.take(who, 1, end)).toMatchObject({ outcome: 'granted' })
    })

    it('says which leases are lost, renews the others, and never brings one back', async () => {
      const { leases } = await open()
      const who = newIdentity()
      const [kept, released] = [await takeLease(leases, who, 3, NOON), await takeLease(leases, who, 3, NOON)]
      await leases.release(who, released)
      expect(await leases.renew(who, [kept, released, 'constructor'], NOON + 1)).toEqual([released, 'constructor'])
      expect(await leases.count(who, NOON + TERM)).toBe(1)
      expect(await leases.renew(who, [kept], NOON + 1 + TERM)).toEqual([kept])
      expect(await leases.renew(who, [kept], NOON)).toEqual([kept])
      expect(await leases.count(who, NOON)).toBe(0)
    })

    it('neither grants nor renews for a revoked key, on any client', async () => {
      const [one, other] = [await open(), await open()]
      const who = newIdentity()
      const lease = await takeLease(one.leases, who, 2, NOON)
      await other.revocations.revoke(who)
      expect(await one.leases.take(who, 2, NOON)).toEqual({ outcome: 'revoked' })
      expect(await one.leases.renew(who, [lease], NOON + 1)).toEqual([lease])
      expect(await one.leases.count(who, NOON + TERM)).toBe(0)
    })

    it('counts what is open against a limit that was made smaller, and cuts none of it', async () => {
      const { leases } = await open()
      const who = newIdentity()
      const open3 = [1, 2, 3].map(() => takeLease(leases, who, 3, NOON))
      const [first = ''] = await Promise.all(open3)
      expect(await leases.renew(who, await Promise.all(open3), NOON + 1)).toEqual([])
      await leases.release(who, first)
      expect(await leases.take(who, 2, NOON + 1)).toEqual({ outcome: 'limit' })
      expect(await leases.take(who, 3, NOON + 1)).toMatchObject({ outcome: 'granted' })
    })

    it('frees nothing when the clock is set back, and holds nothing up for longer than a term', async () => {
      const { leases } = await open()
      const who = newIdentity()
      const [alive, dead] = [await takeLease(leases, who, 2, NOON), await takeLease(leases, who, 2, NOON)]
      const before = NOON - HOUR
      expect(await leases.take(who, 2, before)).toEqual({ outcome: 'limit' })
      expect(await leases.renew(who, [alive], before + TERM - 1)).toEqual([])
      expect(await leases.take(who, 2, before + TERM - 1)).toEqual({ outcome: 'limit' })
      expect(await leases.take(who, 2, before + TERM)).toMatchObject({ outcome: 'granted' })
      expect(await leases.renew(who, [alive, dead], before + TERM)).toEqual([dead])
    })

    it('agrees with a plain list of ends, whatever two clients do', async () => {
      const steps = fc.array(
        fc.record({
          client: fc.nat(1),
          act: fc.constantFrom('take', 'take', 'renew', 'release', 'wait'),
          which: fc.nat(3),
          ms: fc.integer({ min: 0, max: TERM + 100 }),
        }),
        { maxLength: 20 },
      )
      const clients = [await open(), await open()]
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 3 }), steps, async (limit, all) => {
          const who = newIdentity()
          const ends = new Map<string, number>()
          const seen: string[] = []
          let now = NOON
          for (const { client, act, which, ms } of all) {
            const { leases } = clients[client] as LeasesClient
            const lease = seen[which % Math.max(1, seen.length)] ?? 'none yet'
            if (act === 'wait') now += ms
            for (const [held, end] of ends) if (end <= now) ends.delete(held)
            if (act === 'take') {
              const decision = await leases.take(who, limit, now)
              expect(decision.outcome).toBe(ends.size < limit ? 'granted' : 'limit')
              if (decision.outcome === 'granted') {
                ends.set(decision.lease, now + TERM)
                seen.push(decision.lease)
              }
            } else if (act === 'renew') {
              expect(await leases.renew(who, [lease], now)).toEqual(ends.has(lease) ? [] : [lease])
              if (ends.has(lease)) ends.set(lease, now + TERM)
            } else if (act === 'release') {
              await leases.release(who, lease)
              ends.delete(lease)
            }
            expect(await leases.count(who, now)).toBe(ends.size)
          }
        }),
        { numRuns: 30 },
      )
    })

    describe('among processes', () => {
      it('frees what a process held that got SIGKILL, one term after its last renewal and no sooner', async () => {
        const who = newIdentity()
        const holder = new AccessProcess([...process, 'hold', JSON.stringify(who), 2])
        const renewedAt = Number(await holder.saysOf('held'))
        await holder.kill()
        expect(holder.signal, 'the fault fired').toBe('SIGKILL')
        const { leases } = await open()
        expect(await leases.count(who, renewedAt)).toBe(2)
        expect(await leases.take(who, 2, renewedAt + TERM - 1)).toEqual({ outcome: 'limit' })
        await takeLease(leases, who, 2, renewedAt + TERM)
        await takeLease(leases, who, 2, renewedAt + TERM)
        expect(await leases.take(who, 2, renewedAt + TERM)).toEqual({ outcome: 'limit' })
      })

      it('grants exactly the limit to processes that ask at once', async () => {
        const who = newIdentity()
        const processes = [1, 2].map(() => new AccessProcess([...process, 'take', JSON.stringify(who), 2]))
        await Promise.all(processes.map((each) => each.says('ready')))
        for (const each of processes) each.go()
        await Promise.all(processes.map((each) => each.finish()))
        expect(processes.reduce((sum, each) => sum + each.grants(), 0)).toBe(2)
      })
    })
  })
}
