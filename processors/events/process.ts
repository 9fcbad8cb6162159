import type { EventRecord, Release } from '../../contracts/records.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { eventOfRelease, makesEvent } from '../../domain/release-event.ts'
import type { Processor } from '../runtime.ts'

type State = { readonly board: FigureBoard /** Of the newest event appended. */; sequence: number }

/** releases → events: the public journal. Its sequence goes on from the newest event on record, which is the truth. */
export const eventsProcessor: Processor<'releases', State> = {
  name: 'events',
  input: 'releases',
  version: 2,
  init: () => ({ board: new FigureBoard(), sequence: 0 }),
  process(state, { value: release, offset, partition, timestamp }) {
    const previous = state.board.current(release.series.id, release.period)
    state.board.apply(release)
    if (!makesEvent(state.board, release)) return []
    state.sequence += 1
    const value = eventOfRelease(release, previous, state.sequence)
    return [
      {
        topic: 'events',
        draft: { value, id: value.id, at: timestamp, cause: { topic: 'releases', partition, offset } },
      },
    ]
  },
  tail: {
    topic: 'events',
    resume(state, newest) {
      state.sequence = (newest as EventRecord).sequence
    },
  },
  plain: {
    from: ({ board, sequence }) => ({ releases: [...board.releases()], sequence }),
    to(data) {
      const { releases, sequence } = data as { releases: Release[]; sequence: number }
      const board = new FigureBoard()
      for (const release of releases) board.apply(release)
      return { board, sequence }
    },
  },
}
