import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { askWhileEmpty } from '../../console/browser/ask-while-empty.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Asks a service that has nothing before the `filled`th answer. */
function asking(filled: number, signal = new AbortController().signal) {
  const pauses: number[] = []
  let asked = 0
  const found = askWhileEmpty(async () => (++asked < filled ? [] : ['candle']), {
    isEmpty: (list) => list.length === 0,
    onEmpty: (seconds) => pauses.push(seconds),
    signal,
  })
  return { found, pauses, asked: () => asked }
}

it('returns what is there at once, and asks no second time', async () => {
  const { found, pauses, asked } = asking(1)
  expect(await found).toEqual(['candle'])
  await vi.advanceTimersByTimeAsync(120_000)
  expect([asked(), pauses]).toEqual([1, []])
})

it('asks again with growing pauses, says how long each one is, and ends with the first answer that has something', async () => {
  const { found, pauses, asked } = asking(3)
  await vi.advanceTimersByTimeAsync(5_999)
  expect(asked()).toBe(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(await found).toEqual(['candle'])
  expect(pauses).toEqual([2, 4])
})

it('gives up after half a minute with the empty answer', async () => {
  const { found, pauses, asked } = asking(Number.POSITIVE_INFINITY)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await found).toEqual([])
  expect([asked(), pauses]).toEqual([5, [2, 4, 8, 16]])
})

it('asks no more once its page was left', async () => {
  const leaving = new AbortController()
  const { asked } = asking(Number.POSITIVE_INFINITY, leaving.signal)
  await vi.advanceTimersByTimeAsync(3_000)
  leaving.abort()
  await vi.advanceTimersByTimeAsync(120_000)
  expect([asked(), vi.getTimerCount()]).toEqual([2, 0])
})

it('passes on a refusal', async () => {
  const refused = askWhileEmpty(() => Promise.reject(new Error('refused')), {
    isEmpty: () => true,
    onEmpty: () => undefined,
    signal: new AbortController().signal,
  })
  await expect(refused).rejects.toThrow('refused')
})
