/**
 * The prices that have arrived, by symbol. Pure: a message in, the row that it changed out.
 *
 * @import { FxRate, SpotPrice } from './bodies.d.ts'
 * @import { PricePoint, Reference } from './price-past.js'
 *
 * @typedef {{
 *   readonly symbol: string,
 *   readonly price: string,
 *   readonly first: Reference,
 *   readonly timestamp: string,
 *   readonly stale: boolean,
 *   readonly move: -1 | 0 | 1,
 *   readonly seen: readonly PricePoint[],
 * }} QuoteRow `first`: the first price since the page was opened; `move`: the sign of the last change
 *
 * @typedef {{ type: 'commodity', spot: SpotPrice } | { type: 'fx', base: string, market_session: string, rate: FxRate }} PriceMessage
 */
import { ageName } from './periods.js'
import { pointAt } from './price-past.js'

/** Prices that a spark line keeps. */
const KEPT = 90
/** Age of the newest price from which on prices are not called live. */
const LIVE_WITHIN_MS = 120_000

/**
 * @param {QuoteRow | undefined} before the row of the same symbol
 * @param {PriceMessage} message
 * @returns {QuoteRow}
 */
export function quoteRow(before, message) {
  const { symbol, price, timestamp, stale } = quoteIn(message)
  const change = before ? Number(price) - Number(before.price) : 0
  return {
    symbol,
    price,
    first: before?.first ?? { price, at: timestamp, isClose: false },
    timestamp,
    stale,
    move: change > 0 ? 1 : change < 0 ? -1 : 0,
    seen: [...(before?.seen ?? []), pointAt(Date.parse(timestamp), price)].slice(-KEPT),
  }
}

/** @param {PriceMessage} message */
function quoteIn(message) {
  if (message.type === 'commodity') return message.spot
  const { base, rate } = message
  return { ...rate, symbol: `${base}-${rate.currency}`, price: rate.rate }
}

/**
 * How old the prices of a board are, in words.
 *
 * @param {readonly QuoteRow[]} rows
 * @param {number} now
 * @returns {{ isLive: boolean, text: string }} `isLive`: one of them is new
 */
export function boardAge(rows, now) {
  const ages = rows.map(({ timestamp }) => now - Date.parse(timestamp))
  const [least, greatest] = [Math.min(...ages), Math.max(...ages)]
  const isLive = least < LIVE_WITHIN_MS
  if (rows.length === 0 || greatest < LIVE_WITHIN_MS) return { isLive, text: '' }
  const [newest, oldest] = [least, greatest].map(ageName)
  return { isLive, text: newest === oldest ? `prices ${oldest} old` : `prices ${newest} to ${oldest} old` }
}
