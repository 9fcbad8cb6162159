import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cancelTimer, nextTurn, systemTime, type Time } from '../../base/time.ts'
import { randomFrom } from '../support/random.ts'
import { SimulatedTime, settle } from '../support/simulated-time.ts'

const simulated = (seed = 1) => new SimulatedTime(randomFrom(seed))

describe.each([
  ['systemTime', () => ({ time: systemTime as Time, elapse: () => systemTime.after(5) })],
  [
    'SimulatedTime',
    () => {
      const time = simulated()
      return { time: time as Time, elapse: () => time.advance(5) }
    },
  ],
])('%s', (_, make) => {
  it('rejects a wait with the reason of its signal, before and while it waits', async () => {
    const { time } = make()
    const [reason, stop] = [new Error('stopped'), new AbortController()]
    await expect(time.after(60_000, AbortSignal.abort(reason))).rejects.toBe(reason)
    const waiting = time.after(60_000, stop.signal)
    stop.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })
  it('runs timers until they are cancelled, and tasks of a later turn not at once', async () => {
    const { time, elapse } = make()
    const ran: string[] = []
    const cancelled = time.timer(1, () => ran.push('cancelled'))
    const repeated = time.every(1, () => {
      ran.push('every')
      cancelTimer(repeated)
    })
    time.timer(2, () => ran.push('once')).unref()
    time.soon(() => ran.push('soon'))
    cancelTimer(cancelled)
    cancelTimer(undefined)
    expect(ran).toEqual([])
    await elapse()
    expect(ran.toSorted()).toEqual(['every', 'once', 'soon'])
    const turn = nextTurn(time)
    await elapse()
    await turn
  })
  it('draws uuids of version 4, and numbers in [0, 1)', () => {
    const { time } = make()
    for (let i = 0; i < 100; i++) {
      expect(time.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const number = time.random()
      expect(number >= 0 && number < 1).toBe(true)
    }
    expect(time.uuid()).not.toBe(time.uuid())
  })
})

/** Runs timers that start further timers, tasks and waits, and notes what happened when. */
async function traceOf(seed: number, delays: readonly number[]): Promise<string[]> {
  const time = simulated(seed)
  const trace: string[] = []
  const note = (what: string) => void trace.push(`${time.monotonic()} ${what}`)
  delays.forEach((ms, i) => {
    time.timer(ms, async () => {
      note(`timer ${i} of ${ms}`)
      await time.after(time.random() * 10)
      note(`wait ${i} ${time.uuid()}`)
      time.soon(() => note(`soon ${i}`))
    })
  })
  await time.advance(200)
  return trace
}
const anyDelays = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 30 })

describe('simulated time', () => {
  it('gives the same trace for the same seed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), anyDelays, async (seed, delays) => {
        const trace = await traceOf(seed, delays)
        expect(trace).toHaveLength(3 * delays.length)
        expect(await traceOf(seed, delays)).toEqual(trace)
      }),
      { numRuns: 30 },
    )
  })
  it('fires each timer at its time, earlier ones first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), anyDelays, async (seed, delays) => {
        const time = simulated(seed)
        const fired: number[] = []
        for (const ms of delays)
          time.timer(ms, () => {
            expect(time.monotonic()).toBe(ms)
            fired.push(ms)
          })
        await time.advance(20)
        expect(fired).toEqual(delays.toSorted((a, b) => a - b))
        expect(time.monotonic()).toBe(20)
      }),
      { numRuns: 30 },
    )
  })
  it('draws the order at one instant by the seed', async () => {
    const orders = new Set<string>()
    for (let seed = 0; seed < 100; seed++) {
      const time = simulated(seed)
      const order: string[] = []
      for (const name of ['a', 'b']) time.timer(1, () => order.push(name))
      time.timer(1, () => time.soon(() => order.push('c')))
      await time.advance(1)
      orders.add(order.join(''))
    }
    expect([...orders].toSorted()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba'])
  })
  it('settles all promises and immediates between two tasks', async () => {
    const time = simulated()
    let depth = 0
    time.timer(1, async () => {
      for (; depth < 10_000; depth++) await null
      for (; depth < 10_010; depth++) await new Promise((resolve) => setImmediate(resolve))
    })
    time.timer(2, () => expect(depth).toBe(10_010))
    await time.advance(2)
    expect(depth).toBe(10_010)
    expect.assertions(2)
  })
  it('moves the wall clock alone when it is set', async () => {
    const time = new SimulatedTime(randomFrom(1), 1_000_000)
    const seen: number[] = []
    time.every(10, () => seen.push(time.now()))
    time.timer(15, () => time.setWallClockBy(-500_000))
    await time.advance(30)
    expect(seen).toEqual([1_000_010, 500_020, 500_030])
    expect(time.monotonic()).toBe(30)
  })
  it('fires timers late and in order after time has passed without them', async () => {
    const time = simulated()
    const fired: string[] = []
    for (const ms of [30, 10, 20]) time.timer(ms, () => fired.push(`${ms} at ${time.monotonic()}`))
    time.every(40, () => fired.push(`every at ${time.monotonic()}`))
    time.pass(100)
    expect(fired).toEqual([])
    await time.advance(45)
    expect(fired).toEqual(['10 at 100', '20 at 100', '30 at 100', 'every at 100', 'every at 140'])
  })
  it('runs until a condition holds, and says when it does not', async () => {
    const time = simulated()
    let count = 0
    time.every(1_000, () => count++)
    await time.runUntil(() => count === 5)
    expect(time.monotonic()).toBe(5_000)
    await expect(time.runUntil(() => count === 100, 2_000)).rejects.toThrow('2000 simulated ms')
    expect(time.monotonic()).toBe(7_000)
  })
  it('refuses a delay that Node would cut', () => {
    expect(() => simulated().timer(2 ** 31, () => undefined)).toThrow(RangeError)
    expect(() => simulated().timer(Number.NaN, () => undefined)).toThrow(RangeError)
  })
  it('settles what is under way', async () => {
    let isDone = false
    void (async () => {
      await null
      isDone = true
    })()
    await settle()
    expect(isDone).toBe(true)
  })
})
