import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TimeAndChance } from '../../support/memory-journal/time.ts'
import { randomFrom } from '../../support/random.ts'

/** Time that goes on only while something waits for it: hours pass in milliseconds, and the same seed gives the same run. */
export function virtualTime(seed: number): TimeAndChance & { settle<T>(work: Promise<T>): Promise<T> } {
  const random = randomFrom(seed)
  const due = new Set<{ readonly at: number; readonly order: number; readonly run: () => void }>()
  let now = 0
  return {
    now: () => now,
    random,
    after(ms, run) {
      // Chance decides which of the calls that are due at the same time comes first.
      const call = { at: now + ms, order: random(), run }
      due.add(call)
      return () => due.delete(call)
    },
    /** Lets time go on until `work` has settled. Throws if nothing is left that could settle it. */
    async settle(work) {
      let isSettled = false
      const noteEnd = () => {
        isSettled = true
      }
      work.then(noteEnd, noteEnd)
      for (;;) {
        await nextTurn()
        if (isSettled) return work
        const [first, ...rest] = due
        if (!first) throw new Error('nothing is due, and the work has not ended')
        const next = rest.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.order < a.order) ? b : a), first)
        due.delete(next)
        now = next.at
        next.run()
      }
    },
  }
}
