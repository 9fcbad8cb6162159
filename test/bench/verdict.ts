/** Whether the turns of one side differ from those of the other by more than chance explains. */
import { isRate, type Measure, median } from './measure.ts'

/** Chance at which two equal sides may be called different, by each clock. Of five turns each, one pair may be out of order. */
const CHANCE = 0.02
/** Smallest difference of the medians that counts, however sure it is. */
const LEAST_DIFFERENCE = 0.03

export type Verdict = 'faster' | 'slower' | 'no difference seen'
/** Ours beside the ceiling, by the clock and by CPU time. More is better for a rate, less for a cost. */
export type Ratios = { readonly clock?: number; readonly cpu?: number }
const clocks = ['clock', 'cpu'] as const

/** Microseconds of CPU time for each operation, where a row has them. */
export function cpuOfEach({ ours, ceiling, unit, cpu }: Measure): Measure['cpu'] {
  return unit.endsWith('/CPU s') ? { ours: 1e6 / ours, ceiling: 1e6 / ceiling } : cpu
}

export function ratiosOf(row: Measure): Ratios {
  const cpu = cpuOfEach(row)
  return {
    ...(!row.unit.endsWith('/CPU s') && { clock: row.ours / row.ceiling }),
    ...(cpu && { cpu: isRate(row) ? cpu.ceiling / cpu.ours : cpu.ours / cpu.ceiling }),
  }
}

/** A row's verdict by both clocks. Where they disagree, it names the one that saw the difference. */
export function verdictOf(old: readonly Measure[], now: readonly Measure[]): string {
  const isBetterUp = now.every(isRate)
  const seen = clocks.flatMap((clock) => {
    const ratios = (turns: readonly Measure[]) => turns.flatMap((turn) => ratiosOf(turn)[clock] ?? [])
    const [before, after] = [ratios(old), ratios(now)]
    return before.length > 0 && after.length > 0 ? [{ clock, verdict: judge(before, after, isBetterUp) }] : []
  })
  const different = seen.filter(({ verdict }) => verdict !== 'no difference seen')
  const [first] = different
  if (!first) return 'no difference seen'
  if (seen.every(({ verdict }) => verdict === first.verdict)) return first.verdict
  return different.map(({ clock, verdict }) => `${verdict} by ${clock === 'cpu' ? 'CPU' : 'the clock'}`).join(', ')
}

/**
 * Compares the turns of two sides: different if the exact two-sided Mann–Whitney test gives a chance of at most 2 %, and the
 * medians differ by 3 % or more.
 */
export function judge(old: readonly number[], now: readonly number[], isBetterUp: boolean): Verdict {
  const change = median(now) / median(old) - 1
  if (!(Math.abs(change) >= LEAST_DIFFERENCE && chanceOf(old, now) <= CHANCE)) return 'no difference seen'
  return change > 0 === isBetterUp ? 'faster' : 'slower'
}

/** Chance that two samples of one distribution lie at least as far apart as these (Mann–Whitney U, exact, two-sided). */
export function chanceOf(a: readonly number[], b: readonly number[]): number {
  const pairs = a.length * b.length
  const u = a.reduce((sum, x) => sum + b.reduce((wins, y) => wins + (x > y ? 1 : x === y ? 0.5 : 0), 0), 0)
  // Ties are rounded to the side of no difference.
  const extreme = Math.ceil(Math.min(u, pairs - u))
  const ways = waysToReach(a.length, b.length)
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  return Math.min(1, (2 * sum(ways.slice(0, extreme + 1))) / sum(ways))
}

/** For each U, in how many orders of `m` and `n` values it occurs: the coefficients of the Gaussian binomial of both. */
function waysToReach(m: number, n: number): number[] {
  const counts: number[] = Array.from({ length: m * n + 1 }, (_, u) => (u === 0 ? 1 : 0))
  const at = (u: number) => counts[u] ?? 0
  for (let i = 1; i <= m; i++) {
    for (let u = m * n; u >= n + i; u--) counts[u] = at(u) - at(u - n - i)
    for (let u = i; u <= m * n; u++) counts[u] = at(u) + at(u - i)
  }
  return counts
}
