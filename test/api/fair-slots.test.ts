import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FairSlots, type ReleaseSlot, type SlotLimits } from '../../api/fair-slots.ts'

const limits: SlotLimits = { running: 4, runningPerAccount: 2, waitingPerAccount: 3, waiting: 8, waitMs: 5_000 }

/** An operation that asked for a slot: whether it runs, and how it was refused. */
type Operation = { account: string; release?: ReleaseSlot; refused?: string }

/** Asks for a slot; what becomes of it is known after `settled`. */
function ask(slots: FairSlots, account: string, gone?: () => AbortSignal): Operation {
  const operation: Operation = { account }
  slots.take(account, gone).then(
    (release) => {
      operation.release = release
    },
    (error) => {
      operation.refused = error.code
    },
  )
  return operation
}
const askMany = (slots: FairSlots, account: string, count: number) =>
  Array.from({ length: count }, () => ask(slots, account))
const settled = () =>
  new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(() => queueMicrotask(resolve))))
const running = (operations: readonly Operation[]) => operations.filter(({ release }) => release).length

describe('slots', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('are refused to all who wait at a shutdown, and what runs ends', async () => {
    const slots = new FairSlots(limits)
    const operations = askMany(slots, 'a', 4)
    await settled()
    slots.close()
    const late = ask(slots, 'a')
    await settled()
    expect(operations.map(({ refused }) => refused)).toEqual([undefined, undefined, 'unavailable', 'unavailable'])
    expect(late.refused).toBe('unavailable')
    for (const { release } of operations) release?.()
  })

  it('are bounded for an account, and another one runs at once beside its queue', async () => {
    const slots = new FairSlots(limits)
    const greedy = askMany(slots, 'greedy', 5)
    const healthy = ask(slots, 'healthy')
    await settled()
    expect(running(greedy)).toBe(2)
    expect(healthy.release).toBeDefined()
  })

  it('go to the accounts in turn, however many operations of one came first', async () => {
    const slots = new FairSlots({ ...limits, running: 1, runningPerAccount: 1 })
    const waiting = ['a', 'a', 'a', 'b', 'b', 'c'].map((account) => ask(slots, account))
    await settled()
    const order: string[] = []
    for (let i = 0; i < waiting.length; i++) {
      const runs = waiting.filter(({ release }) => release)
      expect(runs).toHaveLength(1)
      for (const operation of runs) {
        order.push(operation.account)
        waiting.splice(waiting.indexOf(operation), 1, { account: 'done' })
        operation.release?.()
      }
      await settled()
    }
    expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b'])
  })

  it('refuse what an account wants beyond its queue, and others only when the whole queue is full', async () => {
    const slots = new FairSlots(limits)
    const a = askMany(slots, 'a', 6)
    const b = askMany(slots, 'b', 5)
    const c = askMany(slots, 'c', 2)
    await settled()
    expect(a.map(({ refused }) => refused)).toEqual([...Array(5).fill(undefined), 'rate_limited'])
    expect(b.map(({ refused }) => refused)).toEqual(Array(5).fill(undefined))
    expect(c.map(({ refused }) => refused)).toEqual([undefined, undefined])
    const d = ask(slots, 'd')
    await settled()
    expect(d.refused).toBe('unavailable')
  })

  it('are waited for no longer than allowed: rate_limited where the account made progress, else unavailable', async () => {
    const slots = new FairSlots(limits)
    const greedy = askMany(slots, 'greedy', 4)
    const other = askMany(slots, 'other', 3)
    await settled()
    greedy[0]?.release?.()
    await settled()
    expect(running(greedy)).toBe(3)
    vi.advanceTimersByTime(4_999)
    await settled()
    expect(greedy[3]?.refused).toBeUndefined()
    vi.advanceTimersByTime(1)
    await settled()
    expect(greedy[3]?.refused).toBe('rate_limited')
    expect(other[2]?.refused).toBe('unavailable')
    // A refused operation has left the queue: the slot goes to one that came later.
    const late = ask(slots, 'greedy')
    greedy[1]?.release?.()
    await settled()
    expect(late.release).toBeDefined()
  })

  it('are not given to a client that has left, and its place in the queue is free', async () => {
    const slots = new FairSlots({ ...limits, waitingPerAccount: 1 })
    const held = askMany(slots, 'a', 2)
    const gone = new AbortController()
    const leaving = ask(slots, 'a', () => gone.signal)
    await settled()
    gone.abort()
    const left = ask(slots, 'a', () => gone.signal)
    await settled()
    expect([leaving.refused, left.refused]).toEqual(['rate_limited', 'rate_limited'])
    const next = ask(slots, 'a')
    held[0]?.release?.()
    held[0]?.release?.()
    await settled()
    expect(next.release).toBeDefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('never run more than the limits, leave no slot free that somebody could use, and serve everyone, in any order', async () => {
    const step = fc.record({ account: fc.constantFrom('a', 'b', 'c', 'd'), releases: fc.boolean(), which: fc.nat() })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const slots = new FairSlots({ ...limits, running: 3, waitingPerAccount: 100, waiting: 400 })
        const all: Operation[] = []
        const done = new Set<Operation>()
        const open = () => all.filter((operation) => operation.release && !done.has(operation))
        const finish = async (operation: Operation | undefined) => {
          if (!operation) return
          done.add(operation)
          operation.release?.()
          await settled()
        }
        const holds = () => {
          const of = (name: string) => open().filter(({ account }) => account === name).length
          expect(open().length).toBeLessThanOrEqual(3)
          for (const name of ['a', 'b', 'c', 'd']) {
            expect(of(name)).toBeLessThanOrEqual(2)
            const waits = all.some(({ account, release }) => account === name && !release)
            if (waits && open().length < 3) expect(of(name)).toBe(2)
          }
        }
        for (const { account, releases, which } of steps) {
          if (releases) await finish(open()[which % Math.max(1, open().length)])
          else all.push(ask(slots, account))
          await settled()
          holds()
        }
        while (open().length > 0) await finish(open()[0])
        expect(done.size).toBe(all.length)
      }),
      { numRuns: 100 },
    )
  })
})
