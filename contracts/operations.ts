import { Type } from '#typebox'
import { calendarOperations } from './calendar.ts'
import { candlesOfPairsOperation, candlesOperation, ticksOperation } from './candles.ts'
import { catalogOperations } from './catalog.ts'
import { claimOperations } from './claims.ts'
import { Event, EventPage, ExportEnd, eventFamilies, eventTypes, exportLimits } from './events.ts'
import { historyOperations, observationsOperationId } from './history-operations.ts'
import { indicators, type ServedIndicator, servedIndicators, servingOf } from './indicators.ts'
import { SequenceOrInstant } from './instant.ts'
import {
  chargedProblems,
  countryParameter,
  limitParameter,
  literals,
  noParameters,
  type Operation,
  repeatable,
} from './operation.ts'
import { panelOperation } from './panel.ts'
import { plans } from './plans.ts'
import { releaseOperations } from './release-detail.ts'
import * as resources from './resources.ts'
import { CountryCode, CurrencyCode, strict } from './scalars.ts'
import { searchOperations } from './search.ts'
import { type StreamName, streamNames } from './streams.ts'
import { StreamTicket, StreamTicketRequest } from './tickets.ts'

const unpublished =
  'Totals by partner or product are not published yet: a request with this parameter gets `not_yet_published`'
const tradeFilters = {
  partner: Type.Optional({ ...CountryCode, description: `Country of the other side. ${unpublished}` }),
  product: Type.Optional({
    ...resources.ProductCode,
    description: `Harmonized System chapter, heading or subheading, e.g. 27, 2709 or 270900; needs classification. ${unpublished}`,
  }),
  classification: Type.Optional({
    ...resources.Classification,
    description: `Edition of the Harmonized System to which product belongs, e.g. HS2022; needs product. ${unpublished}`,
  }),
}

const latestUnless = (period: Type.TSchema & { readonly description?: string }) => ({
  ...period,
  description: `${period.description}. Left out: the latest`,
})

const indicatorOperation = (indicator: ServedIndicator): Operation => {
  const { summary } = indicators[indicator]
  const { operationId, path, description, resource, period, hasTradeFilters = false } = servingOf(indicator)
  return {
    id: operationId,
    method: 'GET',
    path: `/v1/economics/{country}/${path}`,
    summary: `${summary}: the latest complete release, or that of one period`,
    description: `${description} Returns one period: the latest, or the requested one. All periods of one frequency have the same unit, base and seasonal adjustment. For many periods at once, use ${observationsOperationId(indicator)}.`,
    tag: 'Economics',
    access: 'charged',
    params: countryParameter,
    query: strict({ period: Type.Optional(latestUnless(period)), ...(hasTradeFilters ? tradeFilters : {}) }),
    response: resource,
    problems: [
      ...chargedProblems,
      'no_complete_publication',
      'no_dated_evidence',
      'never_published',
      ...(hasTradeFilters ? (['not_yet_published'] as const) : []),
    ],
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
    description: `A server that holds a key requests the ticket for a page, which must not hold one. The page must open the \`url\` within 30 s.`,
    tag: 'Streams',
    access: 'key',
    params: noParameters,
    query: noParameters,
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

/** Text that says which plans lack which event families. */
const barredFamilies = Object.entries(plans)
  .map(([name, { families }]) => ({ name, lacks: eventFamilies.filter((family) => !families.includes(family)) }))
  .filter(({ lacks }) => lacks.length > 0)
  .map(({ name, lacks }) => `the plan ${name} lacks ${lacks.join(' and ')}`)
  .join('; ')

const eventFilters = {
  country: repeatable(CountryCode, 'Only events about these countries; events of prices have no country'),
  family: repeatable(literals(eventFamilies), 'Only events of these families. Left out: all that the plan has'),
  type: repeatable(literals(eventTypes), 'Only events of these types. Left out: all'),
}

const firstEvent = {
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        'A cursor from an earlier answer; `earliest`: start at the oldest event; `latest`: only new events. Left out: earliest',
    }),
  ),
  start: Type.Optional({
    ...SequenceOrInstant,
    description:
      'The first event with this sequence (digits), or recorded at or after this instant (RFC 3339) or date (UTC), e.g. 42, 2026-09-01T08:00:00Z or 2026-09-01. Before the oldest: the oldest; a time after the newest: the next to come; a sequence beyond that is refused. Not together with cursor',
  }),
}

const eventProblems = [
  ...chargedProblems,
  'plan_upgrade_required',
  'cursor_invalid',
  'cursor_ahead',
  'cursor_foreign',
  'cursor_superseded',
  'cursor_expired',
] as const

export const operations: readonly Operation[] = [
  {
    id: 'health_health_get',
    method: 'GET',
    path: '/health',
    summary: 'Health of the service, and age of its data',
    description:
      'Whether the journal, the read models and the access store answer, and when the newest figure was recorded. `version` is the version of the program; the version of the API is in /openapi.json.',
    tag: 'Service',
    access: 'none',
    params: noParameters,
    query: noParameters,
    response: resources.Health,
    isOfNow: true,
    problems: ['invalid_query'],
  },
  ...servedIndicators.map(indicatorOperation),
  ...historyOperations,
  {
    id: 'commodities_get_spot',
    method: 'GET',
    path: '/v1/commodities/spot/{commodity}/{currency}',
    summary: 'Spot price of a commodity in a currency',
    description:
      'The current price of gold, silver, oil, gas, metals and crops. `unit` is the quantity that the price is for; `stale` is true if the price is older than its market’s normal interval. Past prices are in prices_list_candles.',
    tag: 'Prices',
    access: 'charged',
    params: strict({
      commodity: Type.String({ pattern: '^[A-Z][A-Z0-9_]{1,15}$', description: 'Commodity code, e.g. XAU' }),
      currency: CurrencyCode,
    }),
    query: noParameters,
    response: resources.SpotPrice,
    problems: [...chargedProblems, 'commodity_not_supported', 'currency_not_supported', 'price_unavailable'],
  },
  {
    id: 'fx_get_rates',
    method: 'GET',
    path: '/v1/fx/rates/{base}',
    summary: 'Exchange rates of a base currency',
    description:
      'The current rates of one currency against all others that are served: units of `currency` for one unit of `base`. Past rates are in prices_list_candles.',
    tag: 'Prices',
    access: 'charged',
    params: strict({ base: CurrencyCode }),
    query: noParameters,
    response: resources.FxRates,
    problems: [...chargedProblems, 'currency_not_supported', 'price_unavailable'],
  },
  candlesOperation,
  candlesOfPairsOperation,
  ticksOperation,
  {
    id: 'events_list',
    method: 'GET',
    path: '/v1/events',
    summary: 'The public event journal, page by page from a cursor',
    description: `Everything that was published, revised, predicted or changed in the release calendar, in order. A revision has the figures that it replaced in \`previous\`. An event must match every filter; the values of one filter are alternatives. Pass \`next_cursor\` as cursor to continue. Without family, the page has only the families of the key's plan, and the others are left out silently: ${barredFamilies}.`,
    tag: 'Events',
    access: 'charged',
    params: noParameters,
    query: strict({ ...eventFilters, ...firstEvent, limit: limitParameter }),
    response: EventPage,
    problems: eventProblems,
  },
  {
    id: 'events_export',
    method: 'GET',
    path: '/v1/events/export',
    summary: 'A slice of the public event journal in one answer',
    description: `The events that events_list serves page by page, as NDJSON: one line each, straight from the journal, up to the newest event at the time of the call. The last line is an ExportEnd, whose \`cursor\` pages and the events stream continue from. If it is missing, the transfer was cut: continue from the \`cursor\` of the last event. Empty lines may come while nothing matches. Costs a call for each ${exportLimits.eventsPerCall} events begun. An account may run ${exportLimits.runningPerAccount} exports at a time.`,
    tag: 'Events',
    access: 'charged',
    params: noParameters,
    query: strict({
      ...eventFilters,
      ...firstEvent,
      end: Type.Optional({
        ...SequenceOrInstant,
        description:
          'The last event with this sequence (digits), or recorded at or before this instant (RFC 3339) or on this date (UTC). Left out: the newest at the time of the call',
      }),
    }),
    response: Type.Union([Event, ExportEnd]),
    isOfNow: true,
    mediaType: 'application/x-ndjson',
    isStreamed: true,
    problems: eventProblems,
  },
  {
    id: 'events_get',
    method: 'GET',
    path: '/v1/events/{event_id}',
    summary: 'One event',
    description:
      'An event by the `id` that the event journal, the events stream or a log names. Events never change. For the event of a release, the header Link (rel="describedby") has the address of the release, which says where its figures come from.',
    tag: 'Events',
    access: 'charged',
    params: strict({
      event_id: Type.String({
        pattern: '^evt_[0-9A-HJKMNP-TV-Z]{26}$',
        description: '`evt_` and 26 characters of Crockford’s base32',
      }),
    }),
    query: noParameters,
    response: Event,
    problems: [...chargedProblems, 'event_not_found'],
  },
  ...catalogOperations,
  ...releaseOperations,
  panelOperation,
  ...claimOperations,
  ...searchOperations,
  ...calendarOperations,
  ...streamNames.map(ticketOperation),
  {
    id: 'account_get_usage',
    method: 'GET',
    path: '/v1/usage',
    summary: 'What this key has used this month, and its limits',
    description:
      'Calls used and left in the current calendar month (UTC), open streams and the limits of the plan. Asking costs nothing.',
    tag: 'Account',
    access: 'key',
    params: noParameters,
    query: noParameters,
    response: resources.Usage,
    isOfNow: true,
    problems: ['invalid_query', 'unauthorized', 'rate_limited', 'unavailable'],
  },
]

/** Status of a successful answer: 201 for a POST, which creates something, else 200. */
export const statusOf = ({ method }: Pick<Operation, 'method'>): 200 | 201 => (method === 'POST' ? 201 : 200)

export const operationById = (id: string): Operation => {
  const operation = operations.find((candidate) => candidate.id === id)
  if (!operation) throw new Error(`no operation ${id}`)
  return operation
}
