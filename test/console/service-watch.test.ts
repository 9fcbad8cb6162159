import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Presence, serviceWatch } from '../../console/browser/service-watch.js'

/** What the service answers next: an empty text if it is ready. */
let answer: () => Promise<string>
let asked: number
let isHidden: boolean
let shown: Presence[]
const ready = async () => ''
const refused = () => Promise.reject(new TypeError('Failed to fetch'))

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  answer = ready
  asked = 0
  isHidden = false
  shown = []
})
afterEach(() => void vi.useRealTimers())

const started = () =>
  serviceWatch({
    ask: () => {
      asked++
      return answer()
    },
    onChange: (presence) => shown.push(presence),
    isHidden: () => isHidden,
  })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

it('asks now and then while the service is there, and each second while it is not', async () => {
  started()
  await pass(30_000)
  expect([asked, shown]).toEqual([3, []])
  answer = refused
  await pass(10_000)
  expect(shown).toEqual([{ isAway: true, said: '', heard: 30_000 }])
  await pass(5000)
  expect(asked).toBe(9)
  answer = async () => 'Not ready yet: starting.'
  await pass(1000)
  expect(shown.at(-1)).toEqual({ isAway: true, said: 'Not ready yet: starting.', heard: 30_000 })
  answer = ready
  await pass(1000)
  expect(shown.at(-1)).toEqual({ isAway: false })
  await pass(9000)
  expect(asked).toBe(11)
})

it('does not take a service that answers for one that is away', async () => {
  const watch = started()
  answer = async () => 'Not ready yet: the read models are behind.'
  await watch.check()
  expect([watch.isAway(), shown]).toEqual([false, []])
})

it('says when it heard of the service last, be it by an answer or by a stream', async () => {
  const watch = started()
  await pass(4000)
  watch.hear()
  await pass(3000)
  answer = refused
  await watch.check()
  expect(shown).toEqual([{ isAway: true, said: '', heard: 4000 }])
})

it('asks once for all that want to know at the same time', async () => {
  const watch = started()
  await Promise.all([watch.check(), watch.check()])
  expect(asked).toBe(1)
  await watch.check()
  expect(asked).toBe(2)
})

it('asks nothing while nobody looks, and goes on when somebody does', async () => {
  started()
  isHidden = true
  await pass(60_000)
  expect(asked).toBe(0)
  isHidden = false
  await pass(10_000)
  expect(asked).toBe(1)
})

it('tells each time that the service is back, until it is no longer wanted', async () => {
  const watch = started()
  const leaving = new AbortController()
  const back = vi.fn()
  watch.onBack(back, leaving.signal)
  for (const isWanted of [true, true, false]) {
    answer = refused
    await watch.check()
    if (!isWanted) leaving.abort()
    answer = ready
    await watch.check()
  }
  await watch.check()
  expect(back).toHaveBeenCalledTimes(2)
})
