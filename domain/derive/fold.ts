import type { Release } from '../../contracts/records.ts'
import { latest } from '../instant.ts'
import { type KnownRelease, printsOf } from '../prints.ts'
import type { DerivedFigure, PrintedSeries } from './derivation.ts'
import { derivations } from './derivations.ts'
import { PeriodPrints } from './period-prints.ts'
import { settlePrints } from './settle-prints.ts'

/**
 * The prints on record of all series that derivations read or have made. What is in it of derived figures is what the journal
 * holds of them.
 */
export type DerivationState = {
  readonly prints: Map<string, PrintedSeries & { readonly periods: PeriodPrints }>
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
  return deriveInOrder(state, [published]).flat()
}

/**
 * As `deriveFrom` for publications that are read together, in order: the releases that are derived with each. While a document
 * goes on with a later day, only what is derived up to that day is settled. So a document whose days another one has already,
 * such as imports after exports, gives each derived print once. Otherwise the prints of the later days were made, too, of figures
 * that the next publication revises.
 */
export function deriveInOrder(state: DerivationState, publications: readonly (readonly Release[])[]): Release[][] {
  let open: Levels = []
  return publications.map((published, i) => {
    const until = nextDayOf(published, publications[i + 1])
    const isDue = ({ since }: Change) => until === undefined || since < until
    const changes = [published.filter(isRead).map((release) => recordPrint(state, release))]
    const due = open.map((level) => level.filter(isDue))
    const { made, unsettled } = settle(state, joined(due, changes), published.at(-1)?.recorded_at ?? '', until)
    open = joined(
      open.map((level) => level.filter((change) => !isDue(change))),
      unsettled,
    )
    return made
  })
}

const joined = (a: Levels, b: Levels): Levels =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, level) => [...(a[level] ?? []), ...(b[level] ?? [])])

/** The day with which a document goes on after one of its publications; undefined if it does not, or with an earlier one. */
function nextDayOf(published: readonly Release[], next: readonly Release[] = []): string | undefined {
  const [last, first] = [published.at(-1), next[0]]
  if (!last?.provenance || last.provenance.sha256 !== first?.provenance?.sha256) return undefined
  return first.released_on > last.released_on ? first.released_on : undefined
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
    for (const series of Map.groupBy(inputs, readTogether).values())
      yield settle(state, [series.flatMap(wholeOf)], at).made
  }
}

const wholeOf = ({ series, periods }: PrintedSeries): Change[] =>
  periods.periods().map((period) => ({ series, period, since: '' }))

/** Adds a release to the prints on record. Taking one twice, with all that followed it, changes nothing. */
export function recordPrint({ prints, voided }: DerivationState, release: Release): Change {
  const { series, period, redates, voids } = release
  const printed = prints.get(series.id) ?? { series, periods: new PeriodPrints() }
  prints.set(series.id, printed)
  const known = printed.periods.get(period)
  const gone = voids ?? redates
  const goneFrom =
    gone === null ? undefined : printsOf(known).find(({ release_id }) => release_id === gone)?.released_on
  const others = without(without(known, release.release_id), gone)
  if (voids !== null) voided.set(figureKey(release), voids)
  if (voids === null) printed.periods.add(release, others)
  else printed.periods.set(period, others)
  return {
    series,
    period,
    since: goneFrom !== undefined && goneFrom < release.released_on ? goneFrom : release.released_on,
  }
}

/** Whether a release is of a series that derivations read. */
export const isRead = ({ series }: Release): boolean => derivations.some((rule) => rule.reads(series))

/** Changes of published figures, then of those derived from them, and so on. */
type Levels = readonly (readonly Change[])[]

/**
 * Derives what follows from changed prints, and what follows from that: the prints before the day `until`. The changes from which
 * later ones follow are returned.
 */
function settle(
  state: DerivationState,
  changes: Levels,
  at: string,
  until?: string,
): { readonly made: Release[]; readonly unsettled: Levels } {
  const made: Release[] = []
  const unsettled: Change[][] = []
  let changed: readonly Change[] = []
  for (let level = 0; level < changes.length || changed.length > 0; level++) {
    const open: Change[] = []
    const derived: Change[] = []
    for (const { figure, since, change } of figuresThatRead(state, [...(changes[level] ?? []), ...changed])) {
      const prints = state.prints.get(figure.series.id)?.periods.get(figure.period)
      const record = { prints, voided: state.voided.get(figureKey(figure)) }
      for (const release of settlePrints(figure, record, since, at, until)) {
        made.push(release)
        derived.push(recordPrint(state, release))
      }
      const next = until === undefined ? undefined : firstDayFrom(latest(since, until), [prints, ...figure.inputs])
      if (next !== undefined) open.push({ ...change, since: next })
    }
    unsettled.push(open)
    changed = derived
  }
  return { made, unsettled }
}

/** The earliest day from one on that has a print; undefined if none has. */
function firstDayFrom(day: string, figures: readonly (KnownRelease | undefined)[]): string | undefined {
  const found = figures.map((known) => printsOf(known).find(({ released_on }) => released_on >= day)?.released_on)
  return found.filter((each) => each !== undefined).sort()[0]
}

/** A figure that is computed from a changed print, and from when on it may be another one. */
type Affected = { readonly figure: DerivedFigure; readonly since: string; readonly change: Change }

/** The figures that are computed from changed prints, each once, and from when on they may be other ones. */
function figuresThatRead({ prints }: DerivationState, changes: readonly Change[]): Iterable<Affected> {
  const affected = new Map<string, Affected>()
  for (const change of changes) {
    const { series, period, since } = change
    for (const rule of derivations) {
      if (!rule.reads(series)) continue
      for (const figure of rule.figuresOf(prints, series, period)) {
        const key = figureKey(figure)
        const known = affected.get(key)
        if (!known) affected.set(key, { figure, since, change })
        else if (since < known.since) affected.set(key, { ...known, since })
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
