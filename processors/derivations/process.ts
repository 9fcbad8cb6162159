import type { Release, Series } from '../../contracts/records.ts'
import {
  type DerivationState,
  deriveAnew,
  deriveInOrder,
  isRead,
  nothingDerived,
  recordPrint,
} from '../../domain/derive/fold.ts'
import { PeriodPrints } from '../../domain/derive/period-prints.ts'
import { PUBLICATION_END } from '../../journal/layout.ts'
import { causedBy, type InputRecord, type Output, type Processor } from '../processor.ts'

type State = {
  readonly record: DerivationState
  /** Releases of the open publication, whose end has not been read yet. */
  open: Release[]
}

/**
 * releases → releases. Derives inflation, growth, years and trade summaries, publication by publication. It compares
 * what follows from the dates of their inputs with what is on record of them. So it recalls the derived releases
 * themselves, which it skips as inputs.
 */
export const derivationsProcessor: Processor<'releases', State> = {
  name: 'derivations',
  inputs: ['releases'],
  version: 4,
  init: () => ({ record: nothingDerived(), open: [] }),
  process: (state, input) => derive(state, [input]),
  processBatch: derive,
  recall: {
    take(state, input, isProcessed) {
      if (input.value.series.derivation !== '') recordPrint(state.record, input.value)
      else if (isProcessed)
        for (const release of publicationEndedBy(state, input)) if (isRead(release)) recordPrint(state.record, release)
    },
    *correct({ record }, at) {
      for (const releases of deriveAnew(record, new Date(at).toISOString())) yield outputsOf(releases, { at })
    },
  },
  plain: {
    from: ({ record: { prints, voided }, open }): Packed => ({
      prints: Array.from(prints.values(), ({ series, periods }) => ({ series, packed: periods.pack() })),
      voided,
      open,
    }),
    to(data) {
      // A cast, because `from` has made it.
      const { prints, voided, open } = data as Packed
      const known = prints.map(
        ({ series, packed }) => [series.id, { series, periods: new PeriodPrints(packed) }] as const,
      )
      return { record: { prints: new Map(known), voided }, open }
    },
  },
}

type Packed = Pick<State, 'open'> & {
  readonly prints: readonly { readonly series: Series; readonly packed: ReadonlyMap<string, string> }[]
  readonly voided: DerivationState['voided']
}

function derive(state: State, inputs: readonly InputRecord<'releases'>[]): Output[] {
  const publications = inputs.flatMap((input) => {
    const releases = publicationEndedBy(state, input)
    return releases.length > 0 ? { releases, input } : []
  })
  const derived = deriveInOrder(
    state.record,
    publications.map(({ releases }) => releases),
  )
  return publications.flatMap(({ input }, i) => outputsOf(derived[i] ?? [], causedBy(input)))
}

/** The releases of the publication that a record ends; none if it ends none, or is derived. */
function publicationEndedBy(state: State, { value: release, headers }: InputRecord<'releases'>): readonly Release[] {
  if (release.series.derivation !== '') return []
  state.open.push(release)
  if (headers[PUBLICATION_END] === undefined) return []
  const published = state.open
  state.open = []
  return published
}

const outputsOf = (releases: readonly Release[], common: Pick<Output<'releases'>['draft'], 'at' | 'cause'>): Output[] =>
  releases.map((value, i, { length }) => ({
    topic: 'releases',
    draft: { ...common, value, id: value.release_id, endsPublication: i === length - 1 },
  }))
