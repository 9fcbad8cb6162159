import { describe, expect, it } from 'vitest'
import { AccessError } from '../../access/error.ts'
import type { Identity } from '../../access/identity.ts'
import type { LeaseDecision, Leases } from '../../access/leases.ts'
import { OwnedLeases } from '../../access/owned-leases.ts'
import { randomFrom } from '../support/random.ts'
import { SimulatedTime } from '../support/simulated-time.ts'

const NOON = Date.UTC(2026, 8, 15, 12)

/** A store that grants all it is asked for; whether, how and when it answers a renewal is the test's to say. */
class ScriptedLeases implements Leases {
  granted = 0
  renewed: { who: Identity; leases: readonly string[]; now: number }[] = []
  readonly released: string[] = []
  answer: (leases: readonly string[]) => Promise<readonly string[]> = async () => []
  onTake = async () => {}
  isFull = false

  async take(): Promise<LeaseDecision> {
    await this.onTake()
    if (this.isFull) return { outcome: 'limit' }
    return { outcome: 'granted', lease: `lease ${++this.granted}` }
  }
  renew(who: Identity, leases: readonly string[], now: number) {
    this.renewed.push({ who, leases, now })
    return this.answer(leases)
  }
  async release(_who: Identity, lease: string) {
    this.released.push(lease)
  }
  count(): number {
    return this.granted - this.released.length
  }
}

/** All of one account: what is renewed together are a key's leases, for the store refuses or renews by the key. */
const named = (keyId: string): Identity => ({ keyId, account: 'account' })

const holder = () => {
  const leases = new ScriptedLeases()
  const time = new SimulatedTime(randomFrom(1), NOON)
  const failures: unknown[] = []
  const held = new OwnedLeases(leases, { time, renewalFailed: (error) => failures.push(error) })
  const pass = (ms: number) => time.pass(ms)
  const take = async (keyId = 'key') => {
    const decision = await held.take(named(keyId), 10)
    return 'lease' in decision ? decision.lease : ''
  }
  return { leases, held, time, failures, pass, take }
}

const away = () => Promise.reject(new AccessError('unavailable', 'away'))

describe('leases of a process', () => {
  it('are given up a second before the store ends them, unless they are renewed', async () => {
    const { held, pass, take } = holder()
    const lease = await take()
    pass(13_999)
    expect(held.holds(lease)).toBe(true)
    await held.renew()
    pass(13_999)
    expect(held.holds(lease)).toBe(true)
    pass(1)
    expect(held.holds(lease)).toBe(false)
    expect(held.holds('another')).toBe(false)
  })

  it('end by the time that has passed, whatever the clock is set to', async () => {
    const { held, time, take } = holder()
    const lease = await take()
    time.setWallClockBy(-3_600_000)
    time.pass(14_000)
    expect(held.holds(lease)).toBe(false)
    const second = await take()
    time.setWallClockBy(3_600_000)
    expect(held.holds(second)).toBe(true)
  })

  it('run from when they were asked for, not from when the store answered', async () => {
    const { held, leases, pass, take } = holder()
    leases.onTake = async () => pass(2_000)
    const lease = await take()
    pass(11_999)
    expect(held.holds(lease)).toBe(true)
    leases.answer = async () => {
      pass(2_000)
      return []
    }
    pass(-4_000)
    await held.renew()
    pass(11_999)
    expect(held.holds(lease)).toBe(true)
    pass(1)
    expect(held.holds(lease)).toBe(false)
  })

  it('are renewed a key at a time', async () => {
    const { held, leases, pass, take } = holder()
    const taken = [await take('a'), await take('b'), await take('a')]
    pass(4_000)
    await held.renew()
    expect(leases.renewed).toEqual([
      { who: named('a'), leases: [taken[0], taken[2]], now: NOON + 4_000 },
      { who: named('b'), leases: [taken[1]], now: NOON + 4_000 },
    ])
  })

  it('are lost, for good, when the store says so, and the others are not', async () => {
    const { held, leases, take } = holder()
    const [lost, kept] = [await take(), await take()]
    leases.answer = async () => [lost]
    await held.renew()
    leases.answer = async () => []
    await held.renew()
    expect([held.holds(lost), held.holds(kept)]).toEqual([false, true])
    expect(leases.renewed.at(-1)?.leases).toEqual([kept])
  })

  it('survive a store that is away for less than a term, and no longer', async () => {
    const { held, leases, failures, pass, take } = holder()
    const lease = await take()
    leases.answer = away
    for (let i = 0; i < 3; i++) {
      pass(4_000)
      await held.renew()
    }
    expect(failures).toHaveLength(3)
    expect(held.holds(lease)).toBe(true)
    pass(2_000)
    leases.answer = async () => []
    await held.renew()
    expect(leases.renewed, 'one that has run out is not asked for again').toHaveLength(3)
    expect(held.holds(lease)).toBe(false)
  })

  it('stay lost when a renewal is confirmed too late', async () => {
    const { held, leases, pass, take } = holder()
    const lease = await take()
    pass(4_000)
    leases.answer = async () => {
      pass(10_000)
      return []
    }
    await held.renew()
    expect(held.holds(lease)).toBe(false)
  })

  it('leave the rest of a round to the next when the store does not answer', async () => {
    const { held, leases, failures, take } = holder()
    for (let i = 0; i < 300; i++) await take(`key ${i}`)
    leases.answer = away
    await held.renew()
    expect(leases.renewed.length).toBeLessThan(300)
    expect(failures, 'said once').toHaveLength(1)
    leases.renewed = []
    leases.answer = async () => []
    await held.renew()
    expect(leases.renewed).toHaveLength(300)
  })

  it('are all renewed but those of a key that always fails, whatever its place', async () => {
    for (const bad of [0, 127, 128, 299]) {
      const { held, leases, failures, pass, take } = holder()
      const taken: string[] = []
      for (let i = 0; i < 300; i++) taken.push(await take(`key ${i}`))
      leases.answer = async (asked) => (asked.includes(taken[bad] ?? '') ? away() : [])
      for (let round = 0; round < 6; round++) {
        pass(4_000)
        await held.renew()
      }
      expect(failures.length).toBeGreaterThan(1)
      expect(taken.filter((lease) => !held.holds(lease))).toEqual([taken[bad]])
    }
  })

  it('are all renewed within two rounds, however many keys there are beside one that always fails', async () => {
    const { held, leases, take } = holder()
    const bad = await take('bad')
    for (let i = 0; i < 400; i++) await take(`key ${i}`)
    const renewed = new Set<string>()
    leases.answer = async (asked) => {
      if (asked.includes(bad)) return away()
      for (const lease of asked) renewed.add(lease)
      return []
    }
    for (let round = 0; round < 2; round++) await held.renew()
    expect(renewed.size).toBe(400)
  })

  it('are not asked for where all of a key have ended, and those of other keys are renewed', async () => {
    const { held, leases, failures, pass, take } = holder()
    await take('a')
    pass(14_000)
    const fresh = await take('b')
    await held.renew()
    expect(leases.renewed.map(({ leases }) => leases)).toEqual([[fresh]])
    expect(failures).toEqual([])
  })

  it('are not owned where the store has granted none', async () => {
    const { held, leases, take } = holder()
    leases.isFull = true
    expect(await take()).toBe('')
    await held.renew()
    expect(leases.renewed).toEqual([])
  })

  it('are renewed whether or not anybody wants to know of failures', async () => {
    const { leases, time } = holder()
    const held = new OwnedLeases(leases, { time })
    await held.take(named('key'), 10)
    leases.answer = away
    await expect(held.renew()).resolves.toBeUndefined()
  })

  it('are released while a renewal is under way, and do not come back by it', async () => {
    const { held, leases, take } = holder()
    const lease = await take()
    const { promise, resolve } = Promise.withResolvers<readonly string[]>()
    leases.answer = () => promise
    const renewing = held.renew()
    await held.release(named('key'), lease)
    resolve([])
    await renewing
    expect(held.holds(lease)).toBe(false)
    expect(leases.released).toEqual([lease])
  })

  it('are renewed again and again until told to stop', async () => {
    const { held, leases, time, take } = holder()
    const lease = await take()
    const stop = new AbortController()
    const running = held.run(stop.signal)
    await time.advance(3_600_000)
    expect(leases.renewed).toHaveLength(900)
    expect(held.holds(lease)).toBe(true)
    stop.abort()
    await running
    await time.advance(60_000)
    expect(leases.renewed).toHaveLength(900)
    expect(held.holds(lease)).toBe(false)
  })

  it('outlive outages of up to two rounds, and no longer ones', async () => {
    const { held, leases, time, take } = holder()
    const lease = await take()
    const stop = new AbortController()
    const running = held.run(stop.signal)
    const outage = async (ms: number) => {
      leases.answer = away
      await time.advance(ms)
      leases.answer = async () => []
      await time.advance(60_000)
      return held.holds(lease)
    }
    expect(await outage(8_000)).toBe(true)
    expect(await outage(16_000)).toBe(false)
    stop.abort()
    await running
  })

  it('are all given back on close, also one that was just being taken', async () => {
    const { held, leases, take } = holder()
    await take('a')
    await take('b')
    const { promise, resolve } = Promise.withResolvers<void>()
    leases.onTake = () => promise
    const taking = held.take(named('c'), 10)
    await held.close()
    resolve()
    await expect(taking).rejects.toMatchObject({ code: 'unavailable' })
    expect(leases.released).toHaveLength(3)
    await expect(held.take(named('d'), 10)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
