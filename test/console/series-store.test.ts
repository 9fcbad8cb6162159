import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { once } from '../../console/browser/series-store.js'
import { collectGarbage } from '../support/heap.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const passMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000)

it('reads a name once in ten minutes, and anew after them', async () => {
  let reads = 0
  const read = () => once('prints', async () => ++reads)
  expect([await read(), await read()]).toEqual([1, 1])
  passMinutes(9)
  expect(await read()).toBe(1)
  passMinutes(1)
  expect(await read()).toBe(2)
})

it('keeps no failed read', async () => {
  await expect(once('failing', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await once('failing', async () => 'read')).toBe('read')
})

it('lets go of what is older, whatever is read next', async () => {
  const prints = new WeakRef(await once('old', async () => ({ value: '2.9' })))
  const areHeld = async () => {
    // A reference holds what it was asked for to the end of the task.
    await setImmediate()
    collectGarbage()
    return prints.deref() !== undefined
  }
  await once('other', async () => 1)
  expect(await areHeld()).toBe(true)
  passMinutes(11)
  await once('another', async () => 1)
  expect(await areHeld()).toBe(false)
})

it('keeps no value that is not to be kept', async () => {
  const answers = ['', 'candles', 'later']
  const read = () => once('hours', async () => answers.shift(), Boolean)
  expect([await read(), await read(), await read()]).toEqual(['', 'candles', 'candles'])
})
