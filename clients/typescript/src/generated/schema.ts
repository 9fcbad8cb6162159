// Made by clients/generate/main.ts. Do not edit.

// `D` is the type of a decimal: its text, unless the client was given a converter.

/** Replay is done, live from here */
export type CaughtUp = {
  readonly type: 'caught_up'
  /** The next event to read */
  readonly cursor: string
}

/** The stream has looked at every event before `cursor` */
export type Checkpoint = {
  readonly type: 'checkpoint'
  /** The next event to read */
  readonly cursor: string
}

export type CommodityPrice<D = string> = {
  readonly type: 'commodity'
  readonly spot: SpotPrice<D>
}

/** Consumer price index, all items */
export type Cpi<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Month, e.g. 2026-09 */
  readonly period: string
  /** Decimal greater than zero */
  readonly value: D
  /** The period in which the index equals base_value: a period, or an interval of two, e.g. 1982/1984 */
  readonly base_period: string
  /** Decimal greater than zero */
  readonly base_value: D
  /** Calendar date, ISO 8601 */
  readonly released_on: string
}

/** Data of economics.release.revised: the new Cpi, and the one that it replaces */
export type CpiRevision<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Month, e.g. 2026-09 */
  readonly period: string
  /** Decimal greater than zero */
  readonly value: D
  /** The period in which the index equals base_value: a period, or an interval of two, e.g. 1982/1984 */
  readonly base_period: string
  /** Decimal greater than zero */
  readonly base_value: D
  /** Calendar date, ISO 8601 */
  readonly released_on: string
  readonly previous: Cpi<D>
}

export type Event = {
  readonly specversion: '1.0'
  readonly id: string
  /** /almanac/{family} */
  readonly source: string
  /** e.g. economics.release.revised */
  readonly type: string
  /** e.g. USA/cpi/2026-09 or XAU-USD */
  readonly subject: string
  /** Instant, ISO 8601, UTC, milliseconds */
  readonly time: string
  readonly datacontenttype: 'application/json'
  /** urn:almanac:schema:{name}: the schema of that name in /openapi.json */
  readonly dataschema: string
  readonly family: string
  /** ISO 3166-1 alpha-3 country code */
  readonly country?: string | undefined
  /** Dense from 1, padded so that it sorts as text */
  readonly sequence: string
  /** The body that REST serves; for a revision also `previous`, the body it replaces */
  readonly data: Readonly<Record<string, unknown>>
  /** Points just after this event */
  readonly cursor: string
}

export type EventMessage = {
  readonly type: 'event'
  readonly event: Event
}

export type EventPage = {
  readonly events: readonly Event[]
  /** Never null: polling with it follows the journal */
  readonly next_cursor: string
  readonly has_more: boolean
  /** Instant, ISO 8601, UTC, milliseconds */
  readonly as_of: string
}

/** The connection closes after it */
export type EventsError = {
  readonly type: 'error'
  readonly code: 'unauthorized' | 'revoked' | 'plan_upgrade_required' | 'stream_limit' | 'quota_unavailable' | 'command_limit' | 'subscribe_required' | 'slow_consumer' | 'resubscribe_required' | 'invalid_command' | 'invalid_frame' | 'filter_not_supported' | 'cursor_invalid' | 'cursor_ahead' | 'cursor_foreign' | 'cursor_expired' | 'unavailable'
  /** What was wrong, and where */
  readonly detail?: string | undefined
  /** Where to continue */
  readonly resume_cursor?: string | undefined
}

/** Every matching event before `cursor` has been sent. `as_of` does not change while there are no new events */
export type EventsHeartbeat = {
  readonly type: 'heartbeat'
  /** When the newest event on record was recorded */
  readonly as_of: string
  /** The next event to read */
  readonly cursor: string
}

/** The filters as understood; null: all */
export type EventsSubscribed = {
  readonly type: 'subscribed'
  /** The first event that the stream looks at */
  readonly cursor: string
  readonly countries: readonly string[] | null
  readonly families: readonly string[]
  readonly types: readonly string[] | null
}

export type FxPrice<D = string> = {
  readonly type: 'fx'
  /** ISO 4217 currency code */
  readonly base: string
  /** By the market’s weekly hours. Holidays are not known, so a market is `open` on a holiday. `simulated`: rates made up for a demonstration, which change at all hours */
  readonly market_session: 'open' | 'closed' | 'simulated'
  readonly rate: FxRate<D>
}

/** Units of `currency` for one unit of the base */
export type FxRate<D = string> = {
  /** ISO 4217 currency code */
  readonly currency: string
  /** Decimal greater than zero */
  readonly rate: D
  /** Time of the oldest quote that the price was computed from; a newer quote changes the price but not this */
  readonly timestamp: string
  readonly stale: boolean
}

export type FxRates<D = string> = {
  /** ISO 4217 currency code */
  readonly base: string
  /** By the market’s weekly hours. Holidays are not known, so a market is `open` on a holiday. `simulated`: rates made up for a demonstration, which change at all hours */
  readonly market_session: 'open' | 'closed' | 'simulated'
  readonly rates: readonly FxRate<D>[]
}

/** Gross domestic product at current prices, in whole units of currency */
export type Gdp<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Quarter, e.g. 2026-Q3 */
  readonly period: string
  /** Decimal greater than zero */
  readonly value: D
  /** ISO 4217 currency code */
  readonly currency: string
  readonly price_basis: 'current'
  readonly seasonal_adjustment: 'seasonally_adjusted' | 'not_seasonally_adjusted'
  readonly annualization: 'annualized' | 'not_annualized'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
}

/** Growth of gross domestic product at constant prices */
export type GdpGrowth<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Quarter, e.g. 2026-Q3 */
  readonly period: string
  /** Decimal */
  readonly year_over_year: D
  /** Decimal */
  readonly quarter_over_quarter: D
  readonly year_to_date?: D | null | undefined
  readonly unit: 'percent'
  readonly price_basis: 'constant'
  readonly seasonal_adjustment: 'seasonally_adjusted' | 'not_seasonally_adjusted'
  readonly annualization: 'annualized' | 'not_annualized'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
}

/** Data of economics.release.revised: the new GdpGrowth, and the one that it replaces */
export type GdpGrowthRevision<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Quarter, e.g. 2026-Q3 */
  readonly period: string
  /** Decimal */
  readonly year_over_year: D
  /** Decimal */
  readonly quarter_over_quarter: D
  readonly year_to_date?: D | null | undefined
  readonly unit: 'percent'
  readonly price_basis: 'constant'
  readonly seasonal_adjustment: 'seasonally_adjusted' | 'not_seasonally_adjusted'
  readonly annualization: 'annualized' | 'not_annualized'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
  readonly previous: GdpGrowth<D>
}

/** Data of economics.release.revised: the new Gdp, and the one that it replaces */
export type GdpRevision<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Quarter, e.g. 2026-Q3 */
  readonly period: string
  /** Decimal greater than zero */
  readonly value: D
  /** ISO 4217 currency code */
  readonly currency: string
  readonly price_basis: 'current'
  readonly seasonal_adjustment: 'seasonally_adjusted' | 'not_seasonally_adjusted'
  readonly annualization: 'annualized' | 'not_annualized'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
  readonly previous: Gdp<D>
}

/** Every value is a string */
export type Health = {
  readonly status: 'ok' | 'degraded'
  /** Version of the program, not of the API */
  readonly version: string
  readonly journal: string
  readonly read_models: string
  readonly access: string
  /** When the newest record behind the latest figures was recorded, or empty */
  readonly data_as_of: string
}

/** On prices, `as_of` is when the heartbeat was sent; on predictions, when the newest prediction was recorded */
export type Heartbeat = {
  readonly type: 'heartbeat'
  /** Instant up to which the stream is current */
  readonly as_of: string
}

/** Change of the consumer price index; year to date is against December before */
export type Inflation<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Month, e.g. 2026-09 */
  readonly period: string
  /** Decimal */
  readonly year_over_year: D
  /** Decimal */
  readonly month_over_month: D
  /** Decimal */
  readonly year_to_date: D
  readonly unit: 'percent'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
}

/** Data of economics.release.revised: the new Inflation, and the one that it replaces */
export type InflationRevision<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Month, e.g. 2026-09 */
  readonly period: string
  /** Decimal */
  readonly year_over_year: D
  /** Decimal */
  readonly month_over_month: D
  /** Decimal */
  readonly year_to_date: D
  readonly unit: 'percent'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
  readonly previous: Inflation<D>
}

/** Labour force as a share of the working-age population */
export type LabourForceParticipation<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  /** Decimal */
  readonly rate: D
  readonly unit: 'percent'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
}

/** Data of economics.release.revised: the new LabourForceParticipation, and the one that it replaces */
export type LabourForceParticipationRevision<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  /** Decimal */
  readonly rate: D
  readonly unit: 'percent'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
  readonly previous: LabourForceParticipation<D>
}

export type MarketSessionChange = {
  /** Market code, e.g. FX */
  readonly market: string
  readonly name: string
  /** By the market’s weekly hours. Holidays are not known, so a market is `open` on a holiday */
  readonly market_session: 'open' | 'closed'
  /** Instant, ISO 8601, UTC, milliseconds */
  readonly since: string
  /** When the session ends by the market’s calendar */
  readonly until: string
}

/** `falling_behind` (events only): events arrive faster than the client reads. No event is lost, and `caught_up` follows. `going_away`: the server shuts down */
export type Notice = {
  readonly type: 'notice'
  readonly code: 'falling_behind' | 'going_away'
  /** The next event to read */
  readonly cursor?: string | undefined
  readonly reconnect_in_ms?: number | undefined
}

export type Observation<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  readonly measure: 'merchandise_exports'
  /** Decimal, zero or greater */
  readonly value: D
  /** Currency code of the value */
  readonly unit: string
  /** Empty: the level as published */
  readonly transformation: string
  /** Year or month, e.g. 2025 or 2026-09 */
  readonly period: string
}

/** One page of a history, read from one snapshot */
export type ObservationList<D = string> = {
  readonly observations: readonly Observation<D>[]
  readonly next_cursor: string | null
  /** Instant, ISO 8601, UTC, milliseconds */
  readonly as_of: string
}

export type Ping = {
  readonly action: 'ping'
}

export type Pong = {
  readonly type: 'pong'
}

/** What is expected of the next release. Computed, never an official figure */
export type Prediction<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Indicator code, e.g. cpi */
  readonly indicator: string
  /** Which member of the indicator’s body is predicted, e.g. year_over_year */
  readonly figure: string
  /** Period of the expected next release */
  readonly period: string
  /** Decimal */
  readonly value: D
  /** Lower bound of the 80 % interval */
  readonly lower: D
  /** Upper bound of the 80 % interval */
  readonly upper: D
  /** Unit of the figures: a currency, percent or index */
  readonly unit: string
  /** How it was computed; see docs/predictions.md */
  readonly method: string
  /** Always true: computed by this service, not published by anyone */
  readonly computed: boolean
  /** Instant, ISO 8601, UTC, milliseconds */
  readonly made_at: string
  readonly scored: ScoredPrediction<D> | null
}

export type PredictionMessage<D = string> = {
  readonly type: 'prediction'
  readonly prediction: Prediction<D>
}

/** The connection closes after it */
export type PredictionsError = {
  readonly type: 'error'
  readonly code: 'unauthorized' | 'revoked' | 'plan_upgrade_required' | 'stream_limit' | 'quota_unavailable' | 'command_limit' | 'subscribe_required' | 'slow_consumer' | 'resubscribe_required' | 'invalid_command' | 'invalid_frame' | 'filter_not_supported' | 'unavailable'
  /** What was wrong, and where */
  readonly detail?: string | undefined
}

/** The connection closes after it. The close reason says what was wrong, and where */
export type PricesError = {
  readonly type: 'error'
  readonly code: 'unauthorized' | 'revoked' | 'plan_upgrade_required' | 'stream_limit' | 'quota_unavailable' | 'command_limit' | 'subscribe_required' | 'slow_consumer' | 'resubscribe_required' | 'invalid_command' | 'invalid_frame' | 'commodity_not_supported' | 'currency_not_supported' | 'unavailable'
}

export type Problem = {
  readonly ok?: boolean | undefined
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly request_id: string
  readonly instance?: string | null | undefined
}

export type Ready = {
  readonly type: 'ready'
}

/** How the prediction before this one did, once its release was in */
export type ScoredPrediction<D = string> = {
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  /** What was predicted */
  readonly value: D
  /** What was released */
  readonly actual: D
  /** actual - value */
  readonly error: D
  /** Whether the release lay within the interval */
  readonly within: boolean
}

export type SpotPrice<D = string> = {
  /** Commodity and currency, e.g. XAU-USD */
  readonly symbol: string
  /** Decimal greater than zero */
  readonly price: D
  /** ISO 4217 currency code */
  readonly currency: string
  /** Unit of quantity the price is for, e.g. troy_ounce */
  readonly unit: string
  /** Time of the oldest quote that the price was computed from; a newer quote changes the price but not this */
  readonly timestamp: string
  /** The price is older than its market’s normal interval */
  readonly stale: boolean
}

/** A single-use ticket that opens one stream from a page of one origin, within 30 s */
export type StreamTicket = {
  /** A secret, good for one connection */
  readonly ticket: string
  readonly stream: 'prices' | 'events' | 'predictions'
  /** Origin of the page that will connect, as its browser sends it, e.g. https://app.example.com */
  readonly origin: string
  /** Instant, ISO 8601, UTC, milliseconds */
  readonly expires_at: string
  /** The address to open the WebSocket at, with the ticket in it */
  readonly url: string
}

export type StreamTicketRequest = {
  /** Origin of the page that will connect, as its browser sends it, e.g. https://app.example.com */
  readonly origin: string
}

export type SubscribeEvents = {
  readonly action: 'subscribe'
  /** ISO 3166-1 alpha-3 codes; absent: all */
  readonly countries?: readonly string[] | undefined
  /** Event families; absent: all of the plan, and the others are left out silently */
  readonly families?: readonly string[] | undefined
  /** Event types; absent: all */
  readonly types?: readonly string[] | undefined
  /** A cursor, `earliest` or `latest`; absent: live from now */
  readonly cursor?: string | undefined
}

export type SubscribePredictions = {
  readonly action: 'subscribe'
  /** ISO 3166-1 alpha-3 codes; absent: all */
  readonly countries?: readonly string[] | undefined
  /** Indicator codes; absent: all */
  readonly indicators?: readonly string[] | undefined
}

export type SubscribePrices = {
  readonly action: 'subscribe'
  readonly commodities?: readonly SubscribePricesCommodities[] | undefined
  readonly fx?: readonly SubscribePricesFx[] | undefined
}

export type SubscribePricesCommodities = {
  /** A code listed at /docs; any other is refused */
  readonly commodity: string
  /** A code listed at /docs; any other is refused */
  readonly currency: string
}

export type SubscribePricesFx = {
  /** A code listed at /docs; any other is refused */
  readonly base: string
  /** Absent: all served for the base */
  readonly currencies?: readonly string[] | undefined
}

export type Subscribed = {
  readonly type: 'subscribed'
}

/** Merchandise exports to the world, in whole units of currency */
export type TradeExports<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year or month, e.g. 2025 or 2026-09 */
  readonly period: string
  readonly flow: 'export'
  /** Decimal, zero or greater */
  readonly value: D
  /** ISO 4217 currency code */
  readonly currency: string
  readonly coverage: 'merchandise'
  readonly partner?: string | null | undefined
  readonly product?: TradeProductFilter | null | undefined
  /** Calendar date, ISO 8601 */
  readonly released_on: string
}

/** Data of economics.release.revised: the new TradeExports, and the one that it replaces */
export type TradeExportsRevision<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year or month, e.g. 2025 or 2026-09 */
  readonly period: string
  readonly flow: 'export'
  /** Decimal, zero or greater */
  readonly value: D
  /** ISO 4217 currency code */
  readonly currency: string
  readonly coverage: 'merchandise'
  readonly partner?: string | null | undefined
  readonly product?: TradeProductFilter | null | undefined
  /** Calendar date, ISO 8601 */
  readonly released_on: string
  readonly previous: TradeExports<D>
}

/** Merchandise imports from the world, in whole units of currency */
export type TradeImports<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year or month, e.g. 2025 or 2026-09 */
  readonly period: string
  readonly flow: 'import'
  /** Decimal, zero or greater */
  readonly value: D
  /** ISO 4217 currency code */
  readonly currency: string
  readonly coverage: 'merchandise'
  readonly partner?: string | null | undefined
  readonly product?: TradeProductFilter | null | undefined
  /** Calendar date, ISO 8601 */
  readonly released_on: string
}

/** Data of economics.release.revised: the new TradeImports, and the one that it replaces */
export type TradeImportsRevision<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year or month, e.g. 2025 or 2026-09 */
  readonly period: string
  readonly flow: 'import'
  /** Decimal, zero or greater */
  readonly value: D
  /** ISO 4217 currency code */
  readonly currency: string
  readonly coverage: 'merchandise'
  readonly partner?: string | null | undefined
  readonly product?: TradeProductFilter | null | undefined
  /** Calendar date, ISO 8601 */
  readonly released_on: string
  readonly previous: TradeImports<D>
}

/** A product of one edition of the Harmonized System */
export type TradeProductFilter = {
  /** Harmonized System edition, e.g. HS2022 */
  readonly classification: string
  /** Harmonized System code: chapter, heading or subheading */
  readonly code: string
}

/** Merchandise trade of a country with the world, in whole units of currency */
export type TradeSummary<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year or month, e.g. 2025 or 2026-09 */
  readonly period: string
  /** Decimal, zero or greater */
  readonly exports: D
  /** Decimal, zero or greater */
  readonly imports: D
  /** Decimal */
  readonly balance: D
  /** ISO 4217 currency code */
  readonly currency: string
  readonly coverage: 'merchandise'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
}

/** Data of economics.release.revised: the new TradeSummary, and the one that it replaces */
export type TradeSummaryRevision<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year or month, e.g. 2025 or 2026-09 */
  readonly period: string
  /** Decimal, zero or greater */
  readonly exports: D
  /** Decimal, zero or greater */
  readonly imports: D
  /** Decimal */
  readonly balance: D
  /** ISO 4217 currency code */
  readonly currency: string
  readonly coverage: 'merchandise'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
  readonly previous: TradeSummary<D>
}

/** Unemployed persons as a share of the labour force */
export type Unemployment<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  /** Decimal */
  readonly rate: D
  readonly unit: 'percent'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
}

/** Data of economics.release.revised: the new Unemployment, and the one that it replaces */
export type UnemploymentRevision<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  /** Decimal */
  readonly rate: D
  readonly unit: 'percent'
  /** Calendar date, ISO 8601 */
  readonly released_on: string
  readonly previous: Unemployment<D>
}

/** Use in the current calendar month (UTC) of this key and of the keys it was rotated from or to */
export type Usage = {
  readonly plan: 'free' | 'basic' | 'pro'
  /** Month, e.g. 2026-09 */
  readonly month: string
  /** Calls counted this month. While calls are made, each other process that serves the account may have reserved up to a thousandth of the plan’s month (8 to 1,024 calls), which counts as used. Unused reservations are returned within seconds */
  readonly used: number
  /** calls_per_month less used */
  readonly remaining: number
  /** Streams of the account that are open, on all nodes */
  readonly streams_open: number
  readonly limits: UsageLimits
}

export type UsageLimits = {
  readonly calls_per_month: number
  readonly calls_per_minute: number
  readonly concurrent_streams: number
}

/** Every schema by its name, which is also the last part of an event’s `dataschema`. */

export type Schemas<D = string> = {
  readonly CaughtUp: CaughtUp
  readonly Checkpoint: Checkpoint
  readonly CommodityPrice: CommodityPrice<D>
  readonly Cpi: Cpi<D>
  readonly CpiRevision: CpiRevision<D>
  readonly Event: Event
  readonly EventMessage: EventMessage
  readonly EventPage: EventPage
  readonly EventsError: EventsError
  readonly EventsHeartbeat: EventsHeartbeat
  readonly EventsSubscribed: EventsSubscribed
  readonly FxPrice: FxPrice<D>
  readonly FxRate: FxRate<D>
  readonly FxRates: FxRates<D>
  readonly Gdp: Gdp<D>
  readonly GdpGrowth: GdpGrowth<D>
  readonly GdpGrowthRevision: GdpGrowthRevision<D>
  readonly GdpRevision: GdpRevision<D>
  readonly Health: Health
  readonly Heartbeat: Heartbeat
  readonly Inflation: Inflation<D>
  readonly InflationRevision: InflationRevision<D>
  readonly LabourForceParticipation: LabourForceParticipation<D>
  readonly LabourForceParticipationRevision: LabourForceParticipationRevision<D>
  readonly MarketSessionChange: MarketSessionChange
  readonly Notice: Notice
  readonly Observation: Observation<D>
  readonly ObservationList: ObservationList<D>
  readonly Ping: Ping
  readonly Pong: Pong
  readonly Prediction: Prediction<D>
  readonly PredictionMessage: PredictionMessage<D>
  readonly PredictionsError: PredictionsError
  readonly PricesError: PricesError
  readonly Problem: Problem
  readonly Ready: Ready
  readonly ScoredPrediction: ScoredPrediction<D>
  readonly SpotPrice: SpotPrice<D>
  readonly StreamTicket: StreamTicket
  readonly StreamTicketRequest: StreamTicketRequest
  readonly SubscribeEvents: SubscribeEvents
  readonly SubscribePredictions: SubscribePredictions
  readonly SubscribePrices: SubscribePrices
  readonly SubscribePricesCommodities: SubscribePricesCommodities
  readonly SubscribePricesFx: SubscribePricesFx
  readonly Subscribed: Subscribed
  readonly TradeExports: TradeExports<D>
  readonly TradeExportsRevision: TradeExportsRevision<D>
  readonly TradeImports: TradeImports<D>
  readonly TradeImportsRevision: TradeImportsRevision<D>
  readonly TradeProductFilter: TradeProductFilter
  readonly TradeSummary: TradeSummary<D>
  readonly TradeSummaryRevision: TradeSummaryRevision<D>
  readonly Unemployment: Unemployment<D>
  readonly UnemploymentRevision: UnemploymentRevision<D>
  readonly Usage: Usage
  readonly UsageLimits: UsageLimits
}

/** What each operation takes and answers. */
export type Operations<D = string> = {
  /** Health of the service, and age of its data */
  readonly health_health_get: {
    readonly args: Readonly<Record<string, never>>
    readonly answer: Health
  }
  /** Consumer price index: the latest complete release, or that of one period */
  readonly economics_get_cpi: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Month, e.g. 2026-09. Left out: the latest */
      readonly period?: string | undefined
    }
    readonly answer: Cpi<D>
  }
  /** Inflation: year over year, month over month, year to date: the latest complete release, or that of one period */
  readonly economics_get_inflation: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Month, e.g. 2026-09. Left out: the latest */
      readonly period?: string | undefined
    }
    readonly answer: Inflation<D>
  }
  /** Unemployment rate: the latest complete release, or that of one period */
  readonly economics_get_unemployment: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3. Left out: the latest */
      readonly period?: string | undefined
    }
    readonly answer: Unemployment<D>
  }
  /** Labour force participation rate: the latest complete release, or that of one period */
  readonly economics_get_labour_force_participation: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3. Left out: the latest */
      readonly period?: string | undefined
    }
    readonly answer: LabourForceParticipation<D>
  }
  /** Gross domestic product at current prices: the latest complete release, or that of one period */
  readonly economics_get_gdp: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Quarter, e.g. 2026-Q3. Left out: the latest */
      readonly period?: string | undefined
    }
    readonly answer: Gdp<D>
  }
  /** Growth of gross domestic product at constant prices: the latest complete release, or that of one period */
  readonly economics_get_gdp_growth: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Quarter, e.g. 2026-Q3. Left out: the latest */
      readonly period?: string | undefined
    }
    readonly answer: GdpGrowth<D>
  }
  /** Merchandise trade: exports, imports and balance: the latest complete release, or that of one period */
  readonly economics_get_trade: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Year or month, e.g. 2025 or 2026-09. Left out: the latest */
      readonly period?: string | undefined
    }
    readonly answer: TradeSummary<D>
  }
  /** Merchandise exports: the latest complete release, or that of one period */
  readonly economics_get_trade_exports: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Year or month, e.g. 2025 or 2026-09. Left out: the latest */
      readonly period?: string | undefined
      /** Country of the other side. Totals by partner or product are not published yet: a request with this parameter gets `not_yet_published` */
      readonly partner?: string | undefined
      /** Harmonized System chapter, heading or subheading, e.g. 27, 2709 or 270900; needs classification. Totals by partner or product are not published yet: a request with this parameter gets `not_yet_published` */
      readonly product?: string | undefined
      /** Edition of the Harmonized System to which product belongs, e.g. HS2022; needs product. Totals by partner or product are not published yet: a request with this parameter gets `not_yet_published` */
      readonly classification?: string | undefined
    }
    readonly answer: TradeExports<D>
  }
  /** Merchandise imports: the latest complete release, or that of one period */
  readonly economics_get_trade_imports: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Year or month, e.g. 2025 or 2026-09. Left out: the latest */
      readonly period?: string | undefined
      /** Country of the other side. Totals by partner or product are not published yet: a request with this parameter gets `not_yet_published` */
      readonly partner?: string | undefined
      /** Harmonized System chapter, heading or subheading, e.g. 27, 2709 or 270900; needs classification. Totals by partner or product are not published yet: a request with this parameter gets `not_yet_published` */
      readonly product?: string | undefined
      /** Edition of the Harmonized System to which product belongs, e.g. HS2022; needs product. Totals by partner or product are not published yet: a request with this parameter gets `not_yet_published` */
      readonly classification?: string | undefined
    }
    readonly answer: TradeImports<D>
  }
  /** History of merchandise exports, page by page from one snapshot */
  readonly economics_get_trade_exports_history: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** First period, inclusive; a year means its January */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December */
      readonly end?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: ObservationList<D>
  }
  /** Spot price of a commodity in a currency */
  readonly commodities_get_spot: {
    readonly args: {
      /** Commodity code, e.g. XAU */
      readonly commodity: string
      /** ISO 4217 currency code */
      readonly currency: string
    }
    readonly answer: SpotPrice<D>
  }
  /** Exchange rates of a base currency */
  readonly fx_get_rates: {
    readonly args: {
      /** ISO 4217 currency code */
      readonly base: string
    }
    readonly answer: FxRates<D>
  }
  /** The public event journal, page by page from a cursor */
  readonly events_list: {
    readonly args: {
      /** Only events about these countries; events of prices have no country */
      readonly country?: readonly string[] | undefined
      /** Only events of these families. Left out: all that the plan has */
      readonly family?: readonly ('inflation' | 'labour' | 'output' | 'trade' | 'predictions' | 'commodities' | 'fx')[] | undefined
      /** Only events of these types. Left out: all */
      readonly type?: readonly ('economics.release.published' | 'economics.release.revised' | 'prices.instrument.stale' | 'prices.instrument.recovered' | 'prices.session.opened' | 'prices.session.closed' | 'predictions.prediction.updated' | 'predictions.prediction.scored')[] | undefined
      /** A cursor from an earlier answer; `earliest`: start at the oldest event; `latest`: only new events. Left out: earliest */
      readonly cursor?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
    }
    readonly answer: EventPage
  }
  /** One event */
  readonly events_get: {
    readonly args: {
      /** `evt_` and 26 characters of Crockford’s base32 */
      readonly event_id: string
    }
    readonly answer: Event
  }
  /** A single-use ticket with which a web page opens the prices stream */
  readonly prices_create_stream_ticket: {
    readonly args: {
      /** Origin of the page that will connect, as its browser sends it, e.g. https://app.example.com */
      readonly origin: string
    }
    readonly answer: StreamTicket
  }
  /** A single-use ticket with which a web page opens the events stream */
  readonly events_create_stream_ticket: {
    readonly args: {
      /** Origin of the page that will connect, as its browser sends it, e.g. https://app.example.com */
      readonly origin: string
    }
    readonly answer: StreamTicket
  }
  /** A single-use ticket with which a web page opens the predictions stream */
  readonly predictions_create_stream_ticket: {
    readonly args: {
      /** Origin of the page that will connect, as its browser sends it, e.g. https://app.example.com */
      readonly origin: string
    }
    readonly answer: StreamTicket
  }
  /** What this key has used this month, and its limits */
  readonly account_get_usage: {
    readonly args: Readonly<Record<string, never>>
    readonly answer: Usage
  }
}

/** The codes of problems (RFC 9457). New ones may be added within /v1. */

export type ProblemCode =
  | 'body_too_large'
  | 'commodity_not_supported'
  | 'currency_not_supported'
  | 'cursor_ahead'
  | 'cursor_expired'
  | 'cursor_foreign'
  | 'cursor_invalid'
  | 'cursor_mismatch'
  | 'event_not_found'
  | 'internal'
  | 'invalid_body'
  | 'invalid_path'
  | 'invalid_query'
  | 'no_complete_publication'
  | 'not_acceptable'
  | 'not_yet_published'
  | 'origin_not_allowed'
  | 'plan_upgrade_required'
  | 'price_unavailable'
  | 'quota_exhausted'
  | 'rate_limited'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported_media_type'

/** The codes that end a stream. New ones may be added within /v1. */
export type StreamErrorCode =
  | 'command_limit'
  | 'commodity_not_supported'
  | 'currency_not_supported'
  | 'cursor_ahead'
  | 'cursor_expired'
  | 'cursor_foreign'
  | 'cursor_invalid'
  | 'filter_not_supported'
  | 'invalid_command'
  | 'invalid_frame'
  | 'plan_upgrade_required'
  | 'quota_unavailable'
  | 'resubscribe_required'
  | 'revoked'
  | 'slow_consumer'
  | 'stream_limit'
  | 'subscribe_required'
  | 'unauthorized'
  | 'unavailable'
