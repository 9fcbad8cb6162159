import { describe, expect, it } from 'vitest'
import { eventIn } from '../../../streams/events/blocks.ts'
import { Past } from '../../../streams/events/past.ts'
import { SimulatedTime } from '../../support/simulated-time.ts'
import { MemoryEvents } from './support/journal.ts'

/** `pause`: how long answers are on their way. */
const past = (events: MemoryEvents, pause: () => Promise<void>) => {
  const journal = events.asJournal()
  const late =
    <A extends unknown[], T>(ask: (...args: A) => Promise<T>) =>
    (...args: A) =>
      ask(...args).then((answer) => pause().then(() => answer))
  return new Past({
    journal: { ...journal, bounds: late(journal.bounds), readEncoded: late(journal.readEncoded) },
    time: new SimulatedTime(() => 0),
    tip: () => ({ sequence: events.all.length + 1, hint: events.end }),
    maxBytes: 0,
    blockSize: 4,
    reads: 4,
    graceMs: 0,
  })
}

describe('an event that is searched for while retention cuts the log', () => {
  const LAST = 20
  /**
   * The log is cut just before the journal's answer number `at`, to a start that the event may have or not. `lag`: turns
   * that answers take, while somebody else looks for the log's start, too, and may have done so before the cut.
   */
  const findWhileCut = async (sequence: number, at: number, start: number, lag: number) => {
    let answers = Number.NEGATIVE_INFINITY
    const events = new MemoryEvents(async () => {
      if (++answers === at) events.cut(start)
    })
    for (let count = 0; count < LAST; count++) events.append(1, count % 5)
    const looked = past(events, async () => {
      for (let turn = 0; answers >= 0 && turn < lag; turn++) await null
    })
    await looked.refreshFloor()
    answers = 0
    const other = lag === 0 ? undefined : looked.refreshFloor()
    const block = await looked.find(sequence, Number.MAX_SAFE_INTEGER)
    await other
    return { block, isKept: (events.all[sequence - 1]?.offset ?? -1) >= events.start }
  }

  it('is found if it is kept, and known to be gone if it is not, whenever the cut comes and wherever', async () => {
    for (let start = 0; start < 60; start++) {
      for (let at = 1; at < 12; at++) {
        for (const [sequence, lag] of [1, 7, 13, LAST].flatMap((n) => [0, 9, 18, 27].map((l) => [n, l] as const))) {
          const { block, isKept } = await findWhileCut(sequence, at, start, lag)
          const what = `event ${sequence}, cut at answer ${at} to ${start}, lag ${lag}`
          if (isKept) expect(block && eventIn(block, sequence)?.sequence, what).toBe(sequence)
          // Read before the cut came, it may be handed out still.
          else if (block) expect(eventIn(block, sequence)?.sequence, what).toBe(sequence)
        }
      }
    }
  })
})
