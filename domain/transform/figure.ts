import type { Release } from '../../contracts/records.ts'
import type { MissingReason } from '../../contracts/transformations.ts'

/**
 * A figure of a period in a history. `released_on` is the day since which it can be known: for a computed one the latest
 * day of the figures that it is computed from.
 */
export type HistoryFigure = Pick<Release, 'period' | 'released_on' | 'released_on_basis'> & {
  /** Number of the figure among those of its indicator. A period has one entry for each. */
  readonly number: number
  /** Rank of its series among those of the history, from 1, which tells figures of one series from those of another. */
  readonly place: number
  /** Null if it does not exist; `missing` then says why. */
  readonly value: string | null
  readonly missing?: MissingReason
}

/** The result of a computation: a value, or the reason why there is none. */
export type Result = { readonly value: string } | { readonly value: null; readonly missing: MissingReason }

export const missing = (reason: MissingReason): Result => ({ value: null, missing: reason })

/** The figures that answer the periods of a history, and all figures of the series that answer any of them. */
export type AnsweredHistory = { readonly answered: readonly HistoryFigure[]; readonly own: readonly HistoryFigure[] }

/**
 * The day of a result: the latest of its figures, with what that rests on; of two of one day that of the first. If one of the
 * figures is dated by an estimate, so is the result.
 */
export function dayOfResult(
  first: HistoryFigure,
  ...others: readonly HistoryFigure[]
): Pick<HistoryFigure, 'released_on' | 'released_on_basis'> {
  const latest = others.reduce((latest, each) => (each.released_on > latest.released_on ? each : latest), first)
  const isEstimated = [first, ...others].some(({ released_on_basis }) => released_on_basis === 'estimated')
  return {
    released_on: latest.released_on,
    released_on_basis: isEstimated ? 'estimated' : latest.released_on_basis,
  }
}
