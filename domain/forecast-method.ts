import type { FigureKind } from '../contracts/indicators.ts'
import type { Frequency } from '../contracts/records.ts'
import { decimalsOf, divide, powerOfTen, roundFixedPoint, toFixedPoint } from './fixed-point.ts'
import { placesOf } from './forecast-precision.ts'
import { movingMedians } from './moving-medians.ts'
import { periodsAYear } from './period.ts'

export type ForecastModel = {
  readonly frequency: Frequency
  readonly kind: FigureKind
  /** Whether the figures follow the seasons. False if they are seasonally adjusted or are changes on a year before. */
  readonly seasonal: boolean
}

export type Interval = { readonly value: string; readonly lower: string; readonly upper: string }

/** Years of past changes from which the next one is estimated, and how many of them must be known. */
const YEARS = 5
const FEWEST_YEARS = 2
/** Number of newest periods whose errors form the interval, and the fewest errors that suffice. */
const ERROR_PERIODS = 60
const FEWEST_ERRORS = 8
/** Guard digits: decimals of the calculation beyond those of the figures. Factors have exactly these. */
const GUARD_DIGITS = 12

/** Number of periods up to an origin on which a forecast from there can depend. */
export const reachOf = (frequency: Frequency, horizon: number): number =>
  ERROR_PERIODS + horizon + YEARS * periodsAYear[frequency]

/** A kind of change between figures. `between` undoes `apply`; it is undefined if that is impossible. */
type Change = {
  readonly between: (from: bigint, to: bigint) => bigint | undefined
  readonly apply: (from: bigint, change: bigint) => bigint
  readonly none: bigint
}
const amounts: Change = { between: (from, to) => to - from, apply: (from, change) => from + change, none: 0n }
const ONE = powerOfTen(GUARD_DIGITS)
const factors: Change = {
  between: (from, to) => (from > 0n && to > 0n ? divide(to * ONE, from) : undefined),
  apply: (from, factor) => divide(from * factor, ONE),
  none: ONE,
}

/**
 * Prepares the method of `forecast` for figures one period apart, oldest first, undefined where one is missing. The
 * returned function forecasts the figure `horizon` places after `origin` from figures up to `origin` only. Results that
 * several origins share are computed once.
 */
export function forecaster(
  texts: readonly (string | undefined)[],
  { frequency, kind, seasonal }: ForecastModel,
  horizon: number,
): (origin: number) => Interval | undefined {
  const year = periodsAYear[frequency]
  const step = seasonal ? year : 1
  const { between, apply, none } = kind === 'level' ? factors : amounts
  const scale = GUARD_DIGITS + texts.reduce((most, text) => Math.max(most, text ? decimalsOf(text) : 0), 0)
  const figures = texts.map((text) => (text === undefined ? undefined : toFixedPoint(text, scale)))
  const changes = figures.map((figure, at) => {
    const later = figures[at + horizon]
    return figure === undefined || later === undefined ? undefined : between(figure, later)
  })
  // A change that ends after the origin was not yet known at the origin.
  const nearest = step * Math.ceil(horizon / step)
  const usualChanges = movingMedians(changes, { step, nearest, farthest: YEARS * year })

  const counts = [0]
  for (const figure of figures) counts.push((counts.at(-1) ?? 0) + Number(figure !== undefined))
  const isKnownEnough = (origin: number): boolean =>
    (counts[origin + 1] ?? 0) - (counts[Math.max(0, origin + 1 - YEARS * year)] ?? 0) >= FEWEST_YEARS * year

  const expected = once((origin) => {
    const figure = figures[origin]
    if (figure === undefined || !isKnownEnough(origin)) return undefined
    const change = usualChanges[origin]
    return change === undefined ? undefined : apply(figure, change)
  })
  const errorAt = once((at) => {
    const [actual, forecast] = [figures[at], expected(at - horizon)]
    return actual === undefined || forecast === undefined ? undefined : between(forecast, actual)
  })
  /** The range that contains a new error with a probability of about 80 %. */
  const errorsUpTo = (origin: number): { low: bigint; high: bigint } | undefined => {
    const errors: bigint[] = []
    for (let at = Math.max(0, origin + 1 - ERROR_PERIODS); at <= origin; at++) {
      const error = errorAt(at)
      if (error !== undefined) errors.push(error)
    }
    if (errors.length < FEWEST_ERRORS) return undefined
    errors.sort(ascending)
    const rank = Math.max(1, Math.floor((errors.length + 1) / 10))
    // The interval includes the forecast itself even if all errors lie on one side.
    return { low: least(errors[rank - 1] ?? none, none), high: greatest(errors[errors.length - rank] ?? none, none) }
  }

  const hundred = 100n * powerOfTen(scale)
  const withinBounds = (value: bigint): bigint => (kind === 'share' ? greatest(least(value, hundred), 0n) : value)
  const isPercentage = kind === 'rate' || kind === 'share'

  return (origin) => {
    const exact = expected(origin)
    const errors = exact === undefined ? undefined : errorsUpTo(origin)
    if (exact === undefined || errors === undefined) return undefined
    const newest = texts.slice(Math.max(0, origin + 1 - Math.max(year, 4)), origin + 1)
    const places = placesOf(
      newest.filter((text) => text !== undefined),
      isPercentage,
    )
    const served = (value: bigint) => roundFixedPoint(withinBounds(value), scale, places)
    const [value, lower, upper] = [exact, apply(exact, errors.low), apply(exact, errors.high)].map(served)
    if (value === undefined || lower === undefined || upper === undefined) return undefined
    return { value, lower, upper }
  }
}

/** Caches `compute`, so that it runs at most once for each place. */
function once<T>(compute: (at: number) => T): (at: number) => T {
  const known = new Map<number, T>()
  return (at) => {
    if (!known.has(at)) known.set(at, compute(at))
    // A cast, because `T` may include undefined, so that the result of `get` proves nothing.
    return known.get(at) as T
  }
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0)
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const greatest = (a: bigint, b: bigint): bigint => (a > b ? a : b)
