import type { Release } from '../../contracts/records.ts'
import { figuresIdentity } from '../decide-release.ts'
import { derivedId } from '../ids.ts'
import { type KnownRelease, printsOf, type RecordedPrint, sameFigures } from '../prints.ts'
import { type DatedPrint, datedPrints } from './dated-prints.ts'
import type { DerivedFigure } from './derivation.ts'

/** What is on record of a derived figure. */
type DerivedOnRecord = {
  readonly prints: KnownRelease | undefined
  /** The release that was voided last; undefined if none was. */
  readonly voided: string | undefined
}

/** A true print, and the one on record that has its figures. */
type Place = { readonly print: DatedPrint; readonly known: RecordedPrint | undefined }

/**
 * The releases that make the prints on record of a derived figure those that follow from its inputs' dates. Those
 * before the day `since` are right already, and those from the day `until` on are to be settled later. In order:
 * - a record for each release that never was true, which is `late` unless no figures take their place;
 * - earlier prints that are missing (`late`), and prints whose date was wrong (`redates`);
 * - the current print, if it is another one or dated otherwise.
 * So a fold that passes over late releases goes from the figures that were current to those that are, and never by others.
 */
export function settlePrints(
  figure: DerivedFigure,
  record: DerivedOnRecord,
  since: string,
  at: string,
  until?: string,
): Release[] {
  const all = printsOf(record.prints)
  const kept = all.filter(({ released_on }) => released_on < since)
  const later = until === undefined ? [] : all.filter(({ released_on }) => released_on >= until)
  const open = all.slice(kept.length, all.length - later.length)
  const wanted = datedPrints(figure, since, kept.at(-1), until)
  const [onlyWanted] = wanted
  const [onlyOpen] = open
  if (wanted.length === 0 && open.length === 0) return []
  // Earlier figures are current again: they are needed with their inputs.
  if (wanted.length === 0 && kept.length > 0 && later.length === 0) return settlePrints(figure, record, '', at, until)
  // A first print says that it is one: the calendar counts from it.
  const isRevision = (first: RecordedPrint | undefined) =>
    kept.length === 0 && first !== undefined && first.revises !== null
  const isOnly = open.length === 1 && wanted.length === 1 && onlyWanted && onlyOpen
  if (isOnly && isExact(onlyOpen, onlyWanted) && !isRevision(onlyOpen)) return []
  const places = placesOf(wanted, open)
  const placed = new Set(places.map(({ known }) => known))
  const untrue = open.filter((print) => !placed.has(print))
  const made = new Recorder(figure, record.voided, at)
  const wasCurrent = all.at(-1)
  for (const print of untrue) made.void(print, places.length > 0 || print !== wasCurrent)

  let before = kept.at(-1)?.release_id ?? null
  let newest = before
  places.forEach(({ print, known }, i) => {
    const isCurrent = i === places.length - 1 && later.length === 0
    const wasRevision = i === 0 && isRevision(known)
    const isRight = known && isExact(known, print) && !wasRevision && (!isCurrent || known === wasCurrent)
    const revises = isCurrent && !known ? (newest ?? before) : before
    before = isRight ? known.release_id : made.print(print, known, revises, !isCurrent)
    if (known) newest = before
  })
  return made.releases
}

/** Finds the prints on record among the true ones: those of the same day first, then others with the same figures, in order. */
function placesOf(wanted: readonly DatedPrint[], open: readonly RecordedPrint[]): Place[] {
  const exact = wanted.map((print) => open.findIndex((known) => isOfDay(known, print)))
  let at = 0
  return wanted.map((print, i) => {
    const found = exact[i] ?? -1
    const end = found >= 0 ? found : (exact.slice(i + 1).find((index) => index >= 0) ?? open.length)
    const index = found >= 0 ? found : open.findIndex((known, j) => j >= at && j < end && hasFigures(known, print))
    if (index < 0) return { print, known: undefined }
    at = index + 1
    return { print, known: open[index] }
  })
}

const hasFigures = (known: RecordedPrint, print: DatedPrint): boolean => sameFigures(known.figures, print.figures)
const isOfDay = (known: RecordedPrint, print: DatedPrint): boolean =>
  known.released_on === print.released.on && hasFigures(known, print)
const isExact = (known: RecordedPrint, print: DatedPrint): boolean =>
  known.released_on_basis === print.released.basis && isOfDay(known, print)

/** Makes the releases of one figure. */
class Recorder {
  readonly releases: Release[] = []
  readonly #figure: DerivedFigure
  readonly #at: string
  #voided: string | undefined

  constructor(figure: DerivedFigure, voided: string | undefined, at: string) {
    this.#figure = figure
    this.#voided = voided
    this.#at = at
  }

  void(print: RecordedPrint, late: boolean): void {
    const { series, period } = this.#figure
    const { release_id, revises, released_on, released_on_basis } = print
    this.#voided = release_id
    this.#add({
      release_id: derivedId('rel', series.id, period, 'voids', release_id),
      figures: {},
      published: {},
      revises,
      released_on,
      released_on_basis,
      inputs: [],
      late,
      redates: null,
      voids: release_id,
    })
  }

  /** Returns the id of the release. */
  print(print: DatedPrint, known: RecordedPrint | undefined, revises: string | null, late: boolean): string {
    const { series, period } = this.#figure
    const { figures, published, released, inputs } = print
    const redates = known?.release_id ?? null
    const identity = figuresIdentity(series, period, revises, figures)
    if (redates !== null || late) identity.push(redates ?? '', released.on, released.basis)
    // Figures that were voided may turn out true, when an input that proved them untrue is voided itself.
    if (this.#voided !== undefined) identity.push('voids', this.#voided)
    const release_id = derivedId('rel', ...identity)
    this.#add({
      release_id,
      figures,
      published,
      revises,
      released_on: released.on,
      released_on_basis: released.basis,
      inputs: [...new Set(inputs.map((input) => input.release_id))],
      late,
      redates,
      voids: null,
    })
    return release_id
  }

  #add(release: Omit<Release, 'series' | 'period' | 'recorded_at' | 'provenance' | 'approval'>): void {
    const { series, period } = this.#figure
    this.releases.push({ series, period, recorded_at: this.#at, provenance: null, approval: null, ...release })
  }
}
