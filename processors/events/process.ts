import type { EventRecord, Release } from '../../contracts/records.ts'
import { FigureBoard } from '../../domain/figure-board.ts'
import { eventOfRelease } from '../../domain/release-event.ts'
import { eventOfSignal } from '../../domain/signal-event.ts'
import { RELEASED_ON } from '../../journal/layout.ts'
import { causedBy, type Processor } from '../processor.ts'

type State = { readonly board: FigureBoard /** The sequence of the newest event appended. */; sequence: number }
type Input = 'releases' | 'signals'

/**
 * releases, signals → events: the public journal. Its sequence goes on from the newest event on record; the order in which
 * the two inputs came together is the truth from then on, and never decided again.
 */
export const eventsProcessor: Processor<Input, State> = {
  name: 'events',
  inputs: ['releases', 'signals'],
  version: 4,
  init: () => ({ board: new FigureBoard(), sequence: 0 }),
  process(state, record) {
    const sequence = state.sequence + 1
    const value =
      record.topic === 'signals'
        ? eventOfSignal(record.value, sequence)
        : eventOfRelease(state.board, withoutOrigin(record.value), sequence)
    if (!value) return []
    state.sequence = value.sequence
    const releasedOn = record.topic === 'releases' ? record.value.released_on : record.headers[RELEASED_ON]
    return [{ topic: 'events', draft: { value, id: value.id, releasedOn, ...causedBy(record) } }]
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
      for (const release of releases) board.apply(withoutOrigin(release))
      return { board, sequence }
    },
  },
}

const [nothingPublished, noInputs] = [{}, []]

/** An event says of a figure what it is, and not where it comes from. Kept so, releases take a third of the memory. */
const withoutOrigin = (release: Release): Release => ({
  ...release,
  published: nothingPublished,
  provenance: null,
  inputs: noInputs,
  approval: null,
})
