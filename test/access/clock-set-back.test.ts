import { expect, it } from 'vitest'
import { AccessEnvironment } from '../../access/embedded/environment.ts'
import { accessOn } from '../../access/embedded/open.ts'
import { MemoryAccessStore } from '../support/memory-access.ts'
import { timeAndChance } from '../support/memory-journal/time.ts'
import { SimulatedTime } from '../support/simulated-time.ts'
import { ProcessTime } from '../world/process-time.ts'

const LONGEST_COMMIT_MS = 400
const who = { keyId: 'key_of_a_test', account: 'account_of_a_test' }

it('a decision that waits while the clock is set back does not take a renewed lease for ended', async () => {
  const time = new SimulatedTime(() => 0)
  const slow = { random: () => 0.99, rates: { slow: 1 }, longestMs: LONGEST_COMMIT_MS }
  const store = new MemoryAccessStore({ ...timeAndChance(time), ...slow })
  const process = () => {
    const own = new ProcessTime(time)
    const environment = new AccessEnvironment(store.open(timeAndChance(own)), own)
    return { time: own, environment, leases: accessOn(environment).leases }
  }
  const [holder, other] = [process(), process()]
  const taken = holder.leases.take(who, 1, holder.time.now())
  await time.advance(2 * LONGEST_COMMIT_MS)
  const held = await taken
  if (held.outcome !== 'granted') throw new Error('the first lease was refused')
  // Both wait: the other process for its own commit, the holder for the other process.
  const writes = [other, holder].map(({ environment }) => environment.write(() => undefined))
  await time.advance(20)
  const second = other.leases.take(who, 1, other.time.now())
  for (const each of [holder, other]) each.time.setWallClock(-30_000)
  const renewed = holder.leases.renew(who, [held.lease], holder.time.now())
  await time.advance(5 * LONGEST_COMMIT_MS)
  await Promise.all(writes)
  expect(await renewed).toEqual([])
  expect((await second).outcome).toBe('limit')
})
