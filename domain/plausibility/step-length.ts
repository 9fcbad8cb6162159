import { median } from '../median.ts'
import { distance, isLevel, type Value, type ValueKind, yearsBetween } from './view.ts'

/**
 * The shortest long steps: factors up and down for levels, else percentage points. They lie above the longest right
 * steps in the recorded files, those of hyperinflations left out, which are called calm times here:
 * - index: consumer prices rose 2.19 times in a month (Bulgaria, February 1991), and GDP at prices of a stated year fell by a
 *   quarter (India, 2020-Q2).
 * - price: natural gas rose 4.19 times in a day (Henry Hub, 12 January 2024).
 * - amount: GDP and trade, in 7,700 steps, never moved by more than 1.46 times (exports of Germany, April 2020). But few small
 *   countries are among them, whose trade moves with the price of one good, so the bound is that of prices.
 * - share: unemployment rose by 18.9 points between two figures, a year apart (Belize, 2020-Q3), by 11.9 in a quarter (Palestine,
 *   2000-Q4), and by 10.4 in a month (United States, April 2020).
 * - rate: growth on the year before fell by 27.0 points (Ireland, 2016-Q1), and growth on the quarter before rose by 45.7 (India,
 *   2020-Q3).
 */
const LONG: Readonly<Record<ValueKind, { readonly up: number; readonly down: number }>> = {
  index: { up: 2.5, down: 1.5 },
  amount: { up: 5, down: 5 },
  price: { up: 5, down: 5 },
  share: { up: 20, down: 20 },
  rate: { up: 50, down: 50 },
}
/**
 * A step is long only if it is also this many times as long as the median of the steps around it. Not measured: it decides only in
 * crises.
 */
const TIMES_SPREAD = 10
/**
 * Number of steps before it, and after it, whose medians are taken: twelve months have all seasons. The larger median counts, so
 * that a crisis may begin or end.
 */
const STEPS = 12

/** Whether the step from one value to a later one is longer than any of calm times. */
export function exceedsCalm(kind: ValueKind, from: number, to: number): boolean {
  const { up, down } = LONG[kind]
  return isLevel(kind) ? to > up * from || from > down * to : to - from > up || from - to > down
}

/**
 * Whether the step between value `i` of a series and another value, before or after it in time, is long: longer than any of calm
 * times, and than ten usual steps. Over a gap a value makes as many usual steps as fit into that time, in one direction at worst.
 * Twice that is allowed, if it is more than ten usual steps.
 */
export function isLongStep(kind: ValueKind, series: readonly Value[], i: number, other: Value): boolean {
  const value = series[i] ?? other
  const [from, to] = other.at <= value.at ? [other, value] : [value, other]
  if (!exceedsCalm(kind, from.value, to.value)) return false
  const before = series.slice(Math.max(0, i - STEPS - 1), i)
  const after = series.slice(i + 1, i + STEPS + 2)
  const usual = Math.max(usualStep(kind, before), usualStep(kind, after))
  return distance(kind, from.value, to.value) > usual * Math.max(TIMES_SPREAD, 2 * stepsBetween(before, from, to))
}

/** The median step between consecutive values. */
const usualStep = (kind: ValueKind, values: readonly Value[]): number =>
  values.length < 2
    ? 0
    : median(values.slice(1).map(({ value }, j) => distance(kind, values[j]?.value ?? value, value)))

/**
 * How many steps lie between two values, if a step takes as long as between the values before on average. With fewer than two
 * before, which say nothing of that, one.
 */
function stepsBetween(before: readonly Value[], from: Value, to: Value): number {
  const [first, last] = [before[0], before.at(-1)]
  if (!first || !last || first === last) return 1
  return yearsBetween(from.at, to.at) / (yearsBetween(first.at, last.at) / (before.length - 1))
}
