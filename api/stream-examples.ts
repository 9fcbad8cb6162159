import { examples } from './examples.ts'

const bodyOf = (id: string) => examples[id]?.body
// The example of fx_get_rates has a list of rates.
const [rate] = (bodyOf('fx_get_rates') as { rates?: readonly object[] } | undefined)?.rates ?? []
const cursor = 'v1.DWZG11siZSIsIm…'
const as_of = '2026-08-17T09:00:00.000Z'

/** An example of each stream message, by the name of its schema. A test checks each against its schema. */
export const streamExamples: Readonly<Record<string, object>> = {
  Ping: { action: 'ping' },
  SubscribePrices: {
    action: 'subscribe',
    commodities: [{ commodity: 'XAU', currency: 'EUR' }],
    fx: [{ base: 'EUR', currencies: ['USD', 'JPY'] }],
  },
  SubscribeEvents: { action: 'subscribe', families: ['output'], countries: ['USA'], cursor: 'earliest' },
  SubscribePredictions: { action: 'subscribe', countries: ['USA', 'DEU'] },
  Ready: { type: 'ready' },
  Subscribed: { type: 'subscribed' },
  Pong: { type: 'pong' },
  Heartbeat: { type: 'heartbeat', as_of },
  PricesError: { type: 'error', code: 'currency_not_supported' },
  PredictionsError: { type: 'error', code: 'invalid_frame', detail: '/indicators must be array.' },
  EventsError: { type: 'error', code: 'cursor_expired', resume_cursor: cursor },
  CommodityPrice: { type: 'commodity', spot: bodyOf('commodities_get_spot') },
  FxPrice: { type: 'fx', base: 'EUR', market_session: 'open', rate },
  EventsSubscribed: { type: 'subscribed', cursor, countries: ['USA'], families: ['output'], types: null },
  EventMessage: { type: 'event', event: bodyOf('events_get') },
  Checkpoint: { type: 'checkpoint', cursor },
  CaughtUp: { type: 'caught_up', cursor },
  EventsHeartbeat: { type: 'heartbeat', as_of, cursor },
  Notice: { type: 'notice', code: 'going_away', cursor, reconnect_in_ms: 1_000 },
  PredictionMessage: {
    type: 'prediction',
    prediction: {
      country: 'USA',
      indicator: 'cpi',
      figure: 'value',
      period: '2026-08',
      value: '330.1',
      lower: '329.4',
      upper: '330.8',
      unit: 'index',
      method: 'seasonal_naive_drift',
      computed: true,
      made_at: as_of,
      scored: null,
    },
  },
}
