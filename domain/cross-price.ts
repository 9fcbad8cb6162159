import { compareDecimals, multiply, ratio } from './decimal.ts'

/** A way to compute a price from the prices of quoted symbols: the product of `over` divided by that of `under`. */
export type CrossRoute<Leg = string> = { readonly over: readonly Leg[]; readonly under: readonly Leg[] }

/** The price of a route from those of its legs: one division, rounded once, half even, to eight significant digits. */
export const crossPrice = ({ over, under }: CrossRoute): string => ratio(product(over), product(under))

const product = ([first = '1', ...others]: readonly string[]): string => others.reduce(multiply, first)

/**
 * What is known of an interval in which all legs of a route had prices. Each entry is the prices of the legs, `over` before
 * `under`: of the first minute's open and of the last minute's close, and of those moments that may be the highest or lowest.
 */
export type CrossMoments = {
  readonly open: readonly string[]
  readonly close: readonly string[]
  readonly extremes: readonly (readonly string[])[]
}

type CrossCandle = { readonly open: string; readonly high: string; readonly low: string; readonly close: string }

/** Computes the candle of a route. Rounding keeps the order of prices, so the highest rounded price is that of the highest. */
export function crossCandle(route: CrossRoute<unknown>, { open, close, extremes }: CrossMoments): CrossCandle {
  const split = route.over.length
  const priceAt = (legs: readonly string[]) => crossPrice({ over: legs.slice(0, split), under: legs.slice(split) })
  const [first, last] = [priceAt(open), priceAt(close)]
  let [high, low] = compareDecimals(first, last) < 0 ? [last, first] : [first, last]
  for (const legs of extremes) {
    const price = priceAt(legs)
    if (compareDecimals(price, high) > 0) high = price
    if (compareDecimals(price, low) < 0) low = price
  }
  return { open: first, high, low, close: last }
}
