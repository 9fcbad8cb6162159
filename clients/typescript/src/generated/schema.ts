// Made by clients/generate/main.ts. Do not edit.

// `D` is the type of a decimal: its text, unless the client was given a converter.

/** Entries by published_on, or expected_on if nothing is published; without an expected day, one cancelled by the day of stated_at, and one never published by the last day of its period; unknown dates come last */
export type Calendar<D = string> = {
  readonly entries: readonly CalendarEntry<D>[]
  readonly next_cursor: string | null
  /** When the newest release, cancellation or publisher’s calendar behind it was recorded */
  readonly as_of: string
}

/** The release of one indicator, country and period */
export type CalendarEntry<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Indicator code, e.g. cpi */
  readonly indicator: string
  /** Id of the series that was published; until then of the best series, which others may precede */
  readonly series: string
  /** What the figure measures */
  readonly period: string
  /** `expected`: not on record, and not due before today; `late`: the expected day has passed; `published`: on record; `cancelled`: it is on record here that it will not be published; `never_published`: it is on record here that the publisher has no figure for this period. The last two also concern what is derived from such a figure */
  readonly status: 'expected' | 'late' | 'published' | 'cancelled' | 'never_published'
  readonly expected_on: string | null
  /** `publisher`: the publisher’s own calendar announces this day, in its time zone; `lag`: an estimate, the end of the period and the usual lag of the series, which is the median of its latest first prints; `standard`: the last day on which the Special Data Dissemination Standard of the IMF lets it come out, because fewer than three first prints of the series are dated; null if there is no day */
  readonly expected_on_basis: 'publisher' | 'lag' | 'standard' | null
  readonly expected_at: string | null
  readonly published_on: string | null
  readonly published_on_basis: string | null
  readonly release_id: string | null
  readonly stated_at: string | null
  readonly reason: string | null
  readonly days_late: number | null
  /** Unit of the figures: ISO 4217 currency, `percent` or `index` */
  readonly unit: string
  /** Which figure of the indicator actual and previous are, e.g. year_over_year */
  readonly figure: string
  readonly actual: D | null
  readonly previous: D | null
  readonly previous_revised: D | null
  /** What comes out, in words: Consumer prices, Germany, October 2026 */
  readonly title: string
  /** Name of the publisher of the series, as in the catalogue */
  readonly publisher: string
}

/** A change of the release calendar */
export type CalendarNotice = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Indicator code, e.g. cpi */
  readonly indicator: string
  /** Id of the series that was served then */
  readonly series: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  readonly expected_on: string | null
  /** `publisher`: the publisher’s own calendar announces this day, in its time zone; `lag`: an estimate, the end of the period and the usual lag of the series, which is the median of its latest first prints; null if expected_on is */
  readonly expected_on_basis: 'publisher' | 'lag' | null
  readonly expected_at: string | null
  readonly reason: string | null
}

/** Prices of an interval, by the time at which the source observed them */
export type Candle<D = string> = {
  /** Begin of the interval, UTC. Intervals without a price are left out */
  readonly start: string
  /** First price */
  readonly open: D
  /** Highest price */
  readonly high: D
  /** Lowest price */
  readonly low: D
  /** Last price */
  readonly close: D
  /** Number of prices; of a derived candle, of the prices it is computed from */
  readonly ticks: number
  /** Sources of the prices. More than one only if the candle is derived from several quotes */
  readonly sources: readonly string[]
}

/** One page of candles, oldest first */
export type CandleList<D = string> = {
  /** Commodity and currency, or two currencies, with a hyphen between: XAU-USD, EUR-JPY */
  readonly symbol: string
  readonly interval: '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d' | '1w' | '1M'
  /** True if no source quotes the pair, so that its candles are computed from those of other pairs */
  readonly derived: boolean
  readonly candles: readonly Candle<D>[]
  readonly next_cursor: string | null
  /** Time of the newest price; null if there is none yet. A candle whose interval has not ended by then still grows */
  readonly as_of: string | null
}

/** The candles of several pairs in one range, in the order in which they were asked for */
export type CandlesOfPairs<D = string> = {
  readonly pairs: readonly PairCandles<D>[]
}

/** Every public series, ordered by country, indicator and rank in serving */
export type Catalog = {
  readonly series: readonly CatalogEntry[]
  /** When the newest release of these series was recorded; null if there are none */
  readonly as_of: string | null
}

/** Countries with at least one figure */
export type CatalogCountries = {
  readonly countries: readonly CatalogCountriesCountries[]
}

export type CatalogCountriesCountries = {
  /** ISO 3166-1 alpha-3 country code */
  readonly code: string
  /** ISO 3166-1 alpha-2 code */
  readonly alpha2: string
  /** ISO 3166-1 numeric code, three digits */
  readonly numeric: string
  readonly name: string
  /** Codes of the indicators that are served for it */
  readonly indicators: readonly string[]
}

/** One series */
export type CatalogEntry = {
  /** Id of the series: all members that identify it, in one line */
  readonly series: string
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  readonly country_name: string
  /** Indicator code, e.g. cpi */
  readonly indicator: string
  readonly indicator_name: string
  /** Name of the publisher; of a derived series, of what it is derived from */
  readonly publisher: string
  /** Agency code of the publisher, e.g. BIS */
  readonly source: string
  /** The publisher’s own name of the dataset or series */
  readonly dataset: string
  /** Terms under which the publisher makes the figures available */
  readonly licence: string
  /** ISO 4217 currency, `percent` or `index` */
  readonly unit: string
  /** Always 1: figures are in whole units, never in thousands or millions */
  readonly multiplier: string
  /** A, Q or M: by year, quarter or month (SDMX CL_FREQ) */
  readonly frequency: string
  readonly seasonal_adjustment: string
  readonly annualization: string
  /** Period in which the index equals base_value, or at whose prices a volume is; empty for others */
  readonly base_period: string
  /** Value of the index in base_period; empty for other units */
  readonly base_value: string
  /** How the figures are computed from others; empty: as published */
  readonly derivation: string
  /** Whether this is the series that requests for the country, indicator and frequency are answered from. False: it is an input of another, or an alternative, which answers the periods that the served one lacks */
  readonly is_served: boolean
  /** First period that ever had figures */
  readonly first_period: string
  /** Last period that ever had figures */
  readonly last_period: string
  readonly latest_period: string | null
  /** How many periods of the frequency have ended since latest_period, or without one since last_period: a large number says that the figure is old */
  readonly periods_ended_since: number
  /** Number of periods with figures, without those that were withdrawn */
  readonly observations: number
  /** Number of prints: first prints, revisions and withdrawals */
  readonly vintages: number
  /** Calendar date, ISO 8601 */
  readonly last_released_on: string
  /** `publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series */
  readonly last_released_on_basis: string
  /** Instant, ISO 8601, UTC, milliseconds */
  readonly last_recorded_at: string
  /** The first period after last_period, and after all that answer in place of a served series, whose figure may still come: it was neither cancelled nor stated as never published. */
  readonly next_period: string
  readonly next_expected_on: string | null
  readonly days_late: number | null
  readonly link: string | null
  /** `publisher`: the publisher’s own calendar announces this day, in its time zone; `lag`: an estimate, the end of the period and the usual lag of the series, which is the median of its latest first prints; `standard`: the last day on which the Special Data Dissemination Standard of the IMF lets it come out, because fewer than three first prints of the series are dated; null if there is no day */
  readonly next_expected_on_basis: 'publisher' | 'lag' | 'standard' | null
  readonly last_fetched_at: string | null
}

/** All indicators that are served */
export type CatalogIndicators = {
  readonly indicators: readonly CatalogIndicatorsIndicators[]
}

export type CatalogIndicatorsIndicators = {
  /** Indicator code, e.g. cpi */
  readonly code: string
  readonly name: string
  readonly description: string
  /** Family of its events */
  readonly family: string
  /** Members of the body that hold its figures */
  readonly figures: readonly string[]
  /** `currency`: named in each body */
  readonly unit: 'index' | 'percent' | 'currency'
  /** Address of its latest figure, with {country} in place of a code */
  readonly path: string
  /** Codes of the countries that have it */
  readonly countries: readonly string[]
}

/** Commodities, then currencies */
export type CatalogInstruments = {
  readonly instruments: readonly CatalogInstrumentsInstruments[]
}

export type CatalogInstrumentsInstruments = {
  /** Commodity code or ISO 4217 currency code */
  readonly code: string
  readonly kind: 'commodity' | 'currency'
  readonly name: string
  readonly unit: string | null
  readonly currency: string | null
  readonly stale_after_seconds: number | null
  /** Code of the market whose hours count */
  readonly market: string
}

export type CatalogPlans = {
  readonly plans: readonly CatalogPlansPlans[]
}

export type CatalogPlansPlans = {
  readonly code: 'free' | 'basic' | 'pro'
  readonly calls_per_month: number
  readonly calls_per_minute: number
  /** Open streams of prices, events and predictions together */
  readonly concurrent_streams: number
  /** Whether the plan includes the prices stream */
  readonly prices_stream: boolean
  /** Event families that the plan includes */
  readonly families: readonly string[]
}

/** Replay is done, live from here */
export type CaughtUp = {
  readonly type: 'caught_up'
  /** The next event to read */
  readonly cursor: string
}

/** Whether a figure was ever published, and what became of it */
export type CheckedClaim<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Indicator code, e.g. cpi */
  readonly indicator: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  readonly claim: CheckedClaimClaim<D>
  /** `current`: a request for the period is answered with this figure; `current_elsewhere`: another series has it, and another figure is served; `former`: it was published, and replaced or withdrawn since; `not_on_record`: no print of this period on record states it */
  readonly verdict: 'current' | 'current_elsewhere' | 'former' | 'not_on_record'
  /** The prints that state it, oldest first */
  readonly prints: readonly ClaimedPrint<D>[]
  /** What the period has now, figure by figure; empty if nothing */
  readonly served: readonly ServedFigure<D>[]
  /** When the newest release behind the answer was recorded */
  readonly as_of: string
}

export type CheckedClaimClaim<D = string> = {
  /** The claim as it was sent */
  readonly text: string
  /** The number that it states, with its scale applied */
  readonly value: D
  /** Half a unit of its last digit: a figure as far from it, or less, is rounded to it */
  readonly tolerance: D
  readonly unit: string | null
}

/** The stream has looked at every event before `cursor` */
export type Checkpoint = {
  readonly type: 'checkpoint'
  /** The next event to read */
  readonly cursor: string
}

/** A print that states the claimed figure */
export type ClaimedPrint<D = string> = {
  /** What is measured */
  readonly measure: 'cpi' | 'inflation' | 'unemployment' | 'labour_force_participation' | 'gdp' | 'gdp_growth' | 'merchandise_exports' | 'merchandise_imports' | 'merchandise_balance'
  /** A currency code, `percent` or `index` */
  readonly unit: string
  /** Change that the value is, in percent; empty: the level as published */
  readonly transformation: '' | 'year_over_year' | 'month_over_month' | 'year_to_date' | 'quarter_over_quarter'
  /** Decimal */
  readonly value: D
  /** Id of the series that the entry is from, as in the catalogue */
  readonly series: string
  /** Agency code of the publisher, e.g. BIS */
  readonly source: string
  /** Period in which the index equals base_value, or at whose prices a volume is; empty for others */
  readonly base_period: string
  /** Value of the index in base_period; empty for other units */
  readonly base_value: string
  /** Whether the figure is seasonally adjusted */
  readonly seasonal_adjustment: string
  /** Whether a quarter is given at its rate for a year */
  readonly annualization: string
  /** Day on which the value was released */
  readonly released_on: string
  /** `publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series */
  readonly released_on_basis: 'publisher' | 'dataset' | 'copy' | 'first_seen' | 'estimated'
  /** Id of the release; releases_get has its document */
  readonly release_id: string
  /** Address of the release */
  readonly link: string
  /** Whether no later print of its series has taken its place */
  readonly is_current: boolean
  /** Whether a request for the period is answered with it */
  readonly is_served: boolean
  readonly replaced_on: string | null
  readonly replaced_by: string | null
  readonly replacing_value: D | null
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

/** Data of economics.release.withdrawn: the Cpi in previous was withdrawn */
export type CpiWithdrawal<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Month, e.g. 2026-09 */
  readonly period: string
  /** Day of the withdrawal */
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
  /** The body that REST serves; for a revision also `previous`, the body it replaces; for a withdrawal only its country, period and day (`released_on`), and `previous`, the body that was served */
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
  readonly code: 'unauthorized' | 'revoked' | 'plan_upgrade_required' | 'stream_limit' | 'quota_unavailable' | 'command_limit' | 'subscribe_required' | 'slow_consumer' | 'resubscribe_required' | 'invalid_command' | 'invalid_frame' | 'filter_not_supported' | 'cursor_invalid' | 'cursor_ahead' | 'cursor_foreign' | 'cursor_superseded' | 'cursor_expired' | 'unavailable'
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

export type ExportEnd = {
  /** Everything before it has been examined: pages and the stream continue here */
  readonly cursor: string
  /** Number of events before this line */
  readonly count: number
  /** Whether the export has reached its end */
  readonly complete: boolean
  /** If it has not: why not, as the code of a problem */
  readonly code?: string | undefined
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

/** Data of economics.release.withdrawn: the GdpGrowth in previous was withdrawn */
export type GdpGrowthWithdrawal<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Quarter, e.g. 2026-Q3 */
  readonly period: string
  /** Day of the withdrawal */
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

/** Data of economics.release.withdrawn: the Gdp in previous was withdrawn */
export type GdpWithdrawal<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Quarter, e.g. 2026-Q3 */
  readonly period: string
  /** Day of the withdrawal */
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
  /** What the start still waits for, as `/ready` says it; left out once nothing */
  readonly starting?: string | undefined
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

/** Data of economics.release.withdrawn: the Inflation in previous was withdrawn */
export type InflationWithdrawal<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Month, e.g. 2026-09 */
  readonly period: string
  /** Day of the withdrawal */
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

/** Data of economics.release.withdrawn: the LabourForceParticipation in previous was withdrawn */
export type LabourForceParticipationWithdrawal<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  /** Day of the withdrawal */
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
  /** What is measured */
  readonly measure: 'cpi' | 'inflation' | 'unemployment' | 'labour_force_participation' | 'gdp' | 'gdp_growth' | 'merchandise_exports' | 'merchandise_imports' | 'merchandise_balance'
  /** The figure; null only if it is transformed or aggregated and does not exist: see `missing` */
  readonly value: D | null
  /** A currency code, `percent` or `index`; for differences of percentages `percentage_points`, for logarithms `log` */
  readonly unit: string
  /** Change that the value is, in percent: year_over_year, month_over_month, year_to_date, quarter_over_quarter; empty: the level as published. With `units`, the code of the transformation, e.g. `pc1`, for a change `chg:year_over_year` */
  readonly transformation: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  /** How the periods of a higher frequency were aggregated; absent if they were not */
  readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
  /** Why the value is null: no_predecessor: the period that it compares with has no figure; other_series: only another series has the other periods that it needs; incomplete: not every period of the aggregate has a figure; not_positive: a rate needs a base above zero; cch, cca and log also a figure above zero, pca one that is not negative; out_of_range: the result has more than 64 characters */
  readonly missing?: 'no_predecessor' | 'other_series' | 'incomplete' | 'not_positive' | 'out_of_range' | undefined
}

/** One page of the history of exports, read from one snapshot */
export type ObservationList<D = string> = {
  readonly observations: readonly Observation<D>[]
  readonly next_cursor: string | null
  /** When the newest release of the snapshot was recorded */
  readonly as_of: string
}

/** All candles of a pair in a range, oldest first */
export type PairCandles<D = string> = {
  /** Commodity and currency, or two currencies, with a hyphen between: XAU-USD, EUR-JPY */
  readonly symbol: string
  readonly interval: '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d' | '1w' | '1M'
  /** True if no source quotes the pair, so that its candles are computed from those of other pairs */
  readonly derived: boolean
  readonly candles: readonly Candle<D>[]
  /** Time of the newest price; null if there is none since `start`. A candle whose interval has not ended by then still grows */
  readonly as_of: string | null
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

/** A document: its publisher, address, licence and SHA-256, when it was fetched, the copy and the file through which it was read, and the place in it */
export type Provenance = {
  /** Name of the organisation, for people */
  readonly publisher: string
  /** Address of the document at its publisher, or of the local file that was read */
  readonly url: string
  /** Terms under which the publisher makes the figure available */
  readonly licence: string
  readonly retrieved_at: string | null
  readonly sha256: string | null
  /** Place in the document, or in `file` if there is one, e.g. line 12 */
  readonly location: string
  /** The copy through which the figure came: who holds it (`holder`), its address and revision there, the day on which it was there (`held_on`), and whether the figures were typed from it by hand (`is_transcribed`). Null if the publisher’s own document was read */
  readonly copy: ProvenanceCopy | null
  /** The file in Almanac’s own format that states the figure, with its SHA-256; null if the document itself was read */
  readonly file: ProvenanceFile | null
}

export type ProvenanceCopy = {
  /** Keeper of the copy, e.g. github.com/OWNER/NAME */
  readonly holder: string
  readonly url: string | null
  readonly revision: string | null
  readonly held_on: string | null
  /** Whether the figures were typed from the copy by hand */
  readonly is_transcribed: boolean
}

export type ProvenanceFile = {
  /** Name of the file, without its folder */
  readonly name: string
  /** SHA-256 of the file, hexadecimal */
  readonly sha256: string
}

export type Ready = {
  readonly type: 'ready'
}

/** A release: one or more figures of one series and period. revised_by, is_current and is_served say how things stand now; event is null until it is published. Nothing else ever changes */
export type ReleaseDetail<D = string> = {
  /** `rel_` and 26 characters of Crockford’s base32 */
  readonly release_id: string
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Indicator code, e.g. cpi */
  readonly indicator: string
  readonly series: Series
  /** What the figures measure */
  readonly period: string
  /** Decimals by the member of the body; empty if the publisher has withdrawn them */
  readonly figures: Readonly<Record<string, D>>
  /** The figures as the publisher printed them; null if they are derived, because nobody printed them */
  readonly printed: Readonly<Record<string, string>> | null
  readonly revises: string | null
  readonly revised_by: string | null
  /** Calendar date, ISO 8601 */
  readonly released_on: string
  /** `publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series */
  readonly released_on_basis: string
  /** When this service accepted the release */
  readonly recorded_at: string
  /** Whether a later print was on record already when this one was accepted: it never was current */
  readonly late: boolean
  readonly redates: string | null
  readonly voids: string | null
  /** Whether no release has taken the place of this one */
  readonly is_current: boolean
  /** Whether the record in `revised_by` voids this release: by the dates of its inputs it never was true, and no history has it */
  readonly is_voided: boolean
  /** Whether this release is in the history of the indicator, and answers a request for its period unless it lacks a figure of the body */
  readonly is_served: boolean
  /** The document: its publisher, address and SHA-256, when it was fetched, its licence, the copy through which it came and the place in it; null if the figures are derived, see inputs */
  readonly provenance: Provenance | null
  /** The approval by a person, if the figures were held as implausible: why they were held (`held_for`), why they are right (`because`), and the id of the held figures (`input_id`). It was given at recorded_at. Null if they were not held */
  readonly approval: ReleaseDetailApproval | null
  /** The rule by which the figures are computed; empty: as published */
  readonly derivation: string
  /** The releases from which the figures were computed; empty if they are published ones */
  readonly inputs: readonly ReleaseInput<D>[]
  /** The public event of the release; null if it made none, because its series is not served or it lacks a figure, or if it is not published yet */
  readonly event: ReleaseDetailEvent | null
  readonly link: string | null
}

export type ReleaseDetailApproval = {
  /** Why the figures were held, e.g. held_jump */
  readonly held_for: string
  /** Why they are right, as the person said */
  readonly because: string
  /** Id of the held figures in quarantine */
  readonly input_id: string
}

export type ReleaseDetailEvent = {
  /** Id of the event; events_get has it */
  readonly id: string
  /** Its place in the event journal, zero-padded to 20 digits */
  readonly sequence: string
  /** Instant, ISO 8601, UTC, milliseconds */
  readonly time: string
}

/** A release from which another one is computed */
export type ReleaseInput<D = string> = {
  /** `rel_` and 26 characters of Crockford’s base32 */
  readonly release_id: string
  /** Indicator code, e.g. gdp-volume */
  readonly indicator: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  /** Decimals by the member of the body; empty if the publisher has withdrawn them */
  readonly figures: Readonly<Record<string, D>>
  /** Its document; null if it is derived itself */
  readonly provenance: ReleaseInputProvenance | null
  /** Address of the release */
  readonly link: string
}

/** A document: its publisher, address, licence and SHA-256, when it was fetched, the copy and the file through which it was read, and the place in it */
export type ReleaseInputProvenance = {
  /** Name of the organisation, for people */
  readonly publisher: string
  /** Address of the document at its publisher, or of the local file that was read */
  readonly url: string
  /** Terms under which the publisher makes the figure available */
  readonly licence: string
  readonly retrieved_at: string | null
  readonly sha256: string | null
  /** Place in the document, or in `file` if there is one, e.g. line 12 */
  readonly location: string
  /** The copy through which the figure came: who holds it (`holder`), its address and revision there, the day on which it was there (`held_on`), and whether the figures were typed from it by hand (`is_transcribed`). Null if the publisher’s own document was read */
  readonly copy: ReleaseInputProvenanceCopy | null
  /** The file in Almanac’s own format that states the figure, with its SHA-256; null if the document itself was read */
  readonly file: ReleaseInputProvenanceFile | null
}

export type ReleaseInputProvenanceCopy = {
  /** Keeper of the copy, e.g. github.com/OWNER/NAME */
  readonly holder: string
  readonly url: string | null
  readonly revision: string | null
  readonly held_on: string | null
  /** Whether the figures were typed from the copy by hand */
  readonly is_transcribed: boolean
}

export type ReleaseInputProvenanceFile = {
  /** Name of the file, without its folder */
  readonly name: string
  /** SHA-256 of the file, hexadecimal */
  readonly sha256: string
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

/** Something that a search found */
export type SearchHit = {
  /** `figures`: an indicator of a country; `series`: one series of a publisher; `pair`: a price or an exchange rate; `topic`: a statistic that is known and not served */
  readonly kind: 'figures' | 'indicator' | 'series' | 'country' | 'commodity' | 'currency' | 'pair' | 'topic'
  /** Name in English */
  readonly name: string
  readonly country: string | null
  readonly indicator: string | null
  readonly instrument: string | null
  readonly publishers_id: string | null
  readonly series: string | null
  /** Whether `operation` answers with figures or prices of it now */
  readonly is_served: boolean
  /** The periods that are on record; empty for what is not figures of a country */
  readonly frequencies: readonly SearchHitFrequencies[]
  readonly operation: string | null
  readonly link: string | null
  /** How it was found: by its `code`, by its whole `name` or a synonym, in another `spelling`, or by a `part` of its name */
  readonly matched: 'code' | 'name' | 'spelling' | 'part'
  readonly note: string | null
}

export type SearchHitFrequencies = {
  /** A, Q or M: by year, quarter or month (SDMX CL_FREQ) */
  readonly frequency: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly first_period: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly last_period: string
}

/** What a text may mean, and what of it is served */
export type SearchResult = {
  /** The text as it was sent */
  readonly query: string
  /** The best hits, best first */
  readonly hits: readonly SearchHit[]
  /** Number of all hits, also of those beyond the limit */
  readonly hits_found: number
  /** Words of the text that no hit has */
  readonly unknown_words: readonly string[]
}

export type Series = {
  /** All other members in one line, e.g. USA.cpi.M.BIS.WS_LONG_CPI.index.NSA */
  readonly id: string
  /** Indicator code */
  readonly indicator: string
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** A, Q or M (SDMX CL_FREQ) */
  readonly frequency: string
  /** Agency code of the publisher, e.g. BIS */
  readonly source: string
  /** The publisher’s own name of the dataset or series */
  readonly dataset: string
  /** ISO 4217 currency, `percent` or `index` */
  readonly unit: string
  readonly seasonal_adjustment: string
  readonly annualization: string
  /** Period in which the index equals base_value, or at whose prices a volume is; empty for others */
  readonly base_period: string
  /** Value of the index in base_period; empty for other units */
  readonly base_value: string
  /** How the figures are derived from other releases, or empty as published */
  readonly derivation: string
}

/** A figure of a period, with the series that it is from and the day of its release */
export type SeriesObservation<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** What is measured */
  readonly measure: 'cpi' | 'inflation' | 'unemployment' | 'labour_force_participation' | 'gdp' | 'gdp_growth' | 'merchandise_exports' | 'merchandise_imports' | 'merchandise_balance'
  /** The figure; null only if it is transformed or aggregated and does not exist: see `missing` */
  readonly value: D | null
  /** A currency code, `percent` or `index`; for differences of percentages `percentage_points`, for logarithms `log` */
  readonly unit: string
  /** Change that the value is, in percent: year_over_year, month_over_month, year_to_date, quarter_over_quarter; empty: the level as published. With `units`, the code of the transformation, e.g. `pc1`, for a change `chg:year_over_year` */
  readonly transformation: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  /** Id of the series that the entry is from, as in the catalogue */
  readonly series: string
  /** Agency code of the publisher, e.g. BIS */
  readonly source: string
  /** Period in which the index equals base_value, or at whose prices a volume is; empty for others */
  readonly base_period: string
  /** Value of the index in base_period; empty for other units */
  readonly base_value: string
  /** Whether the figure is seasonally adjusted */
  readonly seasonal_adjustment: string
  /** Whether a quarter is given at its rate for a year */
  readonly annualization: string
  /** Day on which the value was released; if it is computed, the latest day of what it is computed from */
  readonly released_on: string
  /** `publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series */
  readonly released_on_basis: 'publisher' | 'dataset' | 'copy' | 'first_seen' | 'estimated'
  /** How the periods of a higher frequency were aggregated; absent if they were not */
  readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
  /** Why the value is null: no_predecessor: the period that it compares with has no figure; other_series: only another series has the other periods that it needs; incomplete: not every period of the aggregate has a figure; not_positive: a rate needs a base above zero; cch, cca and log also a figure above zero, pca one that is not negative; out_of_range: the result has more than 64 characters */
  readonly missing?: 'no_predecessor' | 'other_series' | 'incomplete' | 'not_positive' | 'out_of_range' | undefined
}

/** One page of a history, read from one snapshot */
export type SeriesObservationList<D = string> = {
  readonly observations: readonly SeriesObservation<D>[]
  readonly next_cursor: string | null
  /** When the newest release of the snapshot was recorded */
  readonly as_of: string
}

/** A figure as it stands now */
export type ServedFigure<D = string> = {
  /** What is measured */
  readonly measure: 'cpi' | 'inflation' | 'unemployment' | 'labour_force_participation' | 'gdp' | 'gdp_growth' | 'merchandise_exports' | 'merchandise_imports' | 'merchandise_balance'
  /** A currency code, `percent` or `index` */
  readonly unit: string
  /** Change that the value is, in percent; empty: the level as published */
  readonly transformation: '' | 'year_over_year' | 'month_over_month' | 'year_to_date' | 'quarter_over_quarter'
  /** Decimal */
  readonly value: D
  /** Id of the series that the entry is from, as in the catalogue */
  readonly series: string
  /** Agency code of the publisher, e.g. BIS */
  readonly source: string
  /** Period in which the index equals base_value, or at whose prices a volume is; empty for others */
  readonly base_period: string
  /** Value of the index in base_period; empty for other units */
  readonly base_value: string
  /** Whether the figure is seasonally adjusted */
  readonly seasonal_adjustment: string
  /** Whether a quarter is given at its rate for a year */
  readonly annualization: string
  /** Day on which the value was released */
  readonly released_on: string
  /** `publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series */
  readonly released_on_basis: 'publisher' | 'dataset' | 'copy' | 'first_seen' | 'estimated'
  /** Id of the release; releases_get has its document */
  readonly release_id: string
  /** Address of the release */
  readonly link: string
}

export type SourceInterruption = {
  /** Source of prices, e.g. feed */
  readonly source: string
  /** Time of the last price before the outage, of any instrument */
  readonly since: string
  /** When the first price after it came */
  readonly until: string
  /** Number of instruments whose prices of this source were stale */
  readonly instruments: number
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
  /** Instead of a cursor: the first event with this sequence (digits), or recorded at or after this instant (RFC 3339) or date (UTC), as in GET /v1/events. Before the oldest: the oldest; a time after the newest: the next to come; a sequence beyond that is refused */
  readonly start?: string | undefined
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

/** A price of a source */
export type Tick<D = string> = {
  /** Time at which the source observed the price */
  readonly observed_at: string
  /** Price as the source gave it */
  readonly price: D
  /** Source of the price */
  readonly source: string
  /** Time at which the price was recorded in the journal */
  readonly recorded_at: string
}

/** One page of ticks, oldest first, from one snapshot */
export type TickList<D = string> = {
  /** Commodity and currency, or two currencies, with a hyphen between: XAU-USD, EUR-JPY */
  readonly symbol: string
  readonly ticks: readonly Tick<D>[]
  readonly next_cursor: string | null
  /** Time at which the newest tick of the snapshot was recorded; null if there is none yet */
  readonly as_of: string | null
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

/** Data of economics.release.withdrawn: the TradeExports in previous was withdrawn */
export type TradeExportsWithdrawal<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year or month, e.g. 2025 or 2026-09 */
  readonly period: string
  /** Day of the withdrawal */
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

/** Data of economics.release.withdrawn: the TradeImports in previous was withdrawn */
export type TradeImportsWithdrawal<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year or month, e.g. 2025 or 2026-09 */
  readonly period: string
  /** Day of the withdrawal */
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

/** Data of economics.release.withdrawn: the TradeSummary in previous was withdrawn */
export type TradeSummaryWithdrawal<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year or month, e.g. 2025 or 2026-09 */
  readonly period: string
  /** Day of the withdrawal */
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

/** Data of economics.release.withdrawn: the Unemployment in previous was withdrawn */
export type UnemploymentWithdrawal<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  /** Day of the withdrawal */
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

/** What was answered for a period from a day on, with the release that it is from */
export type Vintage<D = string> = {
  /** ISO 3166-1 alpha-3 country code */
  readonly country: string
  /** What is measured */
  readonly measure: 'cpi' | 'inflation' | 'unemployment' | 'labour_force_participation' | 'gdp' | 'gdp_growth' | 'merchandise_exports' | 'merchandise_imports' | 'merchandise_balance'
  /** The figure; null if there is none from then on: it was withdrawn, or the series that answers does not have it */
  readonly value: D | null
  /** A currency code, `percent` or `index` */
  readonly unit: string
  /** Change that the value is, in percent; empty: the level as published */
  readonly transformation: '' | 'year_over_year' | 'month_over_month' | 'year_to_date' | 'quarter_over_quarter'
  /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
  readonly period: string
  /** Id of the series that the entry is from, as in the catalogue */
  readonly series: string
  /** Agency code of the publisher, e.g. BIS */
  readonly source: string
  /** Period in which the index equals base_value, or at whose prices a volume is; empty for others */
  readonly base_period: string
  /** Value of the index in base_period; empty for other units */
  readonly base_value: string
  /** Whether the figure is seasonally adjusted */
  readonly seasonal_adjustment: string
  /** Whether a quarter is given at its rate for a year */
  readonly annualization: string
  /** First day on which this was the answer: `released_on`, or a later day on which the series that answered before lost the figure */
  readonly valid_from: string
  /** Day on which the value was released */
  readonly released_on: string
  /** `publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series */
  readonly released_on_basis: 'publisher' | 'dataset' | 'copy' | 'first_seen' | 'estimated'
  /** Id of the release */
  readonly release_id: string
  readonly revises: string | null
  /** When the release was recorded here */
  readonly recorded_at: string
}

/** One page of what was answered for the periods over time, read from one snapshot */
export type VintageList<D = string> = {
  readonly vintages: readonly Vintage<D>[]
  readonly next_cursor: string | null
  /** When the newest release of the snapshot was recorded */
  readonly as_of: string
}

/** Every schema by its name, which is also the last part of an event’s `dataschema`. */

export type Schemas<D = string> = {
  readonly Calendar: Calendar<D>
  readonly CalendarEntry: CalendarEntry<D>
  readonly CalendarNotice: CalendarNotice
  readonly Candle: Candle<D>
  readonly CandleList: CandleList<D>
  readonly CandlesOfPairs: CandlesOfPairs<D>
  readonly Catalog: Catalog
  readonly CatalogCountries: CatalogCountries
  readonly CatalogCountriesCountries: CatalogCountriesCountries
  readonly CatalogEntry: CatalogEntry
  readonly CatalogIndicators: CatalogIndicators
  readonly CatalogIndicatorsIndicators: CatalogIndicatorsIndicators
  readonly CatalogInstruments: CatalogInstruments
  readonly CatalogInstrumentsInstruments: CatalogInstrumentsInstruments
  readonly CatalogPlans: CatalogPlans
  readonly CatalogPlansPlans: CatalogPlansPlans
  readonly CaughtUp: CaughtUp
  readonly CheckedClaim: CheckedClaim<D>
  readonly CheckedClaimClaim: CheckedClaimClaim<D>
  readonly Checkpoint: Checkpoint
  readonly ClaimedPrint: ClaimedPrint<D>
  readonly CommodityPrice: CommodityPrice<D>
  readonly Cpi: Cpi<D>
  readonly CpiRevision: CpiRevision<D>
  readonly CpiWithdrawal: CpiWithdrawal<D>
  readonly Event: Event
  readonly EventMessage: EventMessage
  readonly EventPage: EventPage
  readonly EventsError: EventsError
  readonly EventsHeartbeat: EventsHeartbeat
  readonly EventsSubscribed: EventsSubscribed
  readonly ExportEnd: ExportEnd
  readonly FxPrice: FxPrice<D>
  readonly FxRate: FxRate<D>
  readonly FxRates: FxRates<D>
  readonly Gdp: Gdp<D>
  readonly GdpGrowth: GdpGrowth<D>
  readonly GdpGrowthRevision: GdpGrowthRevision<D>
  readonly GdpGrowthWithdrawal: GdpGrowthWithdrawal<D>
  readonly GdpRevision: GdpRevision<D>
  readonly GdpWithdrawal: GdpWithdrawal<D>
  readonly Health: Health
  readonly Heartbeat: Heartbeat
  readonly Inflation: Inflation<D>
  readonly InflationRevision: InflationRevision<D>
  readonly InflationWithdrawal: InflationWithdrawal<D>
  readonly LabourForceParticipation: LabourForceParticipation<D>
  readonly LabourForceParticipationRevision: LabourForceParticipationRevision<D>
  readonly LabourForceParticipationWithdrawal: LabourForceParticipationWithdrawal<D>
  readonly MarketSessionChange: MarketSessionChange
  readonly Notice: Notice
  readonly Observation: Observation<D>
  readonly ObservationList: ObservationList<D>
  readonly PairCandles: PairCandles<D>
  readonly Ping: Ping
  readonly Pong: Pong
  readonly Prediction: Prediction<D>
  readonly PredictionMessage: PredictionMessage<D>
  readonly PredictionsError: PredictionsError
  readonly PricesError: PricesError
  readonly Problem: Problem
  readonly Provenance: Provenance
  readonly ProvenanceCopy: ProvenanceCopy
  readonly ProvenanceFile: ProvenanceFile
  readonly Ready: Ready
  readonly ReleaseDetail: ReleaseDetail<D>
  readonly ReleaseDetailApproval: ReleaseDetailApproval
  readonly ReleaseDetailEvent: ReleaseDetailEvent
  readonly ReleaseInput: ReleaseInput<D>
  readonly ReleaseInputProvenance: ReleaseInputProvenance
  readonly ReleaseInputProvenanceCopy: ReleaseInputProvenanceCopy
  readonly ReleaseInputProvenanceFile: ReleaseInputProvenanceFile
  readonly ScoredPrediction: ScoredPrediction<D>
  readonly SearchHit: SearchHit
  readonly SearchHitFrequencies: SearchHitFrequencies
  readonly SearchResult: SearchResult
  readonly Series: Series
  readonly SeriesObservation: SeriesObservation<D>
  readonly SeriesObservationList: SeriesObservationList<D>
  readonly ServedFigure: ServedFigure<D>
  readonly SourceInterruption: SourceInterruption
  readonly SpotPrice: SpotPrice<D>
  readonly StreamTicket: StreamTicket
  readonly StreamTicketRequest: StreamTicketRequest
  readonly SubscribeEvents: SubscribeEvents
  readonly SubscribePredictions: SubscribePredictions
  readonly SubscribePrices: SubscribePrices
  readonly SubscribePricesCommodities: SubscribePricesCommodities
  readonly SubscribePricesFx: SubscribePricesFx
  readonly Subscribed: Subscribed
  readonly Tick: Tick<D>
  readonly TickList: TickList<D>
  readonly TradeExports: TradeExports<D>
  readonly TradeExportsRevision: TradeExportsRevision<D>
  readonly TradeExportsWithdrawal: TradeExportsWithdrawal<D>
  readonly TradeImports: TradeImports<D>
  readonly TradeImportsRevision: TradeImportsRevision<D>
  readonly TradeImportsWithdrawal: TradeImportsWithdrawal<D>
  readonly TradeProductFilter: TradeProductFilter
  readonly TradeSummary: TradeSummary<D>
  readonly TradeSummaryRevision: TradeSummaryRevision<D>
  readonly TradeSummaryWithdrawal: TradeSummaryWithdrawal<D>
  readonly Unemployment: Unemployment<D>
  readonly UnemploymentRevision: UnemploymentRevision<D>
  readonly UnemploymentWithdrawal: UnemploymentWithdrawal<D>
  readonly Usage: Usage
  readonly UsageLimits: UsageLimits
  readonly Vintage: Vintage<D>
  readonly VintageList: VintageList<D>
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
  /** Consumer price index: history, page by page from one snapshot */
  readonly economics_list_cpi_observations: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** Figures as they were known on this day, by the dates of their releases (`released_on`). Left out: as they are known now */
      readonly as_of?: string | undefined
      /** M: months, Q: quarters, A: years. Left out: the frequency of the latest figure. With aggregation_method, made from a higher frequency */
      readonly frequency?: 'M' | 'Q' | 'A' | undefined
      /** Makes the periods of `frequency` from a higher one: average, sum or end of period. Only complete periods have a value */
      readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
      /** Transformation, after any aggregation. lin: level; chg: change from the period before; ch1: change from a year before; pch: percent change from the period before; pc1: percent change from a year before; pca: compounded annual rate of change; cch: continuously compounded rate of change; cca: continuously compounded annual rate of change; log: natural logarithm. Left out: lin */
      readonly units?: 'lin' | 'chg' | 'ch1' | 'pch' | 'pc1' | 'pca' | 'cch' | 'cca' | 'log' | undefined
      /** Order of the periods. asc: oldest first, the default; desc: newest first */
      readonly sort?: 'asc' | 'desc' | undefined
      /** For each period this print in place of the newest: first, second, third, or a number from 1 to 99. They are counted as in the vintages, a withdrawal is none, and a period with fewer prints has no entry. Not with units, aggregation_method or sort=desc */
      readonly print?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: SeriesObservationList<D>
  }
  /** Consumer price index: first prints and revisions, page by page from one snapshot */
  readonly economics_list_cpi_vintages: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Month, e.g. 2026-09; without start, end and frequency. Left out: all periods */
      readonly period?: string | undefined
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** M: months. Left out: the frequency of the latest figure */
      readonly frequency?: 'M' | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: VintageList<D>
  }
  /** Inflation: year over year, month over month, year to date: history, page by page from one snapshot */
  readonly economics_list_inflation_observations: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** Figures as they were known on this day, by the dates of their releases (`released_on`). Left out: as they are known now */
      readonly as_of?: string | undefined
      /** M: months, Q: quarters, A: years. Left out: the frequency of the latest figure. With aggregation_method, made from a higher frequency */
      readonly frequency?: 'M' | 'Q' | 'A' | undefined
      /** Makes the periods of `frequency` from a higher one: average, sum or end of period. Only complete periods have a value */
      readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
      /** Transformation, after any aggregation. lin: level; chg: change from the period before; ch1: change from a year before; pch: percent change from the period before; pc1: percent change from a year before; pca: compounded annual rate of change; cch: continuously compounded rate of change; cca: continuously compounded annual rate of change; log: natural logarithm. Left out: lin */
      readonly units?: 'lin' | 'chg' | 'ch1' | 'pch' | 'pc1' | 'pca' | 'cch' | 'cca' | 'log' | undefined
      /** Order of the periods. asc: oldest first, the default; desc: newest first */
      readonly sort?: 'asc' | 'desc' | undefined
      /** For each period this print in place of the newest: first, second, third, or a number from 1 to 99. They are counted as in the vintages, a withdrawal is none, and a period with fewer prints has no entry. Not with units, aggregation_method or sort=desc */
      readonly print?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: SeriesObservationList<D>
  }
  /** Inflation: year over year, month over month, year to date: first prints and revisions, page by page from one snapshot */
  readonly economics_list_inflation_vintages: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Month, e.g. 2026-09; without start, end and frequency. Left out: all periods */
      readonly period?: string | undefined
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** M: months. Left out: the frequency of the latest figure */
      readonly frequency?: 'M' | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: VintageList<D>
  }
  /** Unemployment rate: history, page by page from one snapshot */
  readonly economics_list_unemployment_observations: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** Figures as they were known on this day, by the dates of their releases (`released_on`). Left out: as they are known now */
      readonly as_of?: string | undefined
      /** M: months, Q: quarters, A: years. Left out: the frequency of the latest figure. With aggregation_method, made from a higher frequency */
      readonly frequency?: 'M' | 'Q' | 'A' | undefined
      /** Makes the periods of `frequency` from a higher one: average, sum or end of period. Only complete periods have a value */
      readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
      /** Transformation, after any aggregation. lin: level; chg: change from the period before; ch1: change from a year before; pch: percent change from the period before; pc1: percent change from a year before; pca: compounded annual rate of change; cch: continuously compounded rate of change; cca: continuously compounded annual rate of change; log: natural logarithm. Left out: lin */
      readonly units?: 'lin' | 'chg' | 'ch1' | 'pch' | 'pc1' | 'pca' | 'cch' | 'cca' | 'log' | undefined
      /** Order of the periods. asc: oldest first, the default; desc: newest first */
      readonly sort?: 'asc' | 'desc' | undefined
      /** For each period this print in place of the newest: first, second, third, or a number from 1 to 99. They are counted as in the vintages, a withdrawal is none, and a period with fewer prints has no entry. Not with units, aggregation_method or sort=desc */
      readonly print?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: SeriesObservationList<D>
  }
  /** Unemployment rate: first prints and revisions, page by page from one snapshot */
  readonly economics_list_unemployment_vintages: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3; without start, end and frequency. Left out: all periods */
      readonly period?: string | undefined
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** M: months, Q: quarters, A: years. Left out: the frequency of the latest figure */
      readonly frequency?: 'M' | 'Q' | 'A' | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: VintageList<D>
  }
  /** Labour force participation rate: history, page by page from one snapshot */
  readonly economics_list_labour_force_participation_observations: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** Figures as they were known on this day, by the dates of their releases (`released_on`). Left out: as they are known now */
      readonly as_of?: string | undefined
      /** M: months, Q: quarters, A: years. Left out: the frequency of the latest figure. With aggregation_method, made from a higher frequency */
      readonly frequency?: 'M' | 'Q' | 'A' | undefined
      /** Makes the periods of `frequency` from a higher one: average, sum or end of period. Only complete periods have a value */
      readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
      /** Transformation, after any aggregation. lin: level; chg: change from the period before; ch1: change from a year before; pch: percent change from the period before; pc1: percent change from a year before; pca: compounded annual rate of change; cch: continuously compounded rate of change; cca: continuously compounded annual rate of change; log: natural logarithm. Left out: lin */
      readonly units?: 'lin' | 'chg' | 'ch1' | 'pch' | 'pc1' | 'pca' | 'cch' | 'cca' | 'log' | undefined
      /** Order of the periods. asc: oldest first, the default; desc: newest first */
      readonly sort?: 'asc' | 'desc' | undefined
      /** For each period this print in place of the newest: first, second, third, or a number from 1 to 99. They are counted as in the vintages, a withdrawal is none, and a period with fewer prints has no entry. Not with units, aggregation_method or sort=desc */
      readonly print?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: SeriesObservationList<D>
  }
  /** Labour force participation rate: first prints and revisions, page by page from one snapshot */
  readonly economics_list_labour_force_participation_vintages: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3; without start, end and frequency. Left out: all periods */
      readonly period?: string | undefined
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** M: months, Q: quarters, A: years. Left out: the frequency of the latest figure */
      readonly frequency?: 'M' | 'Q' | 'A' | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: VintageList<D>
  }
  /** Gross domestic product at current prices: history, page by page from one snapshot */
  readonly economics_list_gdp_observations: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** Figures as they were known on this day, by the dates of their releases (`released_on`). Left out: as they are known now */
      readonly as_of?: string | undefined
      /** Q: quarters, A: years. Left out: the frequency of the latest figure. With aggregation_method, made from a higher frequency */
      readonly frequency?: 'Q' | 'A' | undefined
      /** Makes the periods of `frequency` from a higher one: average, sum or end of period. Only complete periods have a value */
      readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
      /** Transformation, after any aggregation. lin: level; chg: change from the period before; ch1: change from a year before; pch: percent change from the period before; pc1: percent change from a year before; pca: compounded annual rate of change; cch: continuously compounded rate of change; cca: continuously compounded annual rate of change; log: natural logarithm. Left out: lin */
      readonly units?: 'lin' | 'chg' | 'ch1' | 'pch' | 'pc1' | 'pca' | 'cch' | 'cca' | 'log' | undefined
      /** Order of the periods. asc: oldest first, the default; desc: newest first */
      readonly sort?: 'asc' | 'desc' | undefined
      /** For each period this print in place of the newest: first, second, third, or a number from 1 to 99. They are counted as in the vintages, a withdrawal is none, and a period with fewer prints has no entry. Not with units, aggregation_method or sort=desc */
      readonly print?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: SeriesObservationList<D>
  }
  /** Gross domestic product at current prices: first prints and revisions, page by page from one snapshot */
  readonly economics_list_gdp_vintages: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Quarter, e.g. 2026-Q3; without start, end and frequency. Left out: all periods */
      readonly period?: string | undefined
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** Q: quarters. Left out: the frequency of the latest figure */
      readonly frequency?: 'Q' | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: VintageList<D>
  }
  /** Growth of gross domestic product at constant prices: history, page by page from one snapshot */
  readonly economics_list_gdp_growth_observations: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** Figures as they were known on this day, by the dates of their releases (`released_on`). Left out: as they are known now */
      readonly as_of?: string | undefined
      /** Q: quarters, A: years. Left out: the frequency of the latest figure. With aggregation_method, made from a higher frequency */
      readonly frequency?: 'Q' | 'A' | undefined
      /** Makes the periods of `frequency` from a higher one: average, sum or end of period. Only complete periods have a value */
      readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
      /** Transformation, after any aggregation. lin: level; chg: change from the period before; ch1: change from a year before; pch: percent change from the period before; pc1: percent change from a year before; pca: compounded annual rate of change; cch: continuously compounded rate of change; cca: continuously compounded annual rate of change; log: natural logarithm. Left out: lin */
      readonly units?: 'lin' | 'chg' | 'ch1' | 'pch' | 'pc1' | 'pca' | 'cch' | 'cca' | 'log' | undefined
      /** Order of the periods. asc: oldest first, the default; desc: newest first */
      readonly sort?: 'asc' | 'desc' | undefined
      /** For each period this print in place of the newest: first, second, third, or a number from 1 to 99. They are counted as in the vintages, a withdrawal is none, and a period with fewer prints has no entry. Not with units, aggregation_method or sort=desc */
      readonly print?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: SeriesObservationList<D>
  }
  /** Growth of gross domestic product at constant prices: first prints and revisions, page by page from one snapshot */
  readonly economics_list_gdp_growth_vintages: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Quarter, e.g. 2026-Q3; without start, end and frequency. Left out: all periods */
      readonly period?: string | undefined
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** Q: quarters. Left out: the frequency of the latest figure */
      readonly frequency?: 'Q' | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: VintageList<D>
  }
  /** Merchandise trade: exports, imports and balance: history, page by page from one snapshot */
  readonly economics_list_trade_observations: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** Figures as they were known on this day, by the dates of their releases (`released_on`). Left out: as they are known now */
      readonly as_of?: string | undefined
      /** M: months, Q: quarters, A: years. Left out: the frequency of the latest figure. With aggregation_method, made from a higher frequency */
      readonly frequency?: 'M' | 'Q' | 'A' | undefined
      /** Makes the periods of `frequency` from a higher one: average, sum or end of period. Only complete periods have a value */
      readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
      /** Transformation, after any aggregation. lin: level; chg: change from the period before; ch1: change from a year before; pch: percent change from the period before; pc1: percent change from a year before; pca: compounded annual rate of change; cch: continuously compounded rate of change; cca: continuously compounded annual rate of change; log: natural logarithm. Left out: lin */
      readonly units?: 'lin' | 'chg' | 'ch1' | 'pch' | 'pc1' | 'pca' | 'cch' | 'cca' | 'log' | undefined
      /** Order of the periods. asc: oldest first, the default; desc: newest first */
      readonly sort?: 'asc' | 'desc' | undefined
      /** For each period this print in place of the newest: first, second, third, or a number from 1 to 99. They are counted as in the vintages, a withdrawal is none, and a period with fewer prints has no entry. Not with units, aggregation_method or sort=desc */
      readonly print?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: SeriesObservationList<D>
  }
  /** Merchandise trade: exports, imports and balance: first prints and revisions, page by page from one snapshot */
  readonly economics_list_trade_vintages: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Year or month, e.g. 2025 or 2026-09; without start, end and frequency. Left out: all periods */
      readonly period?: string | undefined
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** M: months, A: years. Left out: the frequency of the latest figure */
      readonly frequency?: 'M' | 'A' | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: VintageList<D>
  }
  /** History of merchandise exports, page by page from one snapshot */
  readonly economics_get_trade_exports_history: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** Figures as they were known on this day, by the dates of their releases (`released_on`). Left out: as they are known now */
      readonly as_of?: string | undefined
      /** M: months, Q: quarters, A: years. Left out: the frequency of the latest figure. With aggregation_method, made from a higher frequency */
      readonly frequency?: 'M' | 'Q' | 'A' | undefined
      /** Makes the periods of `frequency` from a higher one: average, sum or end of period. Only complete periods have a value */
      readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
      /** Transformation, after any aggregation. lin: level; chg: change from the period before; ch1: change from a year before; pch: percent change from the period before; pc1: percent change from a year before; pca: compounded annual rate of change; cch: continuously compounded rate of change; cca: continuously compounded annual rate of change; log: natural logarithm. Left out: lin */
      readonly units?: 'lin' | 'chg' | 'ch1' | 'pch' | 'pc1' | 'pca' | 'cch' | 'cca' | 'log' | undefined
      /** Order of the periods. asc: oldest first, the default; desc: newest first */
      readonly sort?: 'asc' | 'desc' | undefined
      /** For each period this print in place of the newest: first, second, third, or a number from 1 to 99. They are counted as in the vintages, a withdrawal is none, and a period with fewer prints has no entry. Not with units, aggregation_method or sort=desc */
      readonly print?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: ObservationList<D>
  }
  /** Merchandise exports: first prints and revisions, page by page from one snapshot */
  readonly economics_list_trade_exports_vintages: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Year or month, e.g. 2025 or 2026-09; without start, end and frequency. Left out: all periods */
      readonly period?: string | undefined
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** M: months, A: years. Left out: the frequency of the latest figure */
      readonly frequency?: 'M' | 'A' | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: VintageList<D>
  }
  /** Merchandise imports: history, page by page from one snapshot */
  readonly economics_list_trade_imports_observations: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** Figures as they were known on this day, by the dates of their releases (`released_on`). Left out: as they are known now */
      readonly as_of?: string | undefined
      /** M: months, Q: quarters, A: years. Left out: the frequency of the latest figure. With aggregation_method, made from a higher frequency */
      readonly frequency?: 'M' | 'Q' | 'A' | undefined
      /** Makes the periods of `frequency` from a higher one: average, sum or end of period. Only complete periods have a value */
      readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
      /** Transformation, after any aggregation. lin: level; chg: change from the period before; ch1: change from a year before; pch: percent change from the period before; pc1: percent change from a year before; pca: compounded annual rate of change; cch: continuously compounded rate of change; cca: continuously compounded annual rate of change; log: natural logarithm. Left out: lin */
      readonly units?: 'lin' | 'chg' | 'ch1' | 'pch' | 'pc1' | 'pca' | 'cch' | 'cca' | 'log' | undefined
      /** Order of the periods. asc: oldest first, the default; desc: newest first */
      readonly sort?: 'asc' | 'desc' | undefined
      /** For each period this print in place of the newest: first, second, third, or a number from 1 to 99. They are counted as in the vintages, a withdrawal is none, and a period with fewer prints has no entry. Not with units, aggregation_method or sort=desc */
      readonly print?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: SeriesObservationList<D>
  }
  /** Merchandise imports: first prints and revisions, page by page from one snapshot */
  readonly economics_list_trade_imports_vintages: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** Year or month, e.g. 2025 or 2026-09; without start, end and frequency. Left out: all periods */
      readonly period?: string | undefined
      /** First period, inclusive; a year means its January, a quarter its first month */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December, a quarter its last month */
      readonly end?: string | undefined
      /** M: months, A: years. Left out: the frequency of the latest figure */
      readonly frequency?: 'M' | 'A' | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: VintageList<D>
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
  /** Candles of a pair: first, highest, lowest and last price of each interval */
  readonly prices_list_candles: {
    readonly args: {
      /** Commodity and currency, or two currencies, with a hyphen between: XAU-USD, EUR-JPY */
      readonly symbol: string
      /** Length of a candle: m is minutes, h hours, d days, w weeks, M months. Left out: 1d */
      readonly interval?: '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d' | '1w' | '1M' | undefined
      /** First candle: the first that begins at or after this instant (RFC 3339) or date (UTC) */
      readonly start?: string | undefined
      /** Last candle: the last that begins at or before this instant (RFC 3339), or on this date (UTC) */
      readonly end?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same interval, start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: CandleList<D>
  }
  /** Candles of several pairs in one call */
  readonly prices_list_candles_of_pairs: {
    readonly args: {
      /** The pairs, in the order of the answer */
      readonly symbol: readonly string[]
      /** Length of a candle: m is minutes, h hours, d days, w weeks, M months. Left out: 1d */
      readonly interval?: '1m' | '5m' | '15m' | '30m' | '1h' | '4h' | '1d' | '1w' | '1M' | undefined
      /** First candle: the first that begins at or after this instant (RFC 3339) or date (UTC) */
      readonly start: string
      /** Last candle: the last that begins at or before this instant (RFC 3339), or on this date (UTC). Left out: the newest */
      readonly end?: string | undefined
    }
    readonly answer: CandlesOfPairs<D>
  }
  /** Ticks of a pair: each price as its source gave it */
  readonly prices_list_ticks: {
    readonly args: {
      /** Commodity and currency, or two currencies, with a hyphen between: XAU-USD, EUR-JPY */
      readonly symbol: string
      /** Ticks observed at or after this instant (RFC 3339) or date (UTC) */
      readonly start?: string | undefined
      /** Ticks observed at or before this instant (RFC 3339), or on this date (UTC) */
      readonly end?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page. Send it alone or with the same interval, start and end; any limit is allowed */
      readonly cursor?: string | undefined
    }
    readonly answer: TickList<D>
  }
  /** The public event journal, page by page from a cursor */
  readonly events_list: {
    readonly args: {
      /** Only events about these countries; events of prices have no country */
      readonly country?: readonly string[] | undefined
      /** Only events of these families. Left out: all that the plan has */
      readonly family?: readonly ('inflation' | 'labour' | 'output' | 'trade' | 'predictions' | 'commodities' | 'fx' | 'prices' | 'calendar')[] | undefined
      /** Only events of these types. Left out: all */
      readonly type?: readonly ('economics.release.published' | 'economics.release.revised' | 'economics.release.withdrawn' | 'prices.instrument.stale' | 'prices.instrument.recovered' | 'prices.source.interrupted' | 'prices.session.opened' | 'prices.session.closed' | 'predictions.prediction.updated' | 'predictions.prediction.scored' | 'calendar.release.expected' | 'calendar.release.late' | 'calendar.release.cancelled' | 'calendar.release.restored' | 'calendar.release.never_published')[] | undefined
      /** A cursor from an earlier answer; `earliest`: start at the oldest event; `latest`: only new events. Left out: earliest */
      readonly cursor?: string | undefined
      /** The first event with this sequence (digits), or recorded at or after this instant (RFC 3339) or date (UTC), e.g. 42, 2026-09-01T08:00:00Z or 2026-09-01. Before the oldest: the oldest; a time after the newest: the next to come; a sequence beyond that is refused. Not together with cursor */
      readonly start?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
    }
    readonly answer: EventPage
  }
  /** A slice of the public event journal in one answer */
  readonly events_export: {
    readonly args: {
      /** Only events about these countries; events of prices have no country */
      readonly country?: readonly string[] | undefined
      /** Only events of these families. Left out: all that the plan has */
      readonly family?: readonly ('inflation' | 'labour' | 'output' | 'trade' | 'predictions' | 'commodities' | 'fx' | 'prices' | 'calendar')[] | undefined
      /** Only events of these types. Left out: all */
      readonly type?: readonly ('economics.release.published' | 'economics.release.revised' | 'economics.release.withdrawn' | 'prices.instrument.stale' | 'prices.instrument.recovered' | 'prices.source.interrupted' | 'prices.session.opened' | 'prices.session.closed' | 'predictions.prediction.updated' | 'predictions.prediction.scored' | 'calendar.release.expected' | 'calendar.release.late' | 'calendar.release.cancelled' | 'calendar.release.restored' | 'calendar.release.never_published')[] | undefined
      /** A cursor from an earlier answer; `earliest`: start at the oldest event; `latest`: only new events. Left out: earliest */
      readonly cursor?: string | undefined
      /** The first event with this sequence (digits), or recorded at or after this instant (RFC 3339) or date (UTC), e.g. 42, 2026-09-01T08:00:00Z or 2026-09-01. Before the oldest: the oldest; a time after the newest: the next to come; a sequence beyond that is refused. Not together with cursor */
      readonly start?: string | undefined
      /** The last event with this sequence (digits), or recorded at or before this instant (RFC 3339) or on this date (UTC). Left out: the newest at the time of the call */
      readonly end?: string | undefined
    }
    readonly answer: string
  }
  /** One event */
  readonly events_get: {
    readonly args: {
      /** `evt_` and 26 characters of Crockford’s base32 */
      readonly event_id: string
    }
    readonly answer: Event
  }
  /** The catalogue: every series with its publisher, span, last release and the next one expected */
  readonly catalog_list: {
    readonly args: {
      /** Only series of these countries. Left out: all */
      readonly country?: readonly string[] | undefined
      /** Only series of these indicators: cpi, inflation, unemployment, labour-force-participation, gdp, gdp-growth, gdp-volume, trade, trade-exports, trade-imports. Left out: all */
      readonly indicator?: readonly string[] | undefined
    }
    readonly answer: Catalog
  }
  /** Countries that have figures, and which */
  readonly catalog_countries: {
    readonly args: Readonly<Record<string, never>>
    readonly answer: CatalogCountries
  }
  /** Indicators, and the countries that have them */
  readonly catalog_indicators: {
    readonly args: Readonly<Record<string, never>>
    readonly answer: CatalogIndicators
  }
  /** Commodities and currencies that are priced */
  readonly catalog_instruments: {
    readonly args: Readonly<Record<string, never>>
    readonly answer: CatalogInstruments
  }
  /** Plans and their limits */
  readonly catalog_plans: {
    readonly args: Readonly<Record<string, never>>
    readonly answer: CatalogPlans
  }
  /** Where a figure comes from: its document, its inputs, and what it revised */
  readonly releases_get: {
    readonly args: {
      /** Id of a release, or of an event `economics.release.…`, which stands for its release */
      readonly release_id: string
    }
    readonly answer: ReleaseDetail<D>
  }
  /** Several countries and indicators at one moment, as one wide table */
  readonly panel_get: {
    readonly args: {
      /** The countries, in the order of the columns */
      readonly country: readonly string[]
      /** The indicators, in the order of the columns of a country */
      readonly indicator: readonly string[]
      /** M: months, Q: quarters, A: years. With aggregation_method, figures of shorter periods are aggregated to it, else only those published for it are given */
      readonly frequency: 'M' | 'Q' | 'A'
      /** First period, inclusive; a year means its January */
      readonly start?: string | undefined
      /** Last period, inclusive; a year means its December */
      readonly end?: string | undefined
      /** Figures as they were known on this day, by the dates of their releases. Left out: as they are now */
      readonly as_of?: string | undefined
      /** Transformation, after any aggregation. lin: level; chg: change from the period before; ch1: change from a year before; pch: percent change from the period before; pc1: percent change from a year before; pca: compounded annual rate of change; cch: continuously compounded rate of change; cca: continuously compounded annual rate of change; log: natural logarithm. Left out: lin */
      readonly units?: 'lin' | 'chg' | 'ch1' | 'pch' | 'pc1' | 'pca' | 'cch' | 'cca' | 'log' | undefined
      /** Makes the periods of `frequency` from a higher one: average, sum or end of period. Only complete periods have a value */
      readonly aggregation_method?: 'avg' | 'sum' | 'eop' | undefined
      /** rows: above the header, rows that begin with # say of each column its unit, transformation, base, seasonal adjustment, sources, series, what the dates of its figures rest on, and from which period on each of its series answers. Left out: none */
      readonly about?: 'none' | 'rows' | undefined
    }
    readonly answer: string
  }
  /** Whether a figure that somebody states was ever published, and is still current */
  readonly claims_verify: {
    readonly args: {
      /** ISO 3166-1 alpha-3 country code */
      readonly country: string
      /** One of cpi, inflation, unemployment, labour-force-participation, gdp, gdp-growth, trade, trade-exports, trade-imports */
      readonly indicator: string
      /** Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3 */
      readonly period: string
      /** The figure as it is stated, e.g. 330.213, 3.2 %, 32.5 trillion or USD 32,475 bn. The decimal point is a point */
      readonly value: string
    }
    readonly answer: CheckedClaim<D>
  }
  /** Find figures and prices by name, synonym or a publisher’s id */
  readonly search: {
    readonly args: {
      /** What to look for, in words or as a code, e.g. jobless rate Germany, CPI Turkey or UNRATE */
      readonly q: string
      /** Maximum number of hits */
      readonly limit?: number | undefined
    }
    readonly answer: SearchResult
  }
  /** The release calendar: what is expected, late, published, cancelled or was never published */
  readonly calendar_list: {
    readonly args: {
      /** Only releases of these countries. Left out: all */
      readonly country?: readonly string[] | undefined
      /** Only releases of these indicators. Left out: all */
      readonly indicator?: readonly string[] | undefined
      /** Only releases of these states. Left out: all */
      readonly status?: readonly ('expected' | 'late' | 'published' | 'cancelled' | 'never_published')[] | undefined
      /** First day, inclusive. Entries without a date are left out if start or end is given */
      readonly start?: string | undefined
      /** Last day, inclusive */
      readonly end?: string | undefined
      /** Maximum number of entries on the page */
      readonly limit?: number | undefined
      /** The next_cursor of the previous page, alone or with the same filters */
      readonly cursor?: string | undefined
    }
    readonly answer: Calendar<D>
  }
  /** The release calendar as iCalendar, to subscribe to */
  readonly calendar_ics: {
    readonly args: {
      /** Only releases of these countries. Left out: all */
      readonly country?: readonly string[] | undefined
      /** Only releases of these indicators. Left out: all */
      readonly indicator?: readonly string[] | undefined
      /** Only releases of these states. Left out: all */
      readonly status?: readonly ('expected' | 'late' | 'published' | 'cancelled' | 'never_published')[] | undefined
      /** First day, inclusive. Left out: 92 days ago */
      readonly start?: string | undefined
      /** Last day, inclusive */
      readonly end?: string | undefined
    }
    readonly answer: string
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

export type StreamName = 'prices' | 'events' | 'predictions'

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
  | 'cursor_superseded'
  | 'event_not_found'
  | 'internal'
  | 'invalid_body'
  | 'invalid_path'
  | 'invalid_query'
  | 'never_published'
  | 'no_complete_publication'
  | 'no_dated_evidence'
  | 'not_acceptable'
  | 'not_yet_published'
  | 'origin_not_allowed'
  | 'pair_not_quoted'
  | 'plan_upgrade_required'
  | 'price_unavailable'
  | 'quota_exhausted'
  | 'rate_limited'
  | 'release_not_found'
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
  | 'cursor_superseded'
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
