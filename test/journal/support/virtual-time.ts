import { type TimeAndChance, timeAndChance } from '../../support/memory-journal/time.ts'
import { randomFrom } from '../../support/random.ts'
import { SimulatedTime } from '../../support/simulated-time.ts'

/** Time of a journal in memory that goes on only while something waits for it. The same seed gives the same run. */
export function virtualTime(seed: number): TimeAndChance & { settle<T>(work: Promise<T>): Promise<T> } {
  const time = new SimulatedTime(randomFrom(seed))
  return {
    ...timeAndChance(time),
    /** Lets time go on until `work` has settled. */
    async settle(work) {
      let isSettled = false
      const noteEnd = () => {
        isSettled = true
      }
      work.then(noteEnd, noteEnd)
      await time.runUntil(() => isSettled)
      return work
    },
  }
}
