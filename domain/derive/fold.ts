import type { Release } from '../../contracts/records.ts'
import { asKnown, type KnownRelease, printsOf } from '../prints.ts'
import type { DerivedFigure, PrintedSeries } from './derivation.ts'
import { derivations } from './derivations.ts'
import { settlePrints } from './settle-prints.ts'

/**
 * The prints on record of all series that derivations read or have made. Survives `structuredClone`. What is in it of
 * derived figures is what the journal holds of them.
 */
export type DerivationState = {
  readonly prints: Map<string, PrintedSeries & { readonly periods: Map<string, KnownRelease> }>
  /** The release that was voided last, by series id and period. */
  readonly voided: Map<string, string>
}

export const nothingDerived = (): DerivationState => ({ prints: new Map(), voided: new Map() })

/** Prints of a series and period that are other ones from a day on. */
type Change = Pick<Release, 'series' | 'period'> & { readonly since: string }

/**
 * Applies the primary releases of one publication and returns the derived releases that follow, in order. Chains (months → year →
 * trade) are derived to their end. All releases are applied before anything is derived, so that a benchmark revision never mixes
 * old levels with new ones. Updates `state` in place. Derived releases carry the time of the release that ended the publication.
 */
export function deriveFrom(state: DerivationState, published: readonly Release[]): Release[] {
  const changes = published.filter(isRead).map((release) => recordPrint(state, release))
  return settle(state, changes, published.at(-1)?.recorded_at ?? '')
}

/**
 * Compares what is on record of every derived figure with what follows from its inputs, and returns the releases that are
 * missing, country by country and rule by rule. There are none unless an earlier version of this program has derived otherwise.
 */
export function* deriveAnew(state: DerivationState, at: string): Generator<Release[]> {
  const readTogether = ({ series }: PrintedSeries) =>
    [series.country, ...derivations.filter((rule) => rule.reads(series)).map(({ name }) => name)].join(' ')
  // What is derived from derived figures comes second, also if these were right.
  for (const isPublished of [true, false]) {
    const inputs = [...state.prints.values()].filter(({ series }) => (series.derivation === '') === isPublished)
    for (const series of Map.groupBy(inputs, readTogether).values()) yield settle(state, series.flatMap(wholeOf), at)
  }
}

const wholeOf = ({ series, periods }: PrintedSeries): Change[] =>
  [...periods.keys()].map((period) => ({ series, period, since: '' }))

/** Adds a release to the prints on record. Taking one twice, with all that followed it, changes nothing. */
export function recordPrint({ prints, voided }: DerivationState, release: Release): Change {
  const { series, period, redates, voids } = release
  const printed = prints.get(series.id) ?? { series, periods: new Map<string, KnownRelease>() }
  prints.set(series.id, printed)
  const known = printed.periods.get(period)
  const gone = voids ?? redates
  const goneFrom =
    gone === null ? undefined : printsOf(known).find(({ release_id }) => release_id === gone)?.released_on
  const others = without(without(known, release.release_id), gone)
  if (voids !== null) voided.set(figureKey(release), voids)
  const now = voids === null ? asKnown(release, others) : others
  if (now) printed.periods.set(period, now)
  else printed.periods.delete(period)
  return {
    series,
    period,
    since: goneFrom !== undefined && goneFrom < release.released_on ? goneFrom : release.released_on,
  }
}

/** Whether a release is of a series that derivations read. */
export const isRead = ({ series }: Release): boolean => derivations.some((rule) => rule.reads(series))

/** Derives what follows from changed prints, and what follows from that. */
function settle(state: DerivationState, changes: readonly Change[], at: string): Release[] {
  const made: Release[] = []
  for (let next = changes; next.length > 0; ) {
    const changed: Change[] = []
    for (const { figure, since } of figuresThatRead(state, next)) {
      const prints = state.prints.get(figure.series.id)?.periods.get(figure.period)
      const releases = settlePrints(figure, { prints, voided: state.voided.get(figureKey(figure)) }, since, at)
      for (const release of releases) {
        made.push(release)
        changed.push(recordPrint(state, release))
      }
    }
    next = changed
  }
  return made
}

type Affected = { readonly figure: DerivedFigure; readonly since: string }

/** The figures that are computed from changed prints, each once, and from when on they may be other ones. */
function figuresThatRead({ prints }: DerivationState, changes: readonly Change[]): Iterable<Affected> {
  const affected = new Map<string, Affected>()
  for (const { series, period, since } of changes) {
    for (const rule of derivations) {
      if (!rule.reads(series)) continue
      for (const figure of rule.figuresOf(prints, series, period)) {
        const key = figureKey(figure)
        const known = affected.get(key)
        if (!known) affected.set(key, { figure, since })
        else if (since < known.since) affected.set(key, { figure: known.figure, since })
      }
    }
  }
  return affected.values()
}

const figureKey = ({ series, period }: Pick<Release, 'series' | 'period'>): string => `${series.id} ${period}`

function without(known: KnownRelease | undefined, releaseId: string | null): KnownRelease | undefined {
  const prints = releaseId === null ? [] : printsOf(known)
  if (!prints.some(({ release_id }) => release_id === releaseId)) return known
  const others = prints.filter(({ release_id }) => release_id !== releaseId)
  const newest = others.pop()
  if (!newest) return undefined
  const { earlier: _, ...print } = newest as KnownRelease
  return others.length === 0 ? print : { ...print, earlier: others }
}
