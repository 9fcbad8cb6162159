import Type from 'typebox'
import { Event, EventPage, eventFamilies, eventTypes } from './events.ts'
import { indicators, type ServedIndicator } from './indicators.ts'
import { plans } from './plans.ts'
import type { ProblemCode } from './problems.ts'
import * as resources from './resources.ts'
import {
  AnyPeriod,
  CountryCode,
  CurrencyCode,
  MonthPeriod,
  QuarterPeriod,
  strict,
  YearOrMonthPeriod,
} from './scalars.ts'
import { type StreamName, streamNames } from './streams.ts'
import { StreamTicket, StreamTicketRequest } from './tickets.ts'

/**
 * Every operation once: its address, its parameters, its answer and the problems it can end in. Routes, OpenAPI, MCP
 * tools and the tests that compare them are made from this table.
 */
export type Operation = {
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Path with {parameters}, as OpenAPI writes it. */
  readonly path: string
  readonly summary: string
  readonly tag: string
  /** `none`: open. `key`: bearer key, not charged. `charged`: bearer key, one call of the monthly quota. */
  readonly access: 'none' | 'key' | 'charged'
  readonly params: Type.TObject
  readonly query: Type.TObject
  /** What is sent, as JSON; absent where nothing is. */
  readonly body?: Type.TObject
  readonly response: Type.TSchema
  readonly problems: readonly ProblemCode[]
}

const none = strict({})
const always = [
  'invalid_path',
  'invalid_query',
  'unauthorized',
  'rate_limited',
  'quota_exhausted',
  'unavailable',
] as const
const country = strict({ country: CountryCode })

const periodOf: Readonly<Record<ServedIndicator, Type.TSchema>> = {
  cpi: MonthPeriod,
  inflation: MonthPeriod,
  unemployment: AnyPeriod,
  'labour-force-participation': AnyPeriod,
  gdp: QuarterPeriod,
  'gdp-growth': QuarterPeriod,
  trade: YearOrMonthPeriod,
  'trade-exports': YearOrMonthPeriod,
  'trade-imports': YearOrMonthPeriod,
}
const tradeFilters = {
  partner: Type.Optional(CountryCode),
  product: Type.Optional(resources.ProductCode),
  classification: Type.Optional(resources.Classification),
}

const indicatorOperation = (indicator: ServedIndicator): Operation => {
  const { operationId, path, summary, resource } = indicators[indicator]
  const filtered = indicator === 'trade-exports' || indicator === 'trade-imports'
  return {
    id: operationId,
    method: 'GET',
    path: `/v1/economics/{country}/${path}`,
    summary: `${summary}: the latest complete release, or that of one period`,
    tag: 'Economics',
    access: 'charged',
    params: country,
    query: strict({ period: Type.Optional(periodOf[indicator]), ...(filtered ? tradeFilters : {}) }),
    response: resource,
    problems: [...always, 'no_complete_publication', ...(filtered ? (['not_yet_published'] as const) : [])],
  }
}

export const ticketOperationId = (stream: StreamName): string => `${stream}_create_stream_ticket`

const ticketOperation = (stream: StreamName): Operation => {
  const barred = stream === 'prices' && Object.values(plans).some(({ pricesStream }) => !pricesStream)
  return {
    id: ticketOperationId(stream),
    method: 'POST',
    path: `/v1/${stream}/stream-ticket`,
    summary: `A single-use ticket with which a web page opens the ${stream} stream`,
    tag: 'Streams',
    access: 'key',
    params: none,
    query: none,
    body: StreamTicketRequest,
    response: StreamTicket,
    problems: [
      'invalid_query',
      'invalid_body',
      'body_too_large',
      'unsupported_media_type',
      'unauthorized',
      'rate_limited',
      ...(barred ? (['plan_upgrade_required'] as const) : []),
      'origin_not_allowed',
      'unavailable',
    ],
  }
}

/** A query parameter that may be repeated. */
const repeatable = (item: Type.TSchema) => Type.Optional(Type.Array(item, { minItems: 1, maxItems: 64 }))
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 }))
const cursor = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 512,
    description: 'The next_cursor of the page before; alone, or with the same start and end. Any limit may go with it',
  }),
)

const oneOf = <const L extends readonly string[]>(list: L) => Type.Union(list.map((item) => Type.Literal(item)))

const indicatorOperations = (Object.keys(indicators) as (keyof typeof indicators)[])
  .filter((indicator): indicator is ServedIndicator => indicators[indicator].path !== null)
  .map(indicatorOperation)

export const operations: readonly Operation[] = [
  {
    id: 'health_health_get',
    method: 'GET',
    path: '/health',
    summary: 'Is the service well, and how fresh is what it serves',
    tag: 'Service',
    access: 'none',
    params: none,
    query: none,
    response: resources.Health,
    problems: ['invalid_query'],
  },
  ...indicatorOperations,
  {
    id: 'economics_get_trade_exports_history',
    method: 'GET',
    path: '/v1/economics/{country}/trade/exports/observations',
    summary: 'History of merchandise exports, page by page from one snapshot',
    tag: 'Economics',
    access: 'charged',
    params: country,
    query: strict({
      start: Type.Optional({ ...YearOrMonthPeriod, description: 'First period, inclusive; a year means its January' }),
      end: Type.Optional({ ...YearOrMonthPeriod, description: 'Last period, inclusive; a year means its December' }),
      limit,
      cursor,
    }),
    response: resources.ObservationList,
    problems: [
      ...always,
      'no_complete_publication',
      'cursor_invalid',
      'cursor_mismatch',
      'cursor_foreign',
      'cursor_expired',
    ],
  },
  {
    id: 'commodities_get_spot',
    method: 'GET',
    path: '/v1/commodities/spot/{commodity}/{currency}',
    summary: 'Spot price of a commodity in a currency',
    tag: 'Prices',
    access: 'charged',
    params: strict({
      commodity: Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,15}$', description: 'Commodity code, e.g. XAU' }),
      currency: CurrencyCode,
    }),
    query: none,
    response: resources.SpotPrice,
    problems: [...always, 'commodity_not_supported', 'currency_not_supported', 'price_unavailable'],
  },
  {
    id: 'fx_get_rates',
    method: 'GET',
    path: '/v1/fx/rates/{base}',
    summary: 'Exchange rates of a base currency',
    tag: 'Prices',
    access: 'charged',
    params: strict({ base: CurrencyCode }),
    query: none,
    response: resources.FxRates,
    problems: [...always, 'currency_not_supported', 'price_unavailable'],
  },
  {
    id: 'events_list',
    method: 'GET',
    path: '/v1/events',
    summary: 'The public event journal, page by page from a cursor',
    tag: 'Events',
    access: 'charged',
    params: none,
    query: strict({
      country: repeatable(CountryCode),
      family: repeatable(oneOf(eventFamilies)),
      type: repeatable(oneOf(eventTypes)),
      cursor: Type.Optional(
        Type.String({ minLength: 1, maxLength: 512, description: 'A cursor, `earliest` or `latest`' }),
      ),
      limit,
    }),
    response: EventPage,
    problems: [
      ...always,
      'plan_upgrade_required',
      'cursor_invalid',
      'cursor_ahead',
      'cursor_foreign',
      'cursor_expired',
    ],
  },
  {
    id: 'events_get',
    method: 'GET',
    path: '/v1/events/{event_id}',
    summary: 'One event',
    tag: 'Events',
    access: 'charged',
    params: strict({
      event_id: Type.String({
        pattern: '^evt_[0-9A-HJKMNP-TV-Z]{26}$',
        description: '`evt_` and 26 characters of Crockford’s base32',
      }),
    }),
    query: none,
    response: Event,
    problems: [...always, 'event_not_found'],
  },
  ...streamNames.map(ticketOperation),
  {
    id: 'account_get_usage',
    method: 'GET',
    path: '/v1/usage',
    summary: 'What this key has used this month, and its limits',
    tag: 'Account',
    access: 'key',
    params: none,
    query: none,
    response: resources.Usage,
    problems: ['invalid_query', 'unauthorized', 'rate_limited', 'unavailable'],
  },
]

/** The status of an answer that is no problem: a POST makes something. */
export const statusOf = ({ method }: Pick<Operation, 'method'>): 200 | 201 => (method === 'POST' ? 201 : 200)

export const operationById = (id: string): Operation => {
  const operation = operations.find((candidate) => candidate.id === id)
  if (!operation) throw new Error(`no operation ${id}`)
  return operation
}
