import { expect, it } from 'vitest'
import { AccessEnvironment } from '../../access/embedded/environment.ts'
import { accessOn } from '../../access/embedded/open.ts'
import { MemoryAccessStore } from '../support/memory-access.ts'
import { timeAndChance } from '../support/memory-journal/time.ts'
import { SimulatedTime } from '../support/simulated-time.ts'

const LIMIT = 1_000
const LONGEST_COMMIT_MS = 400
const MONTH_ENDS = Date.UTC(2026, 1, 1)
const who = { keyId: 'key_of_a_test', account: 'account_of_a_test' }

it('what is being reserved while the month changes is returned', async () => {
  const time = new SimulatedTime(() => 0, MONTH_ENDS - 10_000)
  const slow = { random: () => 0.99, rates: { slow: 1 }, longestMs: LONGEST_COMMIT_MS }
  const store = new MemoryAccessStore({ ...timeAndChance(time), ...slow })
  const { quota } = accessOn(new AccessEnvironment(store.open(timeAndChance(time)), time))
  const takeAll = async (calls: number) => {
    const taken = Promise.all(Array.from({ length: calls }, async () => quota.take(who, LIMIT, time.now())))
    await time.advance(4 * LONGEST_COMMIT_MS)
    expect((await taken).map(({ outcome }) => outcome)).toEqual(Array(calls).fill('granted'))
  }
  // So many calls that a further reservation begins before the block is empty.
  const before = 9
  await takeAll(before)
  await time.advance(MONTH_ENDS - time.now() - 1)
  const last = quota.take(who, LIMIT, MONTH_ENDS - 1)
  time.setWallClockBy(1)
  await takeAll(2)
  await last
  await time.advance(10_000)
  expect(Object.fromEntries(store.counts)).toEqual({
    [`${who.account}/2026-01`]: before + 1,
    [`${who.account}/2026-02`]: 2,
  })
})
