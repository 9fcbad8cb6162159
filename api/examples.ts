import { type StreamName, streamPath } from '../contracts/streams.ts'
import { catalogExamples } from './catalog-examples.ts'
import type { Example } from './example.ts'
import { historyExamples } from './history-examples.ts'
import { calendarExamples, releaseExamples } from './release-examples.ts'

const usa = { params: { country: 'USA' } }
const gdp = {
  country: 'USA',
  period: '2026-Q2',
  value: '32475210000000',
  currency: 'USD',
  price_basis: 'current',
  seasonal_adjustment: 'seasonally_adjusted',
  annualization: 'annualized',
  released_on: '2026-07-30',
}
const event = {
  specversion: '1.0',
  id: 'evt_0KXQEC89FX7C9BTPFEEW3SS7BT',
  source: '/almanac/output',
  type: 'economics.release.published',
  subject: 'USA/gdp/2026-Q2',
  time: '2026-07-30T12:30:00.000Z',
  datacontenttype: 'application/json',
  dataschema: 'urn:almanac:schema:Gdp',
  family: 'output',
  sequence: '00000000000000000013',
  data: gdp,
  cursor: 'v1.DWZG11siZSIsIm…',
  country: 'USA',
}
const flow = (direction: string, value: string) => ({
  ...usa,
  body: {
    country: 'USA',
    period: '2026-06',
    flow: direction,
    value,
    currency: 'USD',
    coverage: 'merchandise',
    partner: null,
    product: null,
    released_on: '2026-09-24',
  },
})
const ticket = (stream: StreamName): Example => {
  const [origin, text] = ['https://app.example.com', 'kJ0sTqgV8tX2mYw4ZcB6nR1pLhE9dFuA3iOyWxQvN7M']
  return {
    sent: { origin },
    body: {
      ticket: text,
      stream,
      origin,
      expires_at: '2026-08-17T09:00:30.000Z',
      url: `wss://stream.example.com${streamPath(stream)}?ticket=${text}`,
    },
  }
}
/** A day with a single reference rate. */
const candle = (start: string, price: string) => ({
  start,
  open: price,
  high: price,
  low: price,
  close: price,
  ticks: 1,
  sources: ['ECB'],
})

/**
 * Example of each operation. The figures come from the bundled sample (see sample/README.md for their publishers); prices
 * and events show the shape. A test checks each against its schemas.
 */
export const examples: Readonly<Record<string, Example>> = {
  health_health_get: {
    body: {
      status: 'ok',
      version: '0.3.0',
      journal: 'ok',
      read_models: 'ok',
      access: 'ok',
      data_as_of: '2026-08-17T09:00:00.000Z',
    },
  },
  economics_get_cpi: {
    ...usa,
    body: {
      country: 'USA',
      period: '2026-03',
      value: '330.213',
      base_period: '1982/1984',
      base_value: '100',
      released_on: '2026-04-17',
    },
  },
  economics_get_inflation: {
    ...usa,
    query: { period: '2025-03' },
    body: {
      country: 'USA',
      period: '2025-03',
      year_over_year: '2.4',
      month_over_month: '0.2',
      year_to_date: '1.3',
      unit: 'percent',
      released_on: '2026-04-17',
    },
  },
  economics_get_unemployment: {
    ...usa,
    body: { country: 'USA', period: '2026-07', rate: '4.1', unit: 'percent', released_on: '2026-08-07' },
  },
  economics_get_labour_force_participation: {
    ...usa,
    body: { country: 'USA', period: '2025-11', rate: '62.5', unit: 'percent', released_on: '2026-01-02' },
  },
  economics_get_gdp: { ...usa, body: gdp },
  economics_get_gdp_growth: {
    params: { country: 'CAN' },
    query: { period: '2021-Q2' },
    body: {
      country: 'CAN',
      period: '2021-Q2',
      year_over_year: '12.722730786',
      quarter_over_quarter: '-0.288515745',
      year_to_date: null,
      unit: 'percent',
      price_basis: 'constant',
      seasonal_adjustment: 'seasonally_adjusted',
      annualization: 'not_annualized',
      released_on: '2021-10-17',
    },
  },
  economics_get_trade: {
    ...usa,
    body: {
      country: 'USA',
      period: '2026-06',
      exports: '205407000000',
      imports: '306813000000',
      balance: '-101406000000',
      currency: 'USD',
      coverage: 'merchandise',
      released_on: '2026-09-24',
    },
  },
  economics_get_trade_exports: flow('export', '205407000000'),
  economics_get_trade_imports: flow('import', '306813000000'),
  ...historyExamples,
  ...catalogExamples,
  ...releaseExamples,
  ...calendarExamples,
  commodities_get_spot: {
    params: { commodity: 'XAU', currency: 'EUR' },
    body: {
      symbol: 'XAU-EUR',
      price: '3534.9138',
      currency: 'EUR',
      unit: 'troy_ounce',
      timestamp: '2026-08-17T09:00:00.000Z',
      stale: false,
    },
  },
  fx_get_rates: {
    params: { base: 'EUR' },
    body: {
      base: 'EUR',
      market_session: 'open',
      rates: [{ currency: 'USD', rate: '1.1684', timestamp: '2026-04-13T12:15:00.000Z', stale: false }],
    },
  },
  prices_list_candles: {
    params: { symbol: 'EUR-USD' },
    query: { interval: '1d', start: '2026-04-10', limit: '2' },
    body: {
      symbol: 'EUR-USD',
      interval: '1d',
      derived: false,
      candles: [candle('2026-04-10T00:00:00.000Z', '1.1711'), candle('2026-04-13T00:00:00.000Z', '1.1684')],
      next_cursor: null,
      as_of: '2026-04-13T12:15:00.000Z',
    },
  },
  prices_list_ticks: {
    params: { symbol: 'EUR-USD' },
    query: { start: '2026-04-13' },
    body: {
      symbol: 'EUR-USD',
      ticks: [
        {
          observed_at: '2026-04-13T12:15:00.000Z',
          price: '1.1684',
          source: 'ECB',
          recorded_at: '2026-08-17T09:00:00.000Z',
        },
      ],
      next_cursor: null,
      as_of: '2026-08-17T09:00:00.000Z',
    },
  },
  events_list: {
    query: { family: 'output', limit: '10' },
    body: { events: [event], next_cursor: event.cursor, has_more: false, as_of: event.time },
  },
  events_export: { query: { family: 'output', start: '2026-09-01' }, body: event },
  events_get: { params: { event_id: event.id }, body: event },
  prices_create_stream_ticket: ticket('prices'),
  events_create_stream_ticket: ticket('events'),
  predictions_create_stream_ticket: ticket('predictions'),
  account_get_usage: {
    body: {
      plan: 'basic',
      month: '2026-08',
      used: 1204,
      remaining: 98796,
      streams_open: 1,
      limits: { calls_per_month: 100000, calls_per_minute: 120, concurrent_streams: 2 },
    },
  },
}

/** The text of an example, converted to the JSON type of its schema. */
export const exampleOf = (type: unknown, text: string): unknown =>
  type === 'integer' ? Number(text) : type === 'array' ? [text] : text
