import type { Figure } from '../../../ingest/source.ts'

/** Without the figures that `known` has already: what is left are first prints and revisions, which it then has. */
export const newsIn = (figures: readonly Figure[], known: Map<string, string>): Figure[] =>
  figures.filter(({ period, figures: { value, rate } }) => {
    const printed = (value ?? rate)?.printed ?? ''
    if (known.get(period) === printed) return false
    known.set(period, printed)
    return true
  })
