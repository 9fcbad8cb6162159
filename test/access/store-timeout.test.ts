import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { STORE_TIMEOUT_MS, startStoreTimeout } from '../../access/embedded/store-timeout.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tells when its time is over, and not when it was ended before', () => {
  const tell = vi.fn()
  startStoreTimeout(tell)
  vi.advanceTimersByTime(STORE_TIMEOUT_MS - 1)
  expect(tell).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(tell).toHaveBeenCalledOnce()
  const ended = vi.fn()
  const end = startStoreTimeout(ended)
  vi.advanceTimersByTime(STORE_TIMEOUT_MS - 1)
  end()
  vi.advanceTimersByTime(STORE_TIMEOUT_MS)
  expect(ended).not.toHaveBeenCalled()
})

it('counts a standstill of the process as one slice, however long', () => {
  const tell = vi.fn()
  startStoreTimeout(tell)
  // The clock goes on, and what was due meanwhile fires once, late.
  vi.setSystemTime(Date.now() + 5 * STORE_TIMEOUT_MS)
  vi.runOnlyPendingTimers()
  expect(tell).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(1)
})
