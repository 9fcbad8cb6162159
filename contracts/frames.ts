import { Type } from '#typebox'
import { Event } from './events.ts'
import { FxRate, Prediction, RateSession, SpotPrice } from './resources.ts'
import { CountryCode, CurrencyCode, strict, Timestamp } from './scalars.ts'
import { errorCodesOf, streamLimits as limits, type StreamName } from './streams.ts'

/**
 * Messages of the streams: JSON, one message in each text frame. A client's message has an `action`, a server's a
 * `type`. The validation of client messages, the AsyncAPI description and the types follow from these schemas.
 * `streams/` checks what a schema cannot express: which codes are served, and how many pairs there are before they are
 * merged.
 */
const action = <const A extends string>(name: A) => ({ action: Type.Literal(name) })
const type = <const T extends string>(name: T) => ({ type: Type.Literal(name) })
const code = Type.String({ description: 'A code listed at /docs; any other is refused' })
const codes = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: limits.filterValues, description }))
const Cursor = Type.String({ minLength: 1, maxLength: 512, description: 'The next event to read' })

export const Ping = strict(action('ping'), { $id: 'Ping' })
export const SubscribePrices = strict(
  {
    ...action('subscribe'),
    commodities: Type.Optional(
      Type.Array(strict({ commodity: code, currency: code }), { maxItems: limits.commodityPairs }),
    ),
    fx: Type.Optional(
      Type.Array(
        strict({
          base: code,
          currencies: Type.Optional(
            Type.Array(code, { maxItems: limits.fxCurrencies, description: 'Absent: all served for the base' }),
          ),
        }),
        { maxItems: limits.fxBases },
      ),
    ),
  },
  { $id: 'SubscribePrices' },
)
export const SubscribeEvents = strict(
  {
    ...action('subscribe'),
    countries: codes('ISO 3166-1 alpha-3 codes; absent: all'),
    families: codes('Event families; absent: all of the plan, and the others are left out silently'),
    types: codes('Event types; absent: all'),
    cursor: Type.Optional({ ...Cursor, description: 'A cursor, `earliest` or `latest`; absent: live from now' }),
    start: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'Instead of a cursor: the first event with this sequence (digits), or recorded at or after this instant (RFC 3339) or date (UTC), as in GET /v1/events. Before the oldest: the oldest; a time after the newest: the next to come; a sequence beyond that is refused',
      }),
    ),
  },
  { $id: 'SubscribeEvents' },
)
export const SubscribePredictions = strict(
  {
    ...action('subscribe'),
    countries: codes('ISO 3166-1 alpha-3 codes; absent: all'),
    indicators: codes('Indicator codes; absent: all'),
  },
  { $id: 'SubscribePredictions' },
)

export const Ready = strict(type('ready'), { $id: 'Ready' })
export const Subscribed = strict(type('subscribed'), { $id: 'Subscribed' })
export const Pong = strict(type('pong'), { $id: 'Pong' })
export const Heartbeat = strict(
  {
    ...type('heartbeat'),
    as_of: { ...Timestamp, description: 'Instant up to which the stream is current' },
  },
  {
    $id: 'Heartbeat',
    description:
      'On prices, `as_of` is when the heartbeat was sent; on predictions, when the newest prediction was recorded',
  },
)

const errorOf = (stream: StreamName) => ({
  ...type('error'),
  code: Type.Union(errorCodesOf(stream).map((name) => Type.Literal(name))),
})
const detail = Type.Optional(Type.String({ description: 'What was wrong, and where' }))
const closes = 'The connection closes after it'
/** The interface specification gives this message a code and nothing else. */
export const PricesError = strict(errorOf('prices'), {
  $id: 'PricesError',
  description: `${closes}. The close reason says what was wrong, and where`,
})
export const PredictionsError = strict(
  { ...errorOf('predictions'), detail },
  { $id: 'PredictionsError', description: closes },
)
export const EventsError = strict(
  {
    ...errorOf('events'),
    detail,
    resume_cursor: Type.Optional({ ...Cursor, description: 'Where to continue' }),
  },
  { $id: 'EventsError', description: closes },
)
export const CommodityPrice = strict({ ...type('commodity'), spot: SpotPrice }, { $id: 'CommodityPrice' })
export const FxPrice = strict(
  { ...type('fx'), base: CurrencyCode, market_session: RateSession, rate: FxRate },
  { $id: 'FxPrice' },
)

export const EventsSubscribed = strict(
  {
    ...type('subscribed'),
    cursor: { ...Cursor, description: 'The first event that the stream looks at' },
    countries: Type.Union([Type.Array(CountryCode), Type.Null()]),
    families: Type.Array(Type.String()),
    types: Type.Union([Type.Array(Type.String()), Type.Null()]),
  },
  { $id: 'EventsSubscribed', description: 'The filters as understood; null: all' },
)
export const EventMessage = strict({ ...type('event'), event: Event }, { $id: 'EventMessage' })
export const Checkpoint = strict(
  { ...type('checkpoint'), cursor: Cursor },
  { $id: 'Checkpoint', description: 'The stream has looked at every event before `cursor`' },
)
export const CaughtUp = strict(
  { ...type('caught_up'), cursor: Cursor },
  { $id: 'CaughtUp', description: 'Replay is done, live from here' },
)
export const EventsHeartbeat = strict(
  {
    ...type('heartbeat'),
    as_of: { ...Timestamp, description: 'When the newest event on record was recorded' },
    cursor: Cursor,
  },
  {
    $id: 'EventsHeartbeat',
    description:
      'Every matching event before `cursor` has been sent. `as_of` does not change while there are no new events',
  },
)
export const Notice = strict(
  {
    ...type('notice'),
    code: Type.Union([Type.Literal('falling_behind'), Type.Literal('going_away')]),
    cursor: Type.Optional(Cursor),
    reconnect_in_ms: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  {
    $id: 'Notice',
    description:
      '`falling_behind` (events only): events arrive faster than the client reads. No event is lost, and `caught_up` follows. `going_away`: the server shuts down',
  },
)
export const PredictionMessage = strict({ ...type('prediction'), prediction: Prediction }, { $id: 'PredictionMessage' })

/** Messages that each stream accepts and sends. */
export const frames: Readonly<
  Record<StreamName, { readonly client: readonly Type.TSchema[]; readonly server: readonly Type.TSchema[] }>
> = {
  prices: {
    client: [SubscribePrices, Ping],
    server: [Ready, Subscribed, CommodityPrice, FxPrice, Heartbeat, Pong, PricesError],
  },
  events: {
    client: [SubscribeEvents, Ping],
    server: [Ready, EventsSubscribed, EventMessage, Checkpoint, CaughtUp, EventsHeartbeat, Notice, Pong, EventsError],
  },
  predictions: {
    client: [SubscribePredictions, Ping],
    server: [Ready, Subscribed, PredictionMessage, Heartbeat, Notice, Pong, PredictionsError],
  },
}
