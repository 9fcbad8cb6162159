import { dataSchema } from '../contracts/event-data.ts'
import { type MarketCode, marketOf, markets } from '../contracts/instruments.ts'
import type { Quote, Session, Signal } from '../contracts/records.ts'
import type { MarketSessionChange, SourceInterruption } from '../contracts/resources.ts'
import { derivedId } from './ids.ts'
import { PriceBoard } from './price-board.ts'

/**
 * Signals about decisions of the quotes processor. The time of a signal is the record time of the tick on which the
 * processor decided: when the change was noticed. When a session began by the calendar is in the signal's data.
 */
const familyOf = { FX: 'fx', COMMODITIES: 'commodities' } as const satisfies Record<MarketCode, string>

/** Signal of a quote that has become stale or current again. Its data is the body that REST serves for this quote. */
export function instrumentSignal(quote: Quote, transition: 'stale' | 'recovered', at: number): Signal {
  const { symbol, tick_partition, tick_offset } = quote
  const type = `prices.instrument.${transition}`
  const market = marketOf(symbol)
  const identity = [symbol, String(tick_partition), String(tick_offset)] as const
  return signalOf(type, identity, familyOf[market], market === 'FX' ? 'FxRates' : 'SpotPrice', bodyOf(quote, at), at)
}

function bodyOf(quote: Quote, at: number) {
  const board = new PriceBoard()
  board.apply(quote)
  const [base = '', currency = ''] = quote.symbol.split('-')
  if (marketOf(quote.symbol) !== 'FX') return board.spot(base, currency, new Date(at))
  const { market_session, rate } = board.fxRate(base, currency, new Date(at)) ?? {}
  return { base, market_session, rates: [rate] }
}

/** Signal of a market that has opened or closed. `until` and `at` are UTC milliseconds. */
export function sessionSignal({ market, market_session, since }: Session, until: number, at: number): Signal {
  // A cast, because only sessions of known markets are ever recorded.
  const code = market as MarketCode
  const type = `prices.session.${market_session === 'open' ? 'opened' : 'closed'}`
  const { name } = markets[code]
  const data: MarketSessionChange = { market, name, market_session, since, until: new Date(until).toISOString() }
  return signalOf(type, [market, since], familyOf[code], 'MarketSessionChange', data, at)
}

/** Signal of an outage of a source, once it is over. `at` is UTC milliseconds: when that was established. */
export function outageSignal(data: SourceInterruption, at: number): Signal {
  const { source, since, until } = data
  return signalOf('prices.source.interrupted', [source, since, until], 'prices', 'SourceInterruption', data, at)
}

/** `identity`: what the signal is about, then what tells it from others of its type. `at` is UTC milliseconds. */
const signalOf = (
  type: string,
  identity: readonly [about: string, ...string[]],
  family: string,
  schema: string,
  data: object | undefined,
  at: number,
): Signal => ({
  signal_id: derivedId('sig', type, ...identity),
  key: identity[0],
  type,
  family,
  country: null,
  subject: identity[0],
  time: new Date(at).toISOString(),
  dataschema: dataSchema(schema),
  data: JSON.stringify(data),
})
