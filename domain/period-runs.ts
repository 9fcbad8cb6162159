import { firstIndex } from './first-index.ts'

/**
 * Periods of one series as runs without a hole, by their numbers (`periodNumber`), in order. Nearly every series is one run, so
 * that this is small however long it is.
 */
export type PeriodRuns = [first: number, last: number][]

/** Index of the first run that ends at a period or after it. */
const runAt = (runs: PeriodRuns, period: number): number => firstIndex(runs.length, (i) => (runs[i]?.[1] ?? 0) < period)

export function hasPeriod(runs: PeriodRuns, period: number): boolean {
  const run = runs[runAt(runs, period)]
  return run !== undefined && run[0] <= period
}

export function addPeriod(runs: PeriodRuns, period: number): void {
  if (hasPeriod(runs, period)) return
  const at = runAt(runs, period)
  const [before, after] = [runs[at - 1], runs[at]]
  const joinsBefore = before?.[1] === period - 1
  const joinsAfter = after?.[0] === period + 1
  const run: PeriodRuns[number] = [
    joinsBefore ? (before?.[0] ?? period) : period,
    joinsAfter ? (after?.[1] ?? period) : period,
  ]
  runs.splice(joinsBefore ? at - 1 : at, Number(joinsBefore) + Number(joinsAfter), run)
}

export function removePeriod(runs: PeriodRuns, period: number): void {
  if (!hasPeriod(runs, period)) return
  const at = runAt(runs, period)
  const [first, last] = runs[at] ?? [period, period]
  const left: PeriodRuns = [
    [first, period - 1],
    [period + 1, last],
  ]
  runs.splice(at, 1, ...left.filter(([from, to]) => from <= to))
}
