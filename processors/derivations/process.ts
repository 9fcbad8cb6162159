import type { Release } from '../../contracts/records.ts'
import { type DerivationState, deriveFrom } from '../../domain/derive/fold.ts'
import { PUBLICATION_END } from '../../journal/layout.ts'
import type { Processor } from '../processor.ts'

type State = {
  readonly current: DerivationState
  /** Releases of the open publication, whose end has not been read yet. */
  open: Release[]
}

/**
 * releases → releases. Derives inflation, growth, years and trade summaries, one publication at a time. Derived
 * releases are skipped as inputs.
 */
export const derivationsProcessor: Processor<'releases', State> = {
  name: 'derivations',
  inputs: ['releases'],
  version: 2,
  init: () => ({ current: new Map(), open: [] }),
  process(state, { value: release, offset, partition, timestamp, headers }) {
    if (release.series.derivation !== '') return []
    state.open.push(release)
    if (headers[PUBLICATION_END] === undefined) return []
    const published = state.open
    state.open = []
    const common = { at: timestamp, cause: { topic: 'releases', partition, offset } } as const
    return deriveFrom(state.current, published).map((value, i, { length }) => ({
      topic: 'releases',
      draft: { ...common, value, id: value.release_id, endsPublication: i === length - 1 },
    }))
  },
}
