import { expect, it, vi } from 'vitest'
import { STORE_TIMEOUT_MS, startStoreTimeout } from '../../access/embedded/store-timeout.ts'
import { randomFrom } from '../support/random.ts'
import { SimulatedTime } from '../support/simulated-time.ts'

const simulated = () => new SimulatedTime(randomFrom(1))

it('tells when its time is over, and not when it was ended before', async () => {
  const time = simulated()
  const tell = vi.fn()
  startStoreTimeout(time, tell)
  await time.advance(STORE_TIMEOUT_MS - 1)
  expect(tell).not.toHaveBeenCalled()
  await time.advance(1)
  expect(tell).toHaveBeenCalledOnce()
  const ended = vi.fn()
  const end = startStoreTimeout(time, ended)
  await time.advance(STORE_TIMEOUT_MS - 1)
  end()
  await time.advance(STORE_TIMEOUT_MS)
  expect(ended).not.toHaveBeenCalled()
})

it('counts a standstill of the process as one slice, however long', async () => {
  const time = simulated()
  const tell = vi.fn()
  startStoreTimeout(time, tell)
  // The clock goes on, and what was due meanwhile fires once, late.
  time.pass(5 * STORE_TIMEOUT_MS)
  await time.advance(STORE_TIMEOUT_MS / 2)
  expect(tell).not.toHaveBeenCalled()
  await time.advance(STORE_TIMEOUT_MS / 4)
  expect(tell).toHaveBeenCalledOnce()
})
