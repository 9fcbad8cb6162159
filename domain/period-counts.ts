/** Number of prints on record of each period of a series, or of each of its dates. */
export type PeriodCounts = Map<string, number>

/** Counts a print of a period or date, or takes one away that was voided or is no longer current. */
export function countPrint(counts: PeriodCounts, period: string, one: 1 | -1): void {
  const count = (counts.get(period) ?? 0) + one
  if (count > 0) counts.set(period, count)
  else counts.delete(period)
}

/** The first and the last period that have prints; undefined if none has. */
export function firstAndLast(counts: PeriodCounts): { readonly first: string; readonly last: string } | undefined {
  const periods = [...counts.keys()].sort()
  const [first, last] = [periods[0], periods.at(-1)]
  return first === undefined || last === undefined ? undefined : { first, last }
}
