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

/** Errors of a stream after which it is worth connecting again; the others are the client's to correct. */
const passing = ['unavailable', 'slow_consumer', 'subscribe_required', 'stream_limit', 'quota_unavailable', 'revoked']

/**
 * How long to wait before connecting again, in milliseconds: longer each time, and random, so that pages do not come back all
 * at once. Undefined: never.
 *
 * @param {string | undefined} code of the error that ended the stream
 * @param {number} attempt attempts since the last one that succeeded
 * @param {number} random from 0 to 1
 */
export function reconnectDelay(code, attempt, random) {
  if (code !== undefined && !passing.includes(code)) return undefined
  const least = code === 'quota_unavailable' ? 60_000 : Math.min(30_000, 1000 * 2 ** attempt)
  return least * (1 + random)
}
