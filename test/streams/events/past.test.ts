import { describe, expect, it } from 'vitest'
import { entryIn } from '../../../streams/events/blocks.ts'
import { Past } from '../../../streams/events/past.ts'
import { MemoryEvents } from './support/journal.ts'
import { Scheduler } from './support/scheduler.ts'

const past = (events: MemoryEvents) =>
  new Past({
    journal: events.asJournal(),
    clock: new Scheduler(() => 0),
    tip: () => ({ sequence: events.all.length + 1, hint: events.end }),
    maxBytes: 0,
    blockSize: 4,
    reads: 1,
    graceMs: 0,
  })

describe('an event that is searched for while retention cuts the log', () => {
  const LAST = 20
  /** The log is cut just before the journal's answer number `at`, to a start that the event may have or not. */
  const findWhileCut = async (sequence: number, at: number, start: number) => {
    let answers = Number.NEGATIVE_INFINITY
    const events = new MemoryEvents(async () => {
      if (++answers === at) events.cut(start)
    })
    for (let count = 0; count < LAST; count++) events.append(1, count % 5)
    const looked = past(events)
    await looked.refreshFloor()
    answers = 0
    const block = await looked.find(sequence, Number.MAX_SAFE_INTEGER)
    return { block, isKept: (events.all[sequence - 1]?.offset ?? -1) >= events.start }
  }

  it('is found if it is kept, and known to be gone if it is not, whenever the cut comes and wherever', async () => {
    for (let start = 0; start < 60; start++) {
      for (let at = 1; at < 12; at++) {
        for (const sequence of [1, 7, 13, LAST]) {
          const { block, isKept } = await findWhileCut(sequence, at, start)
          const what = `event ${sequence}, cut at answer ${at} to ${start}`
          if (isKept) expect(block && entryIn(block, sequence)?.sequence, what).toBe(sequence)
          // Read before the cut came, it may be handed out still.
          else if (block) expect(entryIn(block, sequence)?.sequence, what).toBe(sequence)
        }
      }
    }
  })
})
