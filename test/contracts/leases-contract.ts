/**
 * What every adapter of the lease port must do. An adapter's test calls `leasesContract` with a harness; each case has a
 * key id of its own, so the store may be one long-lived server. Time is the test's own.
 */
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Leases } from '../../access/leases.ts'
import type { Revocations } from '../../access/revocations.ts'
import { streamLimits } from '../../contracts/streams.ts'
import { AccessProcess } from '../access/support/access-process.ts'
import { newKeyId } from './quota-contract.ts'

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
export async function takeLease(leases: Leases, keyId: string, limit: number, now: number): Promise<string> {
  const decision = await leases.take(keyId, limit, now)
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
      const [keyId, unrelated] = [newKeyId(), newKeyId()]
      const leases = [await takeLease(one.leases, keyId, 2, NOON), await takeLease(other.leases, keyId, 2, NOON)]
      expect(new Set(leases).size).toBe(2)
      expect(await one.leases.take(keyId, 2, NOON)).toEqual({ outcome: 'limit' })
      expect(await other.leases.count(keyId, NOON)).toBe(2)
      expect(await other.leases.count(unrelated, NOON)).toBe(0)
      expect(await other.leases.take(unrelated, 1, NOON)).toMatchObject({ outcome: 'granted' })
    })

    it('grants exactly two of a Basic key to 50 connections at once', async () => {
      const clients = [await open(), await open(), await open()]
      const keyId = newKeyId()
      const takes = Array.from({ length: 50 }, (_, i) => clients[i % 3]?.leases.take(keyId, 2, NOON))
      const outcomes = (await Promise.all(takes)).map((decision) => decision?.outcome)
      expect(outcomes.filter((outcome) => outcome === 'granted')).toHaveLength(2)
      expect(outcomes.filter((outcome) => outcome === 'limit')).toHaveLength(48)
    })

    it('frees a released place at once, and only its own, however often it is released', async () => {
      const { leases } = await open()
      const keyId = newKeyId()
      const [first, second] = [await takeLease(leases, keyId, 2, NOON), await takeLease(leases, keyId, 2, NOON)]
      await leases.release(keyId, first)
      await leases.release(keyId, first)
      await leases.release(newKeyId(), second)
      await leases.release(keyId, 'no such lease')
      expect(await leases.count(keyId, NOON)).toBe(1)
      await takeLease(leases, keyId, 2, NOON)
      await leases.release(keyId, first)
      expect(await leases.take(keyId, 2, NOON)).toEqual({ outcome: 'limit' })
    })

    it('ends a lease one term after it was taken or last renewed, to the millisecond', async () => {
      const { leases } = await open()
      const keyId = newKeyId()
      const lease = await takeLease(leases, keyId, 1, NOON)
      expect(await leases.renew(keyId, [lease], NOON + TERM - 1)).toEqual([])
      const end = NOON + TERM - 1 + TERM
      expect(await leases.count(keyId, end - 1)).toBe(1)
      expect(await leases.take(keyId, 1, end - 1)).toEqual({ outcome: 'limit' })
      expect(await leases.count(keyId, end)).toBe(0)
      expect(await leases.take(keyId, 1, end)).toMatchObject({ outcome: 'granted' })
    })

    it('says which leases are lost, renews the others, and never brings one back', async () => {
      const { leases } = await open()
      const keyId = newKeyId()
      const [kept, released] = [await takeLease(leases, keyId, 3, NOON), await takeLease(leases, keyId, 3, NOON)]
      await leases.release(keyId, released)
      expect(await leases.renew(keyId, [kept, released, 'constructor'], NOON + 1)).toEqual([released, 'constructor'])
      expect(await leases.count(keyId, NOON + TERM)).toBe(1)
      expect(await leases.renew(keyId, [kept], NOON + 1 + TERM)).toEqual([kept])
      expect(await leases.renew(keyId, [kept], NOON)).toEqual([kept])
      expect(await leases.count(keyId, NOON)).toBe(0)
    })

    it('neither grants nor renews for a revoked key, on any client', async () => {
      const [one, other] = [await open(), await open()]
      const keyId = newKeyId()
      const lease = await takeLease(one.leases, keyId, 2, NOON)
      await other.revocations.revoke(keyId)
      expect(await one.leases.take(keyId, 2, NOON)).toEqual({ outcome: 'revoked' })
      expect(await one.leases.renew(keyId, [lease], NOON + 1)).toEqual([lease])
      expect(await one.leases.count(keyId, NOON + TERM)).toBe(0)
    })

    it('counts what is open against a limit that was made smaller, and cuts none of it', async () => {
      const { leases } = await open()
      const keyId = newKeyId()
      const open3 = [1, 2, 3].map(() => takeLease(leases, keyId, 3, NOON))
      const [first = ''] = await Promise.all(open3)
      expect(await leases.renew(keyId, await Promise.all(open3), NOON + 1)).toEqual([])
      await leases.release(keyId, first)
      expect(await leases.take(keyId, 2, NOON + 1)).toEqual({ outcome: 'limit' })
      expect(await leases.take(keyId, 3, NOON + 1)).toMatchObject({ outcome: 'granted' })
    })

    it('frees nothing when the clock is set back, and holds nothing up for longer than a term', async () => {
      const { leases } = await open()
      const keyId = newKeyId()
      const [alive, dead] = [await takeLease(leases, keyId, 2, NOON), await takeLease(leases, keyId, 2, NOON)]
      const before = NOON - HOUR
      expect(await leases.take(keyId, 2, before)).toEqual({ outcome: 'limit' })
      expect(await leases.renew(keyId, [alive], before + TERM - 1)).toEqual([])
      expect(await leases.take(keyId, 2, before + TERM - 1)).toEqual({ outcome: 'limit' })
      expect(await leases.take(keyId, 2, before + TERM)).toMatchObject({ outcome: 'granted' })
      expect(await leases.renew(keyId, [alive, dead], before + TERM)).toEqual([dead])
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
          const keyId = newKeyId()
          const ends = new Map<string, number>()
          const seen: string[] = []
          let now = NOON
          for (const { client, act, which, ms } of all) {
            const { leases } = clients[client] as LeasesClient
            const lease = seen[which % Math.max(1, seen.length)] ?? 'none yet'
            if (act === 'wait') now += ms
            for (const [held, end] of ends) if (end <= now) ends.delete(held)
            if (act === 'take') {
              const decision = await leases.take(keyId, limit, now)
              expect(decision.outcome).toBe(ends.size < limit ? 'granted' : 'limit')
              if (decision.outcome === 'granted') {
                ends.set(decision.lease, now + TERM)
                seen.push(decision.lease)
              }
            } else if (act === 'renew') {
              expect(await leases.renew(keyId, [lease], now)).toEqual(ends.has(lease) ? [] : [lease])
              if (ends.has(lease)) ends.set(lease, now + TERM)
            } else if (act === 'release') {
              await leases.release(keyId, lease)
              ends.delete(lease)
            }
            expect(await leases.count(keyId, now)).toBe(ends.size)
          }
        }),
        { numRuns: 30 },
      )
    })

    describe('among processes', () => {
      it('frees what a process held that got SIGKILL, one term after its last renewal and no sooner', async () => {
        const keyId = newKeyId()
        const holder = new AccessProcess([...process, 'hold', keyId, 2])
        const renewedAt = Number(await holder.saysOf('held'))
        await holder.kill()
        expect(holder.signal, 'the fault fired').toBe('SIGKILL')
        const { leases } = await open()
        expect(await leases.count(keyId, renewedAt)).toBe(2)
        expect(await leases.take(keyId, 2, renewedAt + TERM - 1)).toEqual({ outcome: 'limit' })
        await takeLease(leases, keyId, 2, renewedAt + TERM)
        await takeLease(leases, keyId, 2, renewedAt + TERM)
        expect(await leases.take(keyId, 2, renewedAt + TERM)).toEqual({ outcome: 'limit' })
      })

      it('grants exactly the limit to processes that ask at once', async () => {
        const keyId = newKeyId()
        const processes = [1, 2].map(() => new AccessProcess([...process, 'take', keyId, 2]))
        await Promise.all(processes.map((each) => each.says('ready')))
        for (const each of processes) each.go()
        await Promise.all(processes.map((each) => each.finish()))
        expect(processes.reduce((sum, each) => sum + each.grants(), 0)).toBe(2)
      })
    })
  })
}
