import type { CandleInterval } from '../../../contracts/candles.ts'
import type { CrossRoute } from '../../../domain/cross-price.ts'
import { minutesOf, RANK } from './minutes.ts'

/** The query of the candles of pairs that no source quotes. */

/** A way to compute the prices of the pair `symbol`. */
export type PairRoute = CrossRoute & { readonly symbol: string }

const legsOf = ({ over, under }: CrossRoute): readonly string[] => [...over, ...under]

/** Routes with equal numbers of legs over and under, which are joined alike. `at`: their places in the list of all. */
type Shape = {
  readonly over: number
  readonly legs: number
  readonly routes: readonly PairRoute[]
  readonly at: readonly number[]
}

function shapesOf(routes: readonly PairRoute[]): Shape[] {
  const places = Map.groupBy(routes.keys(), (n) => `${routes[n]?.over.length} ${routes[n]?.under.length}`)
  return [...places.values()].map((at) => {
    const own = at.flatMap((n) => routes[n] ?? [])
    const { over, under } = own[0] ?? { over: [], under: [] }
    return { over: over.length, legs: over.length + under.length, routes: own, at }
  })
}

/** The parameters of `crossedQuery`: the pair of each route, and of each shape its routes and the symbols of their legs. */
export function crossedParams(routes: readonly PairRoute[]): Record<string, readonly (string | number)[]> {
  const pairs = [...new Set(routes.map(({ symbol }) => symbol))]
  const ofShapes = shapesOf(routes).flatMap(({ legs, routes: own, at }, shape) => [
    [`routes_${shape}`, at] as const,
    ...Array.from({ length: legs }, (_, leg) => {
      return [`leg_${shape}_${leg}`, own.map((route) => legsOf(route)[leg] ?? '')] as const
    }),
  ])
  return { pairs: routes.map(({ symbol }) => pairs.indexOf(symbol)), ...Object.fromEntries(ofShapes) }
}

/** For each symbol and interval the minutes of the best source that has prices in it. */
const bestMinutesOf = (interval: CandleInterval, symbols: string) => `
  (SELECT * FROM (${minutesOf(interval, symbols)})
   WHERE (symbol, number, ${RANK}) IN
     (SELECT symbol, number, min(${RANK}) FROM (${minutesOf(interval, symbols)}) GROUP BY symbol, number))`

/** How far binary floating point narrows down the choice of an extreme: far more than its error. Decimals then decide. */
const BAND = '1e-9'

/**
 * For each route of a shape and interval what the minutes in which all legs have prices make of it. With one leg, its highest
 * and lowest prices count, too; of several legs, no one knows what each was when another was highest.
 */
function shapeQuery(interval: CandleInterval, { over, legs: count, routes }: Shape, shape: number): string {
  const legs = Array.from({ length: count }, (_, leg) => `leg_${leg}`)
  const minutesAt = (leg: number) => `${bestMinutesOf(interval, `leg_${shape}_${leg}`)} AS leg_${leg}`
  const lists = [`{routes_${shape}:Array(UInt16)} AS route`].concat(
    legs.map((_, n) => `{leg_${shape}_${n}:Array(String)} AS symbol_${n}`),
  )
  const names = ['route', ...legs.map((_, n) => `symbol_${n}`)].join(', ')
  // A leg that all routes share is joined by the minute alone, which takes half the time. Not an ANY JOIN: it keeps one row of
  // each key on both sides, and many routes have one leg in common.
  const isShared = (n: number) => new Set(routes.map((route) => legsOf(route)[n])).size === 1
  const others = legs.slice(1).map((leg, i) => {
    const sameSymbol = isShared(i + 1) ? '' : `${leg}.symbol = routes.symbol_${i + 1} AND `
    return `INNER JOIN ${minutesAt(i + 1)} ON ${sameSymbol}${leg}.minute = leg_0.minute`
  })
  const moments = count > 1 ? ['open', 'close'] : ['open', 'close', 'high', 'low']
  const prices = (moment: string) => `[${legs.map((leg) => `${leg}.${moment}`).join(', ')}]`
  const near = (moment: string) => legs.map((leg, n) => `${n < over ? '*' : '/'} toFloat64(${leg}.${moment})`).join(' ')
  const cells = moments.flatMap((moment) => [`${prices(moment)} AS ${moment}s`, `1 ${near(moment)} AS near_${moment}`])
  const minutes = `
    SELECT routes.route AS route, leg_0.number AS number, leg_0.minute AS minute, ${cells.join(', ')},
      ${legs.map((leg) => `${leg}.ticks`).join(' + ')} AS prices,
      [${legs.map((leg) => `toString(${leg}.source)`).join(', ')}] AS used
    FROM ${minutesAt(0)}
    INNER JOIN (SELECT ${names} FROM (SELECT 1) ARRAY JOIN ${lists.join(', ')}) AS routes
      ON leg_0.symbol = routes.symbol_0
    ${others.join(' ')}`
  const all = moments.map((moment) => `near_${moment}`).join(', ')
  const isExtreme = (moment: string) =>
    `near_${moment} >= highest * (1 - ${BAND}) OR near_${moment} <= lowest * (1 + ${BAND})`
  const extremes = moments.map((moment) => `groupUniqArrayIf(${moment}s, ${isExtreme(moment)})`)
  return `
SELECT route, number, argMin(opens, minute) AS open, argMax(closes, minute) AS close,
  arrayDistinct(arrayConcat(${extremes.join(', ')})) AS extremes,
  sum(prices) AS ticks, arraySort(groupUniqArrayArray(used)) AS sources
FROM (${minutes}) AS minutes
INNER JOIN (
  SELECT route, number, max(arrayMax([${all}])) AS highest, min(arrayMin([${all}])) AS lowest
  FROM (${minutes}) GROUP BY route, number
) AS extremes USING (route, number)
GROUP BY route, number`
}

/** For each pair and interval the candle of the first of its routes that has prices in it. */
export const crossedQuery = (interval: CandleInterval, routes: readonly PairRoute[]): string => `
SELECT * FROM (${shapesOf(routes)
  .map((shape, n) => shapeQuery(interval, shape, n))
  .join(' UNION ALL ')})
ORDER BY number, {pairs:Array(UInt16)}[route + 1] AS pair, route
LIMIT 1 BY number, pair
LIMIT {limit:UInt32}`
