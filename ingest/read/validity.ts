import { addDays } from '../../domain/day.ts'
import { DocumentError } from '../source.ts'
import type { Json } from './json.ts'
import { statedDay } from './printed-days.ts'

/** Days on which a print of a figure stood, both included. */
export type Validity = { readonly from: string; readonly to: string }

/** The last day of a print that has not ended, as FRED writes it. */
export const NO_END = '9999-12-31'

/** The latest of several days; `''` of none. */
export const latestOf = (days: readonly string[]): string => days.toSorted().at(-1) ?? ''

/**
 * Returns the prints of one figure that ended although none followed, each with the day after. `lastKnown` is the last day
 * of which the document knows anything: a print that stands until then may stand on.
 */
export function endedPrints<Print extends Validity>(
  prints: readonly Print[],
  lastKnown: string,
): (readonly [Print, string])[] {
  return prints.flatMap((print) => {
    if (print.to >= lastKnown) return []
    const next = addDays(print.to, 1)
    return prints.some(({ from, to }) => from <= next && next <= to) ? [] : [[print, next] as const]
  })
}

/**
 * Validity of a data set as its message states it, both ends included; undefined if it states none. `from` is `''` if only the
 * end is stated. Throws `DocumentError` `bad_date`.
 */
export function statedValidity(
  validFrom: Json | undefined,
  validTo: Json | undefined,
  location: string,
): Validity | undefined {
  const from = statedDay(validFrom, { name: 'validFrom', location })
  const to = statedDay(validTo, { name: 'validTo', location })
  if (from === undefined && to === undefined) return undefined
  if (from !== undefined && to !== undefined && to < from)
    throw new DocumentError('bad_date', `validTo is ${to}, before validFrom, ${from}.`, location)
  return { from: from ?? '', to: to ?? NO_END }
}
