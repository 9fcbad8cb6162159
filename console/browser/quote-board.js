/**
 * The prices that have arrived, by symbol. Pure: a message and a time in, the row that it changed out.
 *
 * @import { FxRate, SpotPrice } from './bodies.d.ts'
 *
 * @typedef {{
 *   readonly symbol: string,
 *   readonly price: string,
 *   readonly first: string,
 *   readonly timestamp: string,
 *   readonly stale: boolean,
 *   readonly session: string,
 *   readonly move: -1 | 0 | 1,
 *   readonly seen: readonly number[],
 *   readonly arrived: number,
 * }} QuoteRow `first`: the first price since the page was opened; `move`: the sign of the last change
 *
 * @typedef {{ type: 'commodity', spot: SpotPrice } | { type: 'fx', base: string, market_session: string, rate: FxRate }} PriceMessage
 */

/** Prices that a spark line keeps. */
const KEPT = 90

/**
 * @param {QuoteRow | undefined} before the row of the same symbol
 * @param {PriceMessage} message
 * @param {number} now
 * @returns {QuoteRow}
 */
export function quoteRow(before, message, now) {
  const { symbol, price, timestamp, stale, session } = quoteIn(message)
  const change = before ? Number(price) - Number(before.price) : 0
  return {
    symbol,
    price,
    first: before?.first ?? price,
    timestamp,
    stale,
    session,
    move: change > 0 ? 1 : change < 0 ? -1 : 0,
    seen: [...(before?.seen ?? []), Number(price)].slice(-KEPT),
    arrived: now,
  }
}

/** @param {PriceMessage} message */
function quoteIn(message) {
  if (message.type === 'commodity') {
    const { symbol, price, timestamp, stale } = message.spot
    return { symbol, price, timestamp, stale, session: '' }
  }
  const { base, market_session, rate } = message
  const { currency, rate: price, timestamp, stale } = rate
  return { symbol: `${base}-${currency}`, price, timestamp, stale, session: market_session }
}
