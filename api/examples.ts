import { type StreamName, streamPath } from '../contracts/streams.ts'
import type { Example } from './example.ts'
import { historyExamples } from './history-examples.ts'

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
const gdpOfSeries = {
  measure: 'gdp',
  transformation: '',
  unit: 'USD',
  series: 'USA.gdp.Q.FRED.GDP.USD.SA.annualized',
  source: 'FRED',
  base_period: '',
  base_value: '',
  seasonal_adjustment: 'seasonally_adjusted',
  annualization: 'annualized',
}
const event = {
  specversion: '1.0',
  id: 'evt_M9NCH9Q3K6BG3J6556C5VVGNJQ',
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

const at = '2026-10-17T09:00:00.000Z'
const unemployment = {
  series: 'USA.unemployment.M.FRED.UNRATE.percent.SA',
  country: 'USA',
  country_name: 'United States',
  indicator: 'unemployment',
  indicator_name: 'Unemployment rate',
  publisher: 'U.S. Bureau of Labor Statistics, through FRED',
  source: 'FRED',
  dataset: 'UNRATE',
  licence: 'Public domain',
  unit: 'percent',
  multiplier: '1',
  frequency: 'M',
  seasonal_adjustment: 'seasonally_adjusted',
  annualization: 'not_annualized',
  base_period: '',
  base_value: '',
  derivation: '',
  is_served: true,
  first_period: '2000-01',
  last_period: '2026-07',
  observations: 318,
  vintages: 345,
  last_released_on: '2026-08-07',
  last_released_on_basis: 'copy',
  last_recorded_at: at,
  latest_period: '2026-07',
  periods_ended_since: 3,
  next_period: '2026-08',
  next_expected_on: '2026-12-01',
  next_expected_on_basis: 'standard',
  days_late: 0,
  link: '/v1/economics/USA/unemployment/observations?frequency=M',
  last_fetched_at: at,
}
const abs = {
  publisher: 'Australian Bureau of Statistics',
  url: 'https://www.abs.gov.au/statistics/economy/international-trade/international-trade-goods',
  licence: 'CC BY 4.0',
}
const tradeFigures = { exports: '47064000000', imports: '45400000000', balance: '1664000000' }

const gdpSeries = { country: 'USA', indicator: 'gdp', series: 'USA.gdp.Q.FRED.GDP.USD.SA.annualized' }
const calendarFeed = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  '…',
  'BEGIN:VEVENT',
  'UID:cal_SMZ0P17VZ8N776HVYW6WMWPQTC@almanac',
  'DTSTART;VALUE=DATE:20261028',
  'SUMMARY:GDP\\, United States\\, Q3 2026 (day estimated)',
  '…',
  'END:VEVENT',
  'END:VCALENDAR',
]

const unstated = { stated_at: null, reason: null }
const gdpFigure = { unit: 'USD', figure: 'value' }

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
      year_over_year: '12.9',
      quarter_over_quarter: '-0.1',
      year_to_date: '6.4',
      unit: 'percent',
      price_basis: 'constant',
      seasonal_adjustment: 'seasonally_adjusted',
      annualization: 'not_annualized',
      released_on: '2025-11-28',
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
  catalog_list: {
    query: { country: 'USA', indicator: 'unemployment' },
    body: { series: [unemployment], as_of: at },
  },
  catalog_countries: {
    body: {
      countries: [
        {
          code: 'SGP',
          alpha2: 'SG',
          numeric: '702',
          name: 'Singapore',
          indicators: [
            'cpi',
            'inflation',
            'unemployment',
            'labour-force-participation',
            'trade',
            'trade-exports',
            'trade-imports',
          ],
        },
      ],
    },
  },
  catalog_indicators: {
    body: {
      indicators: [
        {
          code: 'gdp',
          name: 'Gross domestic product at current prices',
          description: 'The size of the economy in a quarter, in whole units of `currency` …',
          family: 'output',
          figures: ['value'],
          unit: 'currency',
          path: '/v1/economics/{country}/gdp',
          countries: ['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'MYS', 'NLD', 'USA'],
        },
      ],
    },
  },
  catalog_instruments: {
    body: {
      instruments: [
        {
          code: 'XAU',
          kind: 'commodity',
          name: 'Gold',
          unit: 'troy_ounce',
          currency: 'USD',
          stale_after_seconds: 60,
          market: 'COMMODITIES',
        },
        {
          code: 'EUR',
          kind: 'currency',
          name: 'Euro',
          unit: null,
          currency: null,
          stale_after_seconds: 60,
          market: 'FX',
        },
      ],
    },
  },
  catalog_plans: {
    body: {
      plans: [
        {
          code: 'free',
          calls_per_month: 5000,
          calls_per_minute: 30,
          concurrent_streams: 1,
          prices_stream: false,
          families: ['inflation', 'labour', 'output', 'trade', 'predictions'],
        },
      ],
    },
  },
  releases_get: {
    params: { release_id: 'rel_YCBZ6RNMPSQ7V0NKYWTTB0G8PV' },
    body: {
      release_id: 'rel_YCBZ6RNMPSQ7V0NKYWTTB0G8PV',
      country: 'AUS',
      indicator: 'trade',
      series: {
        id: 'AUS.trade.M.ABS.A2718577A+A2718603V.AUD.SA.trade_from_flows',
        indicator: 'trade',
        country: 'AUS',
        frequency: 'M',
        source: 'ABS',
        dataset: 'A2718577A+A2718603V',
        unit: 'AUD',
        seasonal_adjustment: 'seasonally_adjusted',
        annualization: 'not_annualized',
        base_period: '',
        base_value: '',
        derivation: 'trade_from_flows',
      },
      period: '2026-04',
      figures: tradeFigures,
      printed: null,
      revises: null,
      revised_by: null,
      released_on: '2026-08-10',
      released_on_basis: 'copy',
      recorded_at: at,
      late: false,
      redates: null,
      voids: null,
      is_current: true,
      is_voided: false,
      is_served: true,
      provenance: null,
      approval: null,
      derivation: 'trade_from_flows',
      inputs: [
        {
          release_id: 'rel_S54ET8FEBZJJ0RZRB5127676KA',
          indicator: 'trade-exports',
          period: '2026-04',
          figures: { value: tradeFigures.exports },
          provenance: {
            ...abs,
            retrieved_at: null,
            sha256: '3bad03de36d4939baaf7496412c4b37a681eab2f6c89e5832e686fd313c08bb0',
            location: 'line 334',
            copy: {
              holder: 'github.com/Allisterh/nowcasting-Australia',
              url: 'https://github.com/Allisterh/nowcasting-Australia/blob/896db43fe2bac63d3a8a980c2b04d6ce9a6474ba/nowcasting_v2/data_raw/export.csv',
              revision: '896db43fe2bac63d3a8a980c2b04d6ce9a6474ba',
              held_on: '2026-08-10',
              is_transcribed: false,
            },
            file: {
              name: 'trade-exports-AUS-abs.csv',
              sha256: 'cb893ec3cf3b7898ae2b020624a6214c209da77ad957fe79c52c8ed1c7a5a8a9',
            },
          },
          link: '/v1/releases/rel_S54ET8FEBZJJ0RZRB5127676KA',
        },
        {
          release_id: 'rel_E0VGAHGP3CC478KZ9NMY8MJN0C',
          indicator: 'trade-imports',
          period: '2026-04',
          figures: { value: tradeFigures.imports },
          provenance: {
            ...abs,
            retrieved_at: null,
            sha256: '49b87fca549182c76ac434906ee96548015aebfca38e617e76707a7b958a5719',
            location: 'line 334',
            copy: {
              holder: 'github.com/Allisterh/nowcasting-Australia',
              url: 'https://github.com/Allisterh/nowcasting-Australia/blob/b262941d4d690015bf9768f54a35f0fdf16d78a1/nowcasting_v2/data_raw/import.csv',
              revision: 'b262941d4d690015bf9768f54a35f0fdf16d78a1',
              held_on: '2026-06-11',
              is_transcribed: false,
            },
            file: {
              name: 'trade-imports-AUS-abs.csv',
              sha256: '0de29585d8974ce0b4e47d39827bfa7f138b101df32549dab09c6682b82b9a32',
            },
          },
          link: '/v1/releases/rel_E0VGAHGP3CC478KZ9NMY8MJN0C',
        },
      ],
      event: { id: 'evt_75X8VZ22V92VJ6J6F4CGVBCAH4', sequence: '00000000000000010704', time: at },
      link: '/v1/economics/AUS/trade?period=2026-04',
    },
  },
  panel_get: {
    query: { country: 'USA', indicator: 'gdp', frequency: 'Q', start: '2023-Q4', end: '2024-Q1' },
    body: 'period,USA.gdp\r\n2023-Q4,28424722000000\r\n2024-Q1,28708161000000\r\n',
  },
  claims_verify: {
    query: { country: 'USA', indicator: 'gdp', period: '2024-Q1', value: '28.28 trillion' },
    body: {
      country: 'USA',
      indicator: 'gdp',
      period: '2024-Q1',
      claim: { text: '28.28 trillion', value: '28280000000000', tolerance: '5000000000', unit: 'amount' },
      verdict: 'former',
      prints: [
        {
          ...gdpOfSeries,
          value: '28284498000000',
          released_on: '2024-04-25',
          released_on_basis: 'publisher',
          release_id: 'rel_BXFKKEDHB3SYA9AV6P5E8G15P4',
          link: '/v1/releases/rel_BXFKKEDHB3SYA9AV6P5E8G15P4',
          is_current: false,
          is_served: false,
          replaced_on: '2024-05-30',
          replaced_by: 'rel_GSKKBJM29YXEJMBAMQTFM3HRJ7',
          replacing_value: '28255928000000',
        },
      ],
      served: [
        {
          ...gdpOfSeries,
          value: '28708161000000',
          released_on: '2026-07-30',
          released_on_basis: 'copy',
          release_id: 'rel_KW6EQBRZJZSRCYV5S88YVHFNC3',
          link: '/v1/releases/rel_KW6EQBRZJZSRCYV5S88YVHFNC3',
        },
      ],
      as_of: at,
    },
  },
  search: {
    query: { q: 'jobless rate Germany', limit: '2' },
    body: {
      query: 'jobless rate Germany',
      hits: [
        {
          kind: 'figures',
          name: 'Unemployment rate (Germany)',
          country: 'DEU',
          indicator: 'unemployment',
          instrument: null,
          publishers_id: null,
          series: null,
          is_served: true,
          frequencies: [
            { frequency: 'M', first_period: '2000-01', last_period: '2025-04' },
            { frequency: 'Q', first_period: '2000-Q1', last_period: '2022-Q4' },
            { frequency: 'A', first_period: '2000', last_period: '2022' },
          ],
          operation: 'economics_get_unemployment',
          link: '/v1/economics/DEU/unemployment',
          matched: 'name',
          note: null,
        },
        {
          kind: 'indicator',
          name: 'Unemployment rate',
          country: null,
          indicator: 'unemployment',
          instrument: null,
          publishers_id: null,
          series: null,
          is_served: true,
          frequencies: [],
          operation: 'catalog_list',
          link: '/v1/catalog?indicator=unemployment',
          matched: 'name',
          note: null,
        },
      ],
      hits_found: 3,
      unknown_words: [],
    },
  },
  calendar_list: {
    query: { country: 'USA', indicator: 'gdp', start: '2026-07-01' },
    body: {
      entries: [
        {
          ...gdpSeries,
          period: '2026-Q2',
          status: 'published',
          expected_on: '2026-07-28',
          expected_on_basis: 'lag',
          expected_at: null,
          published_on: '2026-07-30',
          published_on_basis: 'copy',
          release_id: 'rel_WN815WN3AREYRKRTKG7VKR9K4Y',
          ...unstated,
          days_late: 2,
          ...gdpFigure,
          actual: '32475210000000',
          previous: '31865721000000',
          previous_revised: null,
          title: 'GDP, United States, Q2 2026',
          publisher: 'U.S. Bureau of Economic Analysis, through FRED',
        },
        {
          ...gdpSeries,
          period: '2026-Q3',
          status: 'expected',
          expected_on: '2026-10-28',
          expected_on_basis: 'lag',
          expected_at: null,
          published_on: null,
          published_on_basis: null,
          release_id: null,
          ...unstated,
          days_late: 0,
          ...gdpFigure,
          actual: null,
          previous: null,
          previous_revised: null,
          title: 'GDP, United States, Q3 2026',
          publisher: 'U.S. Bureau of Economic Analysis, through FRED',
        },
      ],
      next_cursor: null,
      as_of: at,
    },
  },
  calendar_ics: { query: { country: 'USA', indicator: 'gdp' }, body: calendarFeed.join('\r\n') },
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
  prices_list_candles_of_pairs: {
    query: { symbol: 'EUR-USD', interval: '1d', start: '2026-04-10' },
    body: {
      pairs: [
        {
          symbol: 'EUR-USD',
          interval: '1d',
          derived: false,
          candles: [candle('2026-04-10T00:00:00.000Z', '1.1711'), candle('2026-04-13T00:00:00.000Z', '1.1684')],
          as_of: '2026-04-13T12:15:00.000Z',
        },
      ],
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
