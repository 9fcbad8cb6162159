/**
 * The past of a price: its last hours, and the price that its change is against. Pure.
 *
 * @import { CandleBody, FxRate, PairsBody } from './bodies.d.ts'
 *
 * @typedef {{ readonly price: string, readonly at: string, readonly isClose: boolean }} Reference `at`: an instant; `isClose`:
 * it is the last price of a day before today; else the first one since then
 * @typedef {readonly [at: number, value: number]} PricePoint `at`: UTC milliseconds
 * @typedef {{ readonly points: readonly PricePoint[], readonly last?: { readonly price: string, readonly at: string } }} Hours
 * `points`: oldest first
 */
import { intervalLengths } from './candle-end.js'
import { changeInPercent, groupedDecimal } from './decimal-text.js'
import { dayName, minuteName } from './periods.js'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const STEP_MS = 30 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS
/** A price from longer ago is not the close of the last day: markets rest for two days, and for a holiday beside them. */
const CLOSE_WITHIN_MS = 4 * DAY_MS

/** @param {number} ms */
const iso = (ms) => new Date(ms).toISOString()
/** @param {number} now */
const today = (now) => iso(now).slice(0, 10)
/** The day before in UTC. @param {number} now */
export const yesterday = (now) => today(now - DAY_MS)

/**
 * The query for the candles of pairs in the last 24 hours.
 *
 * @param {readonly string[]} symbols
 * @param {number} now
 */
export const hoursQuery = (symbols, now) => ({
  symbol: symbols,
  interval: '30m',
  start: iso(Math.floor((now - DAY_MS) / STEP_MS) * STEP_MS),
})

/**
 * Whether each pair has candles of the prices that the page has of the last 24 hours. Right after a start the service has
 * prices but no candles yet.
 *
 * @param {PairsBody['pairs']} pairs
 * @param {ReadonlyMap<string, { readonly timestamp: string }>} board the prices of the page, by symbol
 * @param {number} now
 */
export function areCandlesThere(pairs, board, now) {
  const isNew = (/** @type {string} */ symbol) => now - Date.parse(board.get(symbol)?.timestamp ?? '') < DAY_MS
  const isEmpty = (/** @type {PairsBody['pairs'][number]} */ { candles }) => candles.length === 0
  return !pairs.every(isEmpty) && !pairs.some((pair) => isEmpty(pair) && isNew(pair.symbol))
}

/**
 * The query for the same by minutes, or by five, if there are prices of some hours only: half hours would be no line. Undefined
 * otherwise.
 *
 * @param {PairsBody['pairs']} pairs
 * @param {number} now
 */
export function finerQuery(pairs, now) {
  const [start] = pairs.flatMap(({ candles: [first] }) => first?.start ?? []).sort()
  if (start === undefined || now - Date.parse(start) > 6 * HOUR_MS) return undefined
  const interval = now - Date.parse(start) > HOUR_MS ? '5m' : '1m'
  return { symbol: pairs.map(({ symbol }) => symbol), interval, start }
}

/**
 * The last hours of a price, and what its change is against: the last price before today (UTC), or the oldest of these hours.
 *
 * @param {Pick<CandleBody, 'candles' | 'interval' | 'as_of'>} body
 * @param {number} now
 * @returns {{ hours: Hours, reference: Reference | undefined }}
 */
export function pastOfCandles({ candles, interval, as_of }, now) {
  const length = intervalLengths[interval]
  const [first, last] = [candles[0], candles.at(-1)]
  const before = candles.findLast(({ start }) => start < today(now))
  return {
    hours: {
      points: first
        ? [
            [Date.parse(first.start), Number(first.open)],
            ...candles.map(({ start, close }) =>
              pointAt(Math.min(Date.parse(start) + length, Date.parse(as_of)), close),
            ),
          ]
        : [],
      ...(last ? { last: { price: last.close, at: as_of } } : {}),
    },
    reference: before
      ? { price: before.close, at: iso(Date.parse(before.start) + length - 1), isClose: true }
      : first && { price: first.open, at: first.start, isClose: false },
  }
}

/**
 * The references of rates, by symbol.
 *
 * @param {string} base
 * @param {readonly FxRate[]} rates those of the end of yesterday
 * @param {number} now
 * @returns {Map<string, Reference>}
 */
export function closesOfRates(base, rates, now) {
  const recent = rates.filter(({ timestamp }) => now - Date.parse(timestamp) < CLOSE_WITHIN_MS)
  return new Map(
    recent.map(({ currency, rate, timestamp }) => [
      `${base}-${currency}`,
      { price: rate, at: timestamp, isClose: true },
    ]),
  )
}

/**
 * A point of a line.
 *
 * @param {number} at
 * @param {string} price
 * @returns {PricePoint}
 */
export const pointAt = (at, price) => [at, Number(price)]

/**
 * The line of a price: its last hours, and what the page has seen since. It begins where the change does, or with the price that
 * the change is against if that is older.
 *
 * @param {Hours | undefined} hours
 * @param {Reference} reference
 * @param {readonly PricePoint[]} seen
 */
export function linePoints(hours, reference, seen) {
  const known = hours?.points ?? []
  const until = known.at(-1)?.[0] ?? -Infinity
  const points = [...known, ...seen.filter(([at]) => at > until)]
  const from = points[0]?.[0] ?? -Infinity
  return Date.parse(reference.at) < from ? [pointAt(from, reference.price), ...points] : points
}

/**
 * Since when the changes of a table are, in words.
 *
 * @param {readonly Reference[]} references
 */
export function changesSince(references) {
  const sorted = (/** @type {boolean} */ isClose) =>
    references.flatMap((one) => (one.isClose === isClose ? one.at : [])).sort()
  const closes = sorted(true).map((at) => dayName(at.slice(0, 10)))
  const days = [...new Set([closes[0], closes.at(-1)])].join(' to ')
  const texts = [
    ...(closes.length > 0 ? [`the last price of ${days}`] : []),
    ...sorted(false)
      .slice(0, 1)
      .map((at) => `${minuteName(at)} UTC`),
  ]
  return texts.length > 0 ? `change since ${texts.join(', in italics since ')}` : ''
}

/**
 * The change of a price and what it is against, both in words; undefined if the price is itself what it would be against.
 *
 * @param {{ readonly price: string, readonly timestamp: string }} quote
 * @param {Reference} reference
 */
export function changeAgainst({ price, timestamp }, reference) {
  const { price: before, at, isClose } = reference
  const change = timestamp > at ? changeInPercent(price, before) : undefined
  const against = isClose
    ? `the last price of ${dayName(at.slice(0, 10))}`
    : `the first price since ${minuteName(at)} UTC`
  return change === undefined ? undefined : { change, against: `against ${groupedDecimal(before)}, ${against}` }
}
