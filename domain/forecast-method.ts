import type { Frequency } from '../contracts/records.ts'
import { add, compareDecimals, isPositive, multiply, ratio, subtract } from './decimal.ts'
import { placesOf, roundTo } from './forecast-rounding.ts'

/**
 * What sort of figure is forecast. A `level` is positive and changes by a factor; the others change by an amount: a
 * `balance` is a difference of levels, a `rate` any percentage, a `share` a percentage of a whole, 0 to 100.
 */
export type FigureKind = 'level' | 'balance' | 'rate' | 'share'

export type ForecastModel = {
  readonly frequency: Frequency
  readonly kind: FigureKind
  /** Whether the figures follow the seasons: not if they are seasonally adjusted, or changes on a year before. */
  readonly seasonal: boolean
}

export type Interval = { readonly value: string; readonly lower: string; readonly upper: string }

const periodsAYear: Readonly<Record<Frequency, number>> = { A: 1, Q: 4, M: 12 }
/** How far back the changes go that the next one is taken from, and how much of that must be known. */
const YEARS = 5
const FEWEST_YEARS = 2
/** The newest periods whose errors make the interval, and the fewest errors that do. */
const ERROR_PERIODS = 60
const FEWEST_ERRORS = 8

/** How many periods, up to an origin, a forecast from there can depend on. */
export const reachOf = (frequency: Frequency, horizon: number): number =>
  ERROR_PERIODS + horizon + YEARS * periodsAYear[frequency]

/** How figures change: `between` undoes `apply`; undefined where it can't. */
type Change = {
  readonly between: (from: string, to: string) => string | undefined
  readonly apply: (from: string, change: string) => string
  readonly none: string
}
const amounts: Change = {
  between: (from, to) => subtract(to, from),
  apply: (from, change) => add(from, change),
  none: '0',
}
const factors: Change = {
  between: (from, to) => (isPositive(from) && isPositive(to) ? ratio(to, from) : undefined),
  apply: multiply,
  none: '1',
}

/**
 * The method of `forecast` on figures one period apart, oldest first, undefined where there is none. The answer forecasts
 * the figure `horizon` places after `origin` from nothing later than `origin`; what origins have in common is computed once.
 */
export function forecaster(
  figures: readonly (string | undefined)[],
  { frequency, kind, seasonal }: ForecastModel,
  horizon: number,
): (origin: number) => Interval | undefined {
  const year = periodsAYear[frequency]
  const step = seasonal ? year : 1
  const { between, apply, none } = kind === 'level' ? factors : amounts

  const counts = [0]
  for (const figure of figures) counts.push((counts.at(-1) ?? 0) + Number(figure !== undefined))
  const isKnownEnough = (origin: number): boolean =>
    (counts[origin + 1] ?? 0) - (counts[Math.max(0, origin + 1 - YEARS * year)] ?? 0) >= FEWEST_YEARS * year

  const medianOf = medians(
    figures.map((figure, at) => {
      const later = figures[at + horizon]
      return figure === undefined || later === undefined ? undefined : between(figure, later)
    }),
  )
  const expected = once((origin) => {
    const figure = figures[origin]
    if (figure === undefined || !isKnownEnough(origin)) return undefined
    const past: number[] = []
    // A change that ends after the origin was not known there.
    for (let back = step; back <= YEARS * year; back += step) if (back >= horizon) past.push(origin - back)
    const change = medianOf(past)
    return change === undefined ? undefined : apply(figure, change)
  })
  const errorAt = once((at) => {
    const [actual, forecast] = [figures[at], expected(at - horizon)]
    return actual === undefined || forecast === undefined ? undefined : between(forecast, actual)
  })
  /** The range of errors that a new one is in with a chance of about 80 %. */
  const errorsUpTo = (origin: number): { low: string; high: string } | undefined => {
    const errors: string[] = []
    for (let at = Math.max(0, origin + 1 - ERROR_PERIODS); at <= origin; at++) {
      const error = errorAt(at)
      if (error !== undefined) errors.push(error)
    }
    if (errors.length < FEWEST_ERRORS) return undefined
    errors.sort(compareDecimals)
    const rank = Math.max(1, Math.floor((errors.length + 1) / 10))
    // Errors that all lie on one side still leave the forecast inside its own interval.
    return { low: least(errors[rank - 1] ?? none, none), high: greatest(errors[errors.length - rank] ?? none, none) }
  }

  return (origin) => {
    const exact = expected(origin)
    const errors = exact === undefined ? undefined : errorsUpTo(origin)
    if (exact === undefined || errors === undefined) return undefined
    const newest = figures.slice(Math.max(0, origin + 1 - Math.max(year, 4)), origin + 1)
    const places = placesOf(newest, kind === 'rate' || kind === 'share')
    const served = (text: string) => roundTo(kind === 'share' ? greatest(least(text, '100'), '0') : text, places)
    const [value, lower, upper] = [exact, apply(exact, errors.low), apply(exact, errors.high)].map(served)
    if (value === undefined || lower === undefined || upper === undefined) return undefined
    return { value, lower, upper }
  }
}

/** The median of the changes at some places; those that aren't known are left out. Decimals are compared once, in advance. */
function medians(changes: readonly (string | undefined)[]): (places: readonly number[]) => string | undefined {
  const sorted: string[] = []
  for (const change of changes) if (change !== undefined) sorted.push(change)
  sorted.sort(compareDecimals)
  const rankOf = new Map(sorted.map((change, rank) => [change, rank]))
  return (places) => {
    const ranks: number[] = []
    for (const place of places) {
      const rank = rankOf.get(changes[place] ?? '')
      if (rank !== undefined) ranks.push(rank)
    }
    ranks.sort((a, b) => a - b)
    const below = sorted[ranks[(ranks.length - 1) >> 1] ?? -1]
    const above = sorted[ranks[ranks.length >> 1] ?? -1]
    return below === undefined || above === undefined ? undefined : multiply(add(below, above), '0.5')
  }
}

/** `compute`, for each place at most once. */
function once<T>(compute: (at: number) => T): (at: number) => T {
  const known = new Map<number, T>()
  return (at) => {
    if (!known.has(at)) known.set(at, compute(at))
    return known.get(at) as T
  }
}

const least = (a: string, b: string): string => (compareDecimals(a, b) < 0 ? a : b)
const greatest = (a: string, b: string): string => (compareDecimals(a, b) > 0 ? a : b)
