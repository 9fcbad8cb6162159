import { type Release, type ReleasedOnBasis, servedBases } from '../contracts/records.ts'
import { equalDecimals } from './decimal.ts'

/** The figures that a publisher had for a series and period from a day on; empty if it had taken them back. */
export type RecordedPrint = Pick<
  Release,
  'release_id' | 'revises' | 'figures' | 'released_on' | 'released_on_basis' | 'recorded_at' | 'approval'
>

/**
 * The prints of one series and period: the current one, and those before it in the order of their dates. Prints of one
 * date are in the order in which they were read. Two neighbours never have the same figures.
 */
export type KnownRelease = RecordedPrint & { readonly earlier?: readonly RecordedPrint[] }

export type PrintInPlace = Pick<Release, 'release_id' | 'released_on' | 'figures'>

/** The prints of a figure in the order of their dates, with its next release: without the print that this one redates or voids. */
export function withRelease(prints: readonly PrintInPlace[], release: Release): readonly PrintInPlace[] {
  const { release_id, released_on, figures, redates, voids } = release
  const gone = redates ?? voids
  const others = gone === null ? prints : prints.filter((print) => print.release_id !== gone)
  if (voids !== null) return others
  const index = others.findLastIndex((print) => print.released_on <= released_on) + 1
  return others.toSpliced(index, 0, { release_id, released_on, figures })
}

/** Whether a release is the first print of its figure. */
export const isFirstPrint = ({ revises, late, redates, voids }: Release): boolean =>
  revises === null && !late && redates === null && voids === null

/** A date of release and where it comes from. */
export type Dated = { readonly on: string; readonly basis: ReleasedOnBasis }

export const printsOf = (known: KnownRelease | undefined): readonly RecordedPrint[] =>
  known ? [...(known.earlier ?? []), known] : []

/** The prints with a release added in order, and without the one that it redates. */
export function asKnown(release: Release, known: KnownRelease | undefined): KnownRelease {
  const { release_id, revises, figures, released_on, released_on_basis, recorded_at, approval, redates } = release
  const print: RecordedPrint = {
    release_id,
    revises,
    figures,
    released_on,
    released_on_basis,
    recorded_at,
    approval,
  }
  if (!known) return print
  const { earlier = [], ...current } = known
  if (redates === null && released_on >= known.released_on) return { ...print, earlier: [...earlier, current] }
  const others = [...earlier, current].filter((other) => other.release_id !== redates)
  const index = others.findLastIndex((other) => other.released_on <= released_on) + 1
  const prints = others.toSpliced(index, 0, print)
  const newest = prints.pop() ?? print
  return prints.length === 0 ? newest : { ...newest, earlier: prints }
}

/** Consequence for the prints on record of a proof that the figures were these on a day. */
type Placement =
  | { readonly kind: 'repeats' }
  /** The same print, with a better date or a better basis of it. */
  | { readonly kind: 'redates'; readonly print: RecordedPrint; readonly late: boolean }
  /** A print of its own, after `before`. */
  | { readonly kind: 'follows'; readonly before: RecordedPrint | undefined; readonly late: boolean }

/** Places figures among the prints on record, by the day on which they are proven to have been the publisher's. */
export function placeAmongPrints(
  known: KnownRelease | undefined,
  figures: Release['figures'],
  { on, basis }: Dated,
): Placement {
  if (!known) return { kind: 'follows', before: undefined, late: false }
  // Most figures repeat the current print, and most others revise it.
  if (on >= known.released_on) {
    return sameFigures(known.figures, figures)
      ? repeated(known, { on, basis }, false)
      : { kind: 'follows', before: known, late: false }
  }
  const prints = printsOf(known)
  const index = prints.findLastIndex((print) => print.released_on <= on) + 1
  const [before, next] = [prints[index - 1], prints[index]]
  if (before && sameFigures(before.figures, figures)) return repeated(before, { on, basis }, true)
  // An old document that is read again. On the newest day a figure may go back and forth.
  const isOfThatDay = (print: RecordedPrint) => print.released_on === on && sameFigures(print.figures, figures)
  if (prints.some(isOfThatDay)) return { kind: 'repeats' }
  if (next && sameFigures(next.figures, figures)) return { kind: 'redates', print: next, late: next !== prints.at(-1) }
  return { kind: 'follows', before, late: true }
}

/**
 * The print of a day that was read after a time, because a day alone does not tell which of its prints is the later one. When an
 * approved print was read is not known, only when it was approved: it is none.
 */
export const printReadAfter = (known: KnownRelease | undefined, day: string, at: string): RecordedPrint | undefined =>
  printsOf(known).findLast((print) => print.released_on === day && print.recorded_at > at && print.approval === null)

/** The same figures again: they prove a better basis of the date if that is the same. */
const repeated = (print: RecordedPrint, { on, basis }: Dated, late: boolean): Placement =>
  print.released_on === on && strengthOf(basis) < strengthOf(print.released_on_basis)
    ? { kind: 'redates', print, late }
    : { kind: 'repeats' }

const strengthOf = (basis: ReleasedOnBasis): number => {
  const rank = servedBases.indexOf(basis)
  // A newer release of this program may know more bases.
  return rank < 0 ? servedBases.length : rank
}

/** Whether figures are numerically equal, however they are spelled. */
export function sameFigures(a: Release['figures'], b: Release['figures']): boolean {
  const members = Object.keys(a)
  return (
    members.length === Object.keys(b).length &&
    members.every((m) => b[m] !== undefined && equalDecimals(a[m] ?? '', b[m]))
  )
}

/** Whether a release takes figures back. */
export const isWithdrawn = ({ figures }: Pick<Release, 'figures'>): boolean => Object.keys(figures).length === 0
