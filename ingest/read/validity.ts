import { addDays } from '../../domain/day.ts'

/** Days on which a print of a figure stood, both included. */
export type Validity = { readonly from: string; readonly to: string }

/** The last day of a print that has not ended, as FRED writes it. */
export const NO_END = '9999-12-31'

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
