import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { afterPatience, PATIENCE_MS } from '../../access/embedded/patience.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('tells when its time is over, and not when it was ended before', () => {
  const tell = vi.fn()
  afterPatience(tell)
  vi.advanceTimersByTime(PATIENCE_MS - 1)
  expect(tell).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(tell).toHaveBeenCalledOnce()
  const ended = vi.fn()
  const end = afterPatience(ended)
  vi.advanceTimersByTime(PATIENCE_MS - 1)
  end()
  vi.advanceTimersByTime(PATIENCE_MS)
  expect(ended).not.toHaveBeenCalled()
})

it('counts a standstill of the process as one slice, however long', () => {
  const tell = vi.fn()
  afterPatience(tell)
  // The clock goes on, and what was due meanwhile fires once, late.
  vi.setSystemTime(Date.now() + 5 * PATIENCE_MS)
  vi.runOnlyPendingTimers()
  expect(tell).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(1)
})
