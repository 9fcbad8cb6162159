import { type DerivationState, deriveFrom } from '../../domain/derive/fold.ts'
import type { Processor } from '../runtime.ts'

/** releases → releases: inflation, growth, years and trade summaries. Derived releases are skipped as inputs. */
export const derivationsProcessor: Processor<'releases', DerivationState> = {
  name: 'derivations',
  input: 'releases',
  version: 1,
  init: () => new Map(),
  process(state, { value: release, offset, partition, timestamp }) {
    if (release.series.derivation !== '') return []
    return deriveFrom(state, release).map((value) => ({
      topic: 'releases',
      draft: { value, id: value.release_id, at: timestamp, cause: { topic: 'releases', partition, offset } },
    }))
  },
}
