# Made by clients/generate/main.ts. Do not edit.
from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """Entries by published_on, or expected_on if nothing is published; without an expected day, one cancelled by the day of stated_at, and one never published by the last day of its period; unknown dates come last"""

    entries: list[CalendarEntry]

    next_cursor: str | None

    as_of: str
    """When the newest release, cancellation or publisher’s calendar behind it was recorded"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEntry:
    """The release of one indicator, country and period"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    indicator: str
    """Indicator code, e.g. cpi"""

    series: str
    """Id of the series that was published; until then of the best series, which others may precede"""

    period: str
    """What the figure measures"""

    status: Literal["expected", "late", "published", "cancelled", "never_published"]
    """`expected`: not on record, and not due before today; `late`: the expected day has passed; `published`: on record; `cancelled`: it is on record here that it will not be published; `never_published`: it is on record here that the publisher has no figure for this period. The last two also concern what is derived from such a figure"""

    expected_on: str | None

    expected_on_basis: Literal["publisher", "lag", "standard"] | None
    """`publisher`: the publisher’s own calendar announces this day, in its time zone; `lag`: an estimate, the end of the period and the usual lag of the series, which is the median of its latest first prints; `standard`: the last day on which the Special Data Dissemination Standard of the IMF lets it come out, because fewer than three first prints of the series are dated; null if there is no day"""

    expected_at: str | None

    published_on: str | None

    published_on_basis: str | None

    release_id: str | None

    stated_at: str | None

    reason: str | None

    days_late: int | None

    unit: str
    """Unit of the figures: ISO 4217 currency, `percent` or `index`"""

    figure: str
    """Which figure of the indicator actual and previous are, e.g. year_over_year"""

    actual: Decimal | None

    previous: Decimal | None

    previous_revised: Decimal | None

    title: str
    """What comes out, in words: Consumer prices, Germany, October 2026"""

    publisher: str
    """Name of the publisher of the series, as in the catalogue"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarNotice:
    """A change of the release calendar"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    indicator: str
    """Indicator code, e.g. cpi"""

    series: str
    """Id of the series that was served then"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    expected_on: str | None

    expected_on_basis: Literal["publisher", "lag"] | None
    """`publisher`: the publisher’s own calendar announces this day, in its time zone; `lag`: an estimate, the end of the period and the usual lag of the series, which is the median of its latest first prints; null if expected_on is"""

    expected_at: str | None

    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candle:
    """Prices of an interval, by the time at which the source observed them"""

    start: str
    """Begin of the interval, UTC. Intervals without a price are left out"""

    open: Decimal
    """First price"""

    high: Decimal
    """Highest price"""

    low: Decimal
    """Lowest price"""

    close: Decimal
    """Last price"""

    ticks: int
    """Number of prices; of a derived candle, of the prices it is computed from"""

    sources: list[str]
    """Sources of the prices. More than one only if the candle is derived from several quotes"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandleList:
    """One page of candles, oldest first"""

    symbol: str
    """Commodity and currency, or two currencies, with a hyphen between: XAU-USD, EUR-JPY"""

    interval: Literal["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "1M"]

    derived: bool
    """True if no source quotes the pair, so that its candles are computed from those of other pairs"""

    candles: list[Candle]

    next_cursor: str | None

    as_of: str | None
    """Time of the newest price; null if there is none yet. A candle whose interval has not ended by then still grows"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CandlesOfPairs:
    """The candles of several pairs in one range, in the order in which they were asked for"""

    pairs: list[PairCandles]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """Every public series, ordered by country, indicator and rank in serving"""

    series: list[CatalogEntry]

    as_of: str | None
    """When the newest release of these series was recorded; null if there are none"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogCountries:
    """Countries with at least one figure"""

    countries: list[CatalogCountriesCountries]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogCountriesCountries:

    code: str
    """ISO 3166-1 alpha-3 country code"""

    alpha2: str
    """ISO 3166-1 alpha-2 code"""

    numeric: str
    """ISO 3166-1 numeric code, three digits"""

    name: str

    indicators: list[str]
    """Codes of the indicators that are served for it"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogEntry:
    """One series"""

    series: str
    """Id of the series: all members that identify it, in one line"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    country_name: str

    indicator: str
    """Indicator code, e.g. cpi"""

    indicator_name: str

    publisher: str
    """Name of the publisher; of a derived series, of what it is derived from"""

    source: str
    """Agency code of the publisher, e.g. BIS"""

    dataset: str
    """The publisher’s own name of the dataset or series"""

    licence: str
    """Terms under which the publisher makes the figures available"""

    unit: str
    """ISO 4217 currency, `percent` or `index`"""

    multiplier: str
    """Always 1: figures are in whole units, never in thousands or millions"""

    frequency: str
    """A, Q or M: by year, quarter or month (SDMX CL_FREQ)"""

    seasonal_adjustment: str

    annualization: str

    base_period: str
    """Period in which the index equals base_value, or at whose prices a volume is; empty for others"""

    base_value: str
    """Value of the index in base_period; empty for other units"""

    derivation: str
    """How the figures are computed from others; empty: as published"""

    is_served: bool
    """Whether this is the series that requests for the country, indicator and frequency are answered from. False: it is an input of another, or an alternative, which answers the periods that the served one lacks"""

    first_period: str
    """First period that ever had figures"""

    last_period: str
    """Last period that ever had figures"""

    latest_period: str | None

    periods_ended_since: int
    """How many periods of the frequency have ended since latest_period, or without one since last_period: a large number says that the figure is old"""

    observations: int
    """Number of periods with figures, without those that were withdrawn"""

    vintages: int
    """Number of prints: first prints, revisions and withdrawals"""

    last_released_on: str
    """Calendar date, ISO 8601"""

    last_released_on_basis: str
    """`publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series"""

    last_recorded_at: str
    """Instant, ISO 8601, UTC, milliseconds"""

    next_period: str
    """The first period after last_period, and after all that answer in place of a served series, whose figure may still come: it was neither cancelled nor stated as never published."""

    next_expected_on: str | None

    days_late: int | None

    link: str | None

    next_expected_on_basis: Literal["publisher", "lag", "standard"] | None
    """`publisher`: the publisher’s own calendar announces this day, in its time zone; `lag`: an estimate, the end of the period and the usual lag of the series, which is the median of its latest first prints; `standard`: the last day on which the Special Data Dissemination Standard of the IMF lets it come out, because fewer than three first prints of the series are dated; null if there is no day"""

    last_fetched_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogIndicators:
    """All indicators that are served"""

    indicators: list[CatalogIndicatorsIndicators]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogIndicatorsIndicators:

    code: str
    """Indicator code, e.g. cpi"""

    name: str

    description: str

    family: str
    """Family of its events"""

    figures: list[str]
    """Members of the body that hold its figures"""

    unit: Literal["index", "percent", "currency"]
    """`currency`: named in each body"""

    path: str
    """Address of its latest figure, with {country} in place of a code"""

    countries: list[str]
    """Codes of the countries that have it"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogInstruments:
    """Commodities, then currencies"""

    instruments: list[CatalogInstrumentsInstruments]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogInstrumentsInstruments:

    code: str
    """Commodity code or ISO 4217 currency code"""

    kind: Literal["commodity", "currency"]

    name: str

    unit: str | None

    currency: str | None

    stale_after_seconds: int | None

    market: str
    """Code of the market whose hours count"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogPlans:

    plans: list[CatalogPlansPlans]


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogPlansPlans:

    code: Literal["free", "basic", "pro"]

    calls_per_month: int

    calls_per_minute: int

    concurrent_streams: int
    """Open streams of prices, events and predictions together"""

    prices_stream: bool
    """Whether the plan includes the prices stream"""

    families: list[str]
    """Event families that the plan includes"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaughtUp:
    """Replay is done, live from here"""

    type: Literal["caught_up"]

    cursor: str
    """The next event to read"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaim:
    """Whether a figure was ever published, and what became of it"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    indicator: str
    """Indicator code, e.g. cpi"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    claim: CheckedClaimClaim

    verdict: Literal["current", "current_elsewhere", "former", "not_on_record"]
    """`current`: a request for the period is answered with this figure; `current_elsewhere`: another series has it, and another figure is served; `former`: it was published, and replaced or withdrawn since; `not_on_record`: no print of this period on record states it"""

    prints: list[ClaimedPrint]
    """The prints that state it, oldest first"""

    served: list[ServedFigure]
    """What the period has now, figure by figure; empty if nothing"""

    as_of: str
    """When the newest release behind the answer was recorded"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedClaimClaim:

    text: str
    """The claim as it was sent"""

    value: Decimal
    """The number that it states, with its scale applied"""

    tolerance: Decimal
    """Half a unit of its last digit: a figure as far from it, or less, is rounded to it"""

    unit: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """The stream has looked at every event before `cursor`"""

    type: Literal["checkpoint"]

    cursor: str
    """The next event to read"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedPrint:
    """A print that states the claimed figure"""

    measure: Literal["cpi", "inflation", "unemployment", "labour_force_participation", "gdp", "gdp_growth", "merchandise_exports", "merchandise_imports", "merchandise_balance"]
    """What is measured"""

    unit: str
    """A currency code, `percent` or `index`"""

    transformation: Literal["", "year_over_year", "month_over_month", "year_to_date", "quarter_over_quarter"]
    """Change that the value is, in percent; empty: the level as published"""

    value: Decimal
    """Decimal"""

    series: str
    """Id of the series that the entry is from, as in the catalogue"""

    source: str
    """Agency code of the publisher, e.g. BIS"""

    base_period: str
    """Period in which the index equals base_value, or at whose prices a volume is; empty for others"""

    base_value: str
    """Value of the index in base_period; empty for other units"""

    seasonal_adjustment: str
    """Whether the figure is seasonally adjusted"""

    annualization: str
    """Whether a quarter is given at its rate for a year"""

    released_on: str
    """Day on which the value was released"""

    released_on_basis: Literal["publisher", "dataset", "copy", "first_seen", "estimated"]
    """`publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series"""

    release_id: str
    """Id of the release; releases_get has its document"""

    link: str
    """Address of the release"""

    is_current: bool
    """Whether no later print of its series has taken its place"""

    is_served: bool
    """Whether a request for the period is answered with it"""

    replaced_on: str | None

    replaced_by: str | None

    replacing_value: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommodityPrice:

    type: Literal["commodity"]

    spot: SpotPrice


@dataclass(frozen=True, slots=True, kw_only=True)
class Cpi:
    """Consumer price index, all items"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Month, e.g. 2026-09"""

    value: Decimal
    """Decimal greater than zero"""

    base_period: str
    """The period in which the index equals base_value: a period, or an interval of two, e.g. 1982/1984"""

    base_value: Decimal
    """Decimal greater than zero"""

    released_on: str
    """Calendar date, ISO 8601"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CpiRevision:
    """Data of economics.release.revised: the new Cpi, and the one that it replaces"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Month, e.g. 2026-09"""

    value: Decimal
    """Decimal greater than zero"""

    base_period: str
    """The period in which the index equals base_value: a period, or an interval of two, e.g. 1982/1984"""

    base_value: Decimal
    """Decimal greater than zero"""

    released_on: str
    """Calendar date, ISO 8601"""

    previous: Cpi


@dataclass(frozen=True, slots=True, kw_only=True)
class CpiWithdrawal:
    """Data of economics.release.withdrawn: the Cpi in previous was withdrawn"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Month, e.g. 2026-09"""

    released_on: str
    """Day of the withdrawal"""

    previous: Cpi


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:

    specversion: Literal["1.0"]

    id: str

    source: str
    """/almanac/{family}"""

    type: str
    """e.g. economics.release.revised"""

    subject: str
    """e.g. USA/cpi/2026-09 or XAU-USD"""

    time: str
    """Instant, ISO 8601, UTC, milliseconds"""

    datacontenttype: Literal["application/json"]

    dataschema: str
    """urn:almanac:schema:{name}: the schema of that name in /openapi.json"""

    family: str

    country: str | None = None
    """ISO 3166-1 alpha-3 country code"""

    sequence: str
    """Dense from 1, padded so that it sorts as text"""

    data: dict[str, Any]
    """The body that REST serves; for a revision also `previous`, the body it replaces; for a withdrawal only its country, period and day (`released_on`), and `previous`, the body that was served"""

    cursor: str
    """Points just after this event"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMessage:

    type: Literal["event"]

    event: Event


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage:

    events: list[Event]

    next_cursor: str
    """Never null: polling with it follows the journal"""

    has_more: bool

    as_of: str
    """Instant, ISO 8601, UTC, milliseconds"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsError:
    """The connection closes after it"""

    type: Literal["error"]

    code: Literal["unauthorized", "revoked", "plan_upgrade_required", "stream_limit", "quota_unavailable", "command_limit", "subscribe_required", "slow_consumer", "resubscribe_required", "invalid_command", "invalid_frame", "filter_not_supported", "cursor_invalid", "cursor_ahead", "cursor_foreign", "cursor_superseded", "cursor_expired", "unavailable"]

    detail: str | None = None
    """What was wrong, and where"""

    resume_cursor: str | None = None
    """Where to continue"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsHeartbeat:
    """Every matching event before `cursor` has been sent. `as_of` does not change while there are no new events"""

    type: Literal["heartbeat"]

    as_of: str
    """When the newest event on record was recorded"""

    cursor: str
    """The next event to read"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsSubscribed:
    """The filters as understood; null: all"""

    type: Literal["subscribed"]

    cursor: str
    """The first event that the stream looks at"""

    countries: list[str] | None

    families: list[str]

    types: list[str] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportEnd:

    cursor: str
    """Everything before it has been examined: pages and the stream continue here"""

    count: int
    """Number of events before this line"""

    complete: bool
    """Whether the export has reached its end"""

    code: str | None = None
    """If it has not: why not, as the code of a problem"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FxPrice:

    type: Literal["fx"]

    base: str
    """ISO 4217 currency code"""

    market_session: Literal["open", "closed", "simulated"]
    """By the market’s weekly hours. Holidays are not known, so a market is `open` on a holiday. `simulated`: rates made up for a demonstration, which change at all hours"""

    rate: FxRate


@dataclass(frozen=True, slots=True, kw_only=True)
class FxRate:
    """Units of `currency` for one unit of the base"""

    currency: str
    """ISO 4217 currency code"""

    rate: Decimal
    """Decimal greater than zero"""

    timestamp: str
    """Time of the oldest quote that the price was computed from; a newer quote changes the price but not this"""

    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FxRates:

    base: str
    """ISO 4217 currency code"""

    market_session: Literal["open", "closed", "simulated"]
    """By the market’s weekly hours. Holidays are not known, so a market is `open` on a holiday. `simulated`: rates made up for a demonstration, which change at all hours"""

    rates: list[FxRate]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gdp:
    """Gross domestic product at current prices, in whole units of currency"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Quarter, e.g. 2026-Q3"""

    value: Decimal
    """Decimal greater than zero"""

    currency: str
    """ISO 4217 currency code"""

    price_basis: Literal["current"]

    seasonal_adjustment: Literal["seasonally_adjusted", "not_seasonally_adjusted"]

    annualization: Literal["annualized", "not_annualized"]

    released_on: str
    """Calendar date, ISO 8601"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GdpGrowth:
    """Growth of gross domestic product at constant prices"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Quarter, e.g. 2026-Q3"""

    year_over_year: Decimal
    """Decimal"""

    quarter_over_quarter: Decimal
    """Decimal"""

    year_to_date: Decimal | None = None

    unit: Literal["percent"]

    price_basis: Literal["constant"]

    seasonal_adjustment: Literal["seasonally_adjusted", "not_seasonally_adjusted"]

    annualization: Literal["annualized", "not_annualized"]

    released_on: str
    """Calendar date, ISO 8601"""


@dataclass(frozen=True, slots=True, kw_only=True)
class GdpGrowthRevision:
    """Data of economics.release.revised: the new GdpGrowth, and the one that it replaces"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Quarter, e.g. 2026-Q3"""

    year_over_year: Decimal
    """Decimal"""

    quarter_over_quarter: Decimal
    """Decimal"""

    year_to_date: Decimal | None = None

    unit: Literal["percent"]

    price_basis: Literal["constant"]

    seasonal_adjustment: Literal["seasonally_adjusted", "not_seasonally_adjusted"]

    annualization: Literal["annualized", "not_annualized"]

    released_on: str
    """Calendar date, ISO 8601"""

    previous: GdpGrowth


@dataclass(frozen=True, slots=True, kw_only=True)
class GdpGrowthWithdrawal:
    """Data of economics.release.withdrawn: the GdpGrowth in previous was withdrawn"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Quarter, e.g. 2026-Q3"""

    released_on: str
    """Day of the withdrawal"""

    previous: GdpGrowth


@dataclass(frozen=True, slots=True, kw_only=True)
class GdpRevision:
    """Data of economics.release.revised: the new Gdp, and the one that it replaces"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Quarter, e.g. 2026-Q3"""

    value: Decimal
    """Decimal greater than zero"""

    currency: str
    """ISO 4217 currency code"""

    price_basis: Literal["current"]

    seasonal_adjustment: Literal["seasonally_adjusted", "not_seasonally_adjusted"]

    annualization: Literal["annualized", "not_annualized"]

    released_on: str
    """Calendar date, ISO 8601"""

    previous: Gdp


@dataclass(frozen=True, slots=True, kw_only=True)
class GdpWithdrawal:
    """Data of economics.release.withdrawn: the Gdp in previous was withdrawn"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Quarter, e.g. 2026-Q3"""

    released_on: str
    """Day of the withdrawal"""

    previous: Gdp


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Every value is a string"""

    status: Literal["ok", "degraded"]

    version: str
    """Version of the program, not of the API"""

    journal: str

    read_models: str

    access: str

    starting: str | None = None
    """What the start still waits for, as `/ready` says it; left out once nothing"""

    data_as_of: str
    """When the newest record behind the latest figures was recorded, or empty"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """On prices, `as_of` is when the heartbeat was sent; on predictions, when the newest prediction was recorded"""

    type: Literal["heartbeat"]

    as_of: str
    """Instant up to which the stream is current"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inflation:
    """Change of the consumer price index; year to date is against December before"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Month, e.g. 2026-09"""

    year_over_year: Decimal
    """Decimal"""

    month_over_month: Decimal
    """Decimal"""

    year_to_date: Decimal
    """Decimal"""

    unit: Literal["percent"]

    released_on: str
    """Calendar date, ISO 8601"""


@dataclass(frozen=True, slots=True, kw_only=True)
class InflationRevision:
    """Data of economics.release.revised: the new Inflation, and the one that it replaces"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Month, e.g. 2026-09"""

    year_over_year: Decimal
    """Decimal"""

    month_over_month: Decimal
    """Decimal"""

    year_to_date: Decimal
    """Decimal"""

    unit: Literal["percent"]

    released_on: str
    """Calendar date, ISO 8601"""

    previous: Inflation


@dataclass(frozen=True, slots=True, kw_only=True)
class InflationWithdrawal:
    """Data of economics.release.withdrawn: the Inflation in previous was withdrawn"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Month, e.g. 2026-09"""

    released_on: str
    """Day of the withdrawal"""

    previous: Inflation


@dataclass(frozen=True, slots=True, kw_only=True)
class LabourForceParticipation:
    """Labour force as a share of the working-age population"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    rate: Decimal
    """Decimal"""

    unit: Literal["percent"]

    released_on: str
    """Calendar date, ISO 8601"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabourForceParticipationRevision:
    """Data of economics.release.revised: the new LabourForceParticipation, and the one that it replaces"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    rate: Decimal
    """Decimal"""

    unit: Literal["percent"]

    released_on: str
    """Calendar date, ISO 8601"""

    previous: LabourForceParticipation


@dataclass(frozen=True, slots=True, kw_only=True)
class LabourForceParticipationWithdrawal:
    """Data of economics.release.withdrawn: the LabourForceParticipation in previous was withdrawn"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    released_on: str
    """Day of the withdrawal"""

    previous: LabourForceParticipation


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketSessionChange:

    market: str
    """Market code, e.g. FX"""

    name: str

    market_session: Literal["open", "closed"]
    """By the market’s weekly hours. Holidays are not known, so a market is `open` on a holiday"""

    since: str
    """Instant, ISO 8601, UTC, milliseconds"""

    until: str
    """When the session ends by the market’s calendar"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """`falling_behind` (events only): events arrive faster than the client reads. No event is lost, and `caught_up` follows. `going_away`: the server shuts down"""

    type: Literal["notice"]

    code: Literal["falling_behind", "going_away"]

    cursor: str | None = None
    """The next event to read"""

    reconnect_in_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:

    country: str
    """ISO 3166-1 alpha-3 country code"""

    measure: Literal["cpi", "inflation", "unemployment", "labour_force_participation", "gdp", "gdp_growth", "merchandise_exports", "merchandise_imports", "merchandise_balance"]
    """What is measured"""

    value: Decimal | None
    """The figure; null only if it is transformed or aggregated and does not exist: see `missing`"""

    unit: str
    """A currency code, `percent` or `index`; for differences of percentages `percentage_points`, for logarithms `log`"""

    transformation: str
    """Change that the value is, in percent: year_over_year, month_over_month, year_to_date, quarter_over_quarter; empty: the level as published. With `units`, the code of the transformation, e.g. `pc1`, for a change `chg:year_over_year`"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    aggregation_method: Literal["avg", "sum", "eop"] | None = None
    """How the periods of a higher frequency were aggregated; absent if they were not"""

    missing: Literal["no_predecessor", "other_series", "incomplete", "not_positive", "out_of_range"] | None = None
    """Why the value is null: no_predecessor: the period that it compares with has no figure; other_series: only another series has the other periods that it needs; incomplete: not every period of the aggregate has a figure; not_positive: a rate needs a base above zero; cch, cca and log also a figure above zero, pca one that is not negative; out_of_range: the result has more than 64 characters"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationList:
    """One page of the history of exports, read from one snapshot"""

    observations: list[Observation]

    next_cursor: str | None

    as_of: str
    """When the newest release of the snapshot was recorded"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCandles:
    """All candles of a pair in a range, oldest first"""

    symbol: str
    """Commodity and currency, or two currencies, with a hyphen between: XAU-USD, EUR-JPY"""

    interval: Literal["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "1M"]

    derived: bool
    """True if no source quotes the pair, so that its candles are computed from those of other pairs"""

    candles: list[Candle]

    as_of: str | None
    """Time of the newest price; null if there is none since `start`. A candle whose interval has not ended by then still grows"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ping:

    action: Literal["ping"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pong:

    type: Literal["pong"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What is expected of the next release. Computed, never an official figure"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    indicator: str
    """Indicator code, e.g. cpi"""

    figure: str
    """Which member of the indicator’s body is predicted, e.g. year_over_year"""

    period: str
    """Period of the expected next release"""

    value: Decimal
    """Decimal"""

    lower: Decimal
    """Lower bound of the 80 % interval"""

    upper: Decimal
    """Upper bound of the 80 % interval"""

    unit: str
    """Unit of the figures: a currency, percent or index"""

    method: str
    """How it was computed; see docs/predictions.md"""

    computed: bool
    """Always true: computed by this service, not published by anyone"""

    made_at: str
    """Instant, ISO 8601, UTC, milliseconds"""

    scored: ScoredPrediction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionMessage:

    type: Literal["prediction"]

    prediction: Prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionsError:
    """The connection closes after it"""

    type: Literal["error"]

    code: Literal["unauthorized", "revoked", "plan_upgrade_required", "stream_limit", "quota_unavailable", "command_limit", "subscribe_required", "slow_consumer", "resubscribe_required", "invalid_command", "invalid_frame", "filter_not_supported", "unavailable"]

    detail: str | None = None
    """What was wrong, and where"""


@dataclass(frozen=True, slots=True, kw_only=True)
class PricesError:
    """The connection closes after it. The close reason says what was wrong, and where"""

    type: Literal["error"]

    code: Literal["unauthorized", "revoked", "plan_upgrade_required", "stream_limit", "quota_unavailable", "command_limit", "subscribe_required", "slow_consumer", "resubscribe_required", "invalid_command", "invalid_frame", "commodity_not_supported", "currency_not_supported", "unavailable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:

    ok: bool | None = None

    type: str

    title: str

    status: int

    detail: str

    code: str

    request_id: str

    instance: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """A document: its publisher, address, licence and SHA-256, when it was fetched, the copy and the file through which it was read, and the place in it"""

    publisher: str
    """Name of the organisation, for people"""

    url: str
    """Address of the document at its publisher, or of the local file that was read"""

    licence: str
    """Terms under which the publisher makes the figure available"""

    retrieved_at: str | None

    sha256: str | None

    location: str
    """Place in the document, or in `file` if there is one, e.g. line 12"""

    copy: ProvenanceCopy | None
    """The copy through which the figure came: who holds it (`holder`), its address and revision there, the day on which it was there (`held_on`), and whether the figures were typed from it by hand (`is_transcribed`). Null if the publisher’s own document was read"""

    file: ProvenanceFile | None
    """The file in Almanac’s own format that states the figure, with its SHA-256; null if the document itself was read"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceCopy:

    holder: str
    """Keeper of the copy, e.g. github.com/OWNER/NAME"""

    url: str | None

    revision: str | None

    held_on: str | None

    is_transcribed: bool
    """Whether the figures were typed from the copy by hand"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceFile:

    name: str
    """Name of the file, without its folder"""

    sha256: str
    """SHA-256 of the file, hexadecimal"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:

    type: Literal["ready"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseDetail:
    """A release: one or more figures of one series and period. revised_by, is_current and is_served say how things stand now; event is null until it is published. Nothing else ever changes"""

    release_id: str
    """`rel_` and 26 characters of Crockford’s base32"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    indicator: str
    """Indicator code, e.g. cpi"""

    series: Series

    period: str
    """What the figures measure"""

    figures: dict[str, Decimal]
    """Decimals by the member of the body; empty if the publisher has withdrawn them"""

    printed: dict[str, str] | None
    """The figures as the publisher printed them; null if they are derived, because nobody printed them"""

    revises: str | None

    revised_by: str | None

    released_on: str
    """Calendar date, ISO 8601"""

    released_on_basis: str
    """`publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series"""

    recorded_at: str
    """When this service accepted the release"""

    late: bool
    """Whether a later print was on record already when this one was accepted: it never was current"""

    redates: str | None

    voids: str | None

    is_current: bool
    """Whether no release has taken the place of this one"""

    is_voided: bool
    """Whether the record in `revised_by` voids this release: by the dates of its inputs it never was true, and no history has it"""

    is_served: bool
    """Whether this release is in the history of the indicator, and answers a request for its period unless it lacks a figure of the body"""

    provenance: Provenance | None
    """The document: its publisher, address and SHA-256, when it was fetched, its licence, the copy through which it came and the place in it; null if the figures are derived, see inputs"""

    approval: ReleaseDetailApproval | None
    """The approval by a person, if the figures were held as implausible: why they were held (`held_for`), why they are right (`because`), and the id of the held figures (`input_id`). It was given at recorded_at. Null if they were not held"""

    derivation: str
    """The rule by which the figures are computed; empty: as published"""

    inputs: list[ReleaseInput]
    """The releases from which the figures were computed; empty if they are published ones"""

    event: ReleaseDetailEvent | None
    """The public event of the release; null if it made none, because its series is not served or it lacks a figure, or if it is not published yet"""

    link: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseDetailApproval:

    held_for: str
    """Why the figures were held, e.g. held_jump"""

    because: str
    """Why they are right, as the person said"""

    input_id: str
    """Id of the held figures in quarantine"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseDetailEvent:

    id: str
    """Id of the event; events_get has it"""

    sequence: str
    """Its place in the event journal, zero-padded to 20 digits"""

    time: str
    """Instant, ISO 8601, UTC, milliseconds"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseInput:
    """A release from which another one is computed"""

    release_id: str
    """`rel_` and 26 characters of Crockford’s base32"""

    indicator: str
    """Indicator code, e.g. gdp-volume"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    figures: dict[str, Decimal]
    """Decimals by the member of the body; empty if the publisher has withdrawn them"""

    provenance: ReleaseInputProvenance | None
    """Its document; null if it is derived itself"""

    link: str
    """Address of the release"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseInputProvenance:
    """A document: its publisher, address, licence and SHA-256, when it was fetched, the copy and the file through which it was read, and the place in it"""

    publisher: str
    """Name of the organisation, for people"""

    url: str
    """Address of the document at its publisher, or of the local file that was read"""

    licence: str
    """Terms under which the publisher makes the figure available"""

    retrieved_at: str | None

    sha256: str | None

    location: str
    """Place in the document, or in `file` if there is one, e.g. line 12"""

    copy: ReleaseInputProvenanceCopy | None
    """The copy through which the figure came: who holds it (`holder`), its address and revision there, the day on which it was there (`held_on`), and whether the figures were typed from it by hand (`is_transcribed`). Null if the publisher’s own document was read"""

    file: ReleaseInputProvenanceFile | None
    """The file in Almanac’s own format that states the figure, with its SHA-256; null if the document itself was read"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseInputProvenanceCopy:

    holder: str
    """Keeper of the copy, e.g. github.com/OWNER/NAME"""

    url: str | None

    revision: str | None

    held_on: str | None

    is_transcribed: bool
    """Whether the figures were typed from the copy by hand"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseInputProvenanceFile:

    name: str
    """Name of the file, without its folder"""

    sha256: str
    """SHA-256 of the file, hexadecimal"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredPrediction:
    """How the prediction before this one did, once its release was in"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    value: Decimal
    """What was predicted"""

    actual: Decimal
    """What was released"""

    error: Decimal
    """actual - value"""

    within: bool
    """Whether the release lay within the interval"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """Something that a search found"""

    kind: Literal["figures", "indicator", "series", "country", "commodity", "currency", "pair", "topic"]
    """`figures`: an indicator of a country; `series`: one series of a publisher; `pair`: a price or an exchange rate; `topic`: a statistic that is known and not served"""

    name: str
    """Name in English"""

    country: str | None

    indicator: str | None

    instrument: str | None

    publishers_id: str | None

    series: str | None

    is_served: bool
    """Whether `operation` answers with figures or prices of it now"""

    frequencies: list[SearchHitFrequencies]
    """The periods that are on record; empty for what is not figures of a country"""

    operation: str | None

    link: str | None

    matched: Literal["code", "name", "spelling", "part"]
    """How it was found: by its `code`, by its whole `name` or a synonym, in another `spelling`, or by a `part` of its name"""

    note: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHitFrequencies:

    frequency: str
    """A, Q or M: by year, quarter or month (SDMX CL_FREQ)"""

    first_period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    last_period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What a text may mean, and what of it is served"""

    query: str
    """The text as it was sent"""

    hits: list[SearchHit]
    """The best hits, best first"""

    hits_found: int
    """Number of all hits, also of those beyond the limit"""

    unknown_words: list[str]
    """Words of the text that no hit has"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:

    id: str
    """All other members in one line, e.g. USA.cpi.M.BIS.WS_LONG_CPI.index.NSA"""

    indicator: str
    """Indicator code"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    frequency: str
    """A, Q or M (SDMX CL_FREQ)"""

    source: str
    """Agency code of the publisher, e.g. BIS"""

    dataset: str
    """The publisher’s own name of the dataset or series"""

    unit: str
    """ISO 4217 currency, `percent` or `index`"""

    seasonal_adjustment: str

    annualization: str

    base_period: str
    """Period in which the index equals base_value, or at whose prices a volume is; empty for others"""

    base_value: str
    """Value of the index in base_period; empty for other units"""

    derivation: str
    """How the figures are derived from other releases, or empty as published"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesObservation:
    """A figure of a period, with the series that it is from and the day of its release"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    measure: Literal["cpi", "inflation", "unemployment", "labour_force_participation", "gdp", "gdp_growth", "merchandise_exports", "merchandise_imports", "merchandise_balance"]
    """What is measured"""

    value: Decimal | None
    """The figure; null only if it is transformed or aggregated and does not exist: see `missing`"""

    unit: str
    """A currency code, `percent` or `index`; for differences of percentages `percentage_points`, for logarithms `log`"""

    transformation: str
    """Change that the value is, in percent: year_over_year, month_over_month, year_to_date, quarter_over_quarter; empty: the level as published. With `units`, the code of the transformation, e.g. `pc1`, for a change `chg:year_over_year`"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    series: str
    """Id of the series that the entry is from, as in the catalogue"""

    source: str
    """Agency code of the publisher, e.g. BIS"""

    base_period: str
    """Period in which the index equals base_value, or at whose prices a volume is; empty for others"""

    base_value: str
    """Value of the index in base_period; empty for other units"""

    seasonal_adjustment: str
    """Whether the figure is seasonally adjusted"""

    annualization: str
    """Whether a quarter is given at its rate for a year"""

    released_on: str
    """Day on which the value was released; if it is computed, the latest day of what it is computed from"""

    released_on_basis: Literal["publisher", "dataset", "copy", "first_seen", "estimated"]
    """`publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series"""

    aggregation_method: Literal["avg", "sum", "eop"] | None = None
    """How the periods of a higher frequency were aggregated; absent if they were not"""

    missing: Literal["no_predecessor", "other_series", "incomplete", "not_positive", "out_of_range"] | None = None
    """Why the value is null: no_predecessor: the period that it compares with has no figure; other_series: only another series has the other periods that it needs; incomplete: not every period of the aggregate has a figure; not_positive: a rate needs a base above zero; cch, cca and log also a figure above zero, pca one that is not negative; out_of_range: the result has more than 64 characters"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesObservationList:
    """One page of a history, read from one snapshot"""

    observations: list[SeriesObservation]

    next_cursor: str | None

    as_of: str
    """When the newest release of the snapshot was recorded"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedFigure:
    """A figure as it stands now"""

    measure: Literal["cpi", "inflation", "unemployment", "labour_force_participation", "gdp", "gdp_growth", "merchandise_exports", "merchandise_imports", "merchandise_balance"]
    """What is measured"""

    unit: str
    """A currency code, `percent` or `index`"""

    transformation: Literal["", "year_over_year", "month_over_month", "year_to_date", "quarter_over_quarter"]
    """Change that the value is, in percent; empty: the level as published"""

    value: Decimal
    """Decimal"""

    series: str
    """Id of the series that the entry is from, as in the catalogue"""

    source: str
    """Agency code of the publisher, e.g. BIS"""

    base_period: str
    """Period in which the index equals base_value, or at whose prices a volume is; empty for others"""

    base_value: str
    """Value of the index in base_period; empty for other units"""

    seasonal_adjustment: str
    """Whether the figure is seasonally adjusted"""

    annualization: str
    """Whether a quarter is given at its rate for a year"""

    released_on: str
    """Day on which the value was released"""

    released_on_basis: Literal["publisher", "dataset", "copy", "first_seen", "estimated"]
    """`publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series"""

    release_id: str
    """Id of the release; releases_get has its document"""

    link: str
    """Address of the release"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceInterruption:

    source: str
    """Source of prices, e.g. feed"""

    since: str
    """Time of the last price before the outage, of any instrument"""

    until: str
    """When the first price after it came"""

    instruments: int
    """Number of instruments whose prices of this source were stale"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotPrice:

    symbol: str
    """Commodity and currency, e.g. XAU-USD"""

    price: Decimal
    """Decimal greater than zero"""

    currency: str
    """ISO 4217 currency code"""

    unit: str
    """Unit of quantity the price is for, e.g. troy_ounce"""

    timestamp: str
    """Time of the oldest quote that the price was computed from; a newer quote changes the price but not this"""

    stale: bool
    """The price is older than its market’s normal interval"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamTicket:
    """A single-use ticket that opens one stream from a page of one origin, within 30 s"""

    ticket: str
    """A secret, good for one connection"""

    stream: Literal["prices", "events", "predictions"]

    origin: str
    """Origin of the page that will connect, as its browser sends it, e.g. https://app.example.com"""

    expires_at: str
    """Instant, ISO 8601, UTC, milliseconds"""

    url: str
    """The address to open the WebSocket at, with the ticket in it"""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamTicketRequest:

    origin: str
    """Origin of the page that will connect, as its browser sends it, e.g. https://app.example.com"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscribeEvents:

    action: Literal["subscribe"]

    countries: list[str] | None = None
    """ISO 3166-1 alpha-3 codes; absent: all"""

    families: list[str] | None = None
    """Event families; absent: all of the plan, and the others are left out silently"""

    types: list[str] | None = None
    """Event types; absent: all"""

    cursor: str | None = None
    """A cursor, `earliest` or `latest`; absent: live from now"""

    start: str | None = None
    """Instead of a cursor: the first event with this sequence (digits), or recorded at or after this instant (RFC 3339) or date (UTC), as in GET /v1/events. Before the oldest: the oldest; a time after the newest: the next to come; a sequence beyond that is refused"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscribePredictions:

    action: Literal["subscribe"]

    countries: list[str] | None = None
    """ISO 3166-1 alpha-3 codes; absent: all"""

    indicators: list[str] | None = None
    """Indicator codes; absent: all"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscribePrices:

    action: Literal["subscribe"]

    commodities: list[SubscribePricesCommodities] | None = None

    fx: list[SubscribePricesFx] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscribePricesCommodities:

    commodity: str
    """A code listed at /docs; any other is refused"""

    currency: str
    """A code listed at /docs; any other is refused"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscribePricesFx:

    base: str
    """A code listed at /docs; any other is refused"""

    currencies: list[str] | None = None
    """Absent: all served for the base"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscribed:

    type: Literal["subscribed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A price of a source"""

    observed_at: str
    """Time at which the source observed the price"""

    price: Decimal
    """Price as the source gave it"""

    source: str
    """Source of the price"""

    recorded_at: str
    """Time at which the price was recorded in the journal"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TickList:
    """One page of ticks, oldest first, from one snapshot"""

    symbol: str
    """Commodity and currency, or two currencies, with a hyphen between: XAU-USD, EUR-JPY"""

    ticks: list[Tick]

    next_cursor: str | None

    as_of: str | None
    """Time at which the newest tick of the snapshot was recorded; null if there is none yet"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeExports:
    """Merchandise exports to the world, in whole units of currency"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year or month, e.g. 2025 or 2026-09"""

    flow: Literal["export"]

    value: Decimal
    """Decimal, zero or greater"""

    currency: str
    """ISO 4217 currency code"""

    coverage: Literal["merchandise"]

    partner: str | None = None

    product: TradeProductFilter | None = None

    released_on: str
    """Calendar date, ISO 8601"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeExportsRevision:
    """Data of economics.release.revised: the new TradeExports, and the one that it replaces"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year or month, e.g. 2025 or 2026-09"""

    flow: Literal["export"]

    value: Decimal
    """Decimal, zero or greater"""

    currency: str
    """ISO 4217 currency code"""

    coverage: Literal["merchandise"]

    partner: str | None = None

    product: TradeProductFilter | None = None

    released_on: str
    """Calendar date, ISO 8601"""

    previous: TradeExports


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeExportsWithdrawal:
    """Data of economics.release.withdrawn: the TradeExports in previous was withdrawn"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year or month, e.g. 2025 or 2026-09"""

    released_on: str
    """Day of the withdrawal"""

    previous: TradeExports


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeImports:
    """Merchandise imports from the world, in whole units of currency"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year or month, e.g. 2025 or 2026-09"""

    flow: Literal["import"]

    value: Decimal
    """Decimal, zero or greater"""

    currency: str
    """ISO 4217 currency code"""

    coverage: Literal["merchandise"]

    partner: str | None = None

    product: TradeProductFilter | None = None

    released_on: str
    """Calendar date, ISO 8601"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeImportsRevision:
    """Data of economics.release.revised: the new TradeImports, and the one that it replaces"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year or month, e.g. 2025 or 2026-09"""

    flow: Literal["import"]

    value: Decimal
    """Decimal, zero or greater"""

    currency: str
    """ISO 4217 currency code"""

    coverage: Literal["merchandise"]

    partner: str | None = None

    product: TradeProductFilter | None = None

    released_on: str
    """Calendar date, ISO 8601"""

    previous: TradeImports


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeImportsWithdrawal:
    """Data of economics.release.withdrawn: the TradeImports in previous was withdrawn"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year or month, e.g. 2025 or 2026-09"""

    released_on: str
    """Day of the withdrawal"""

    previous: TradeImports


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeProductFilter:
    """A product of one edition of the Harmonized System"""

    classification: str
    """Harmonized System edition, e.g. HS2022"""

    code: str
    """Harmonized System code: chapter, heading or subheading"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeSummary:
    """Merchandise trade of a country with the world, in whole units of currency"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year or month, e.g. 2025 or 2026-09"""

    exports: Decimal
    """Decimal, zero or greater"""

    imports: Decimal
    """Decimal, zero or greater"""

    balance: Decimal
    """Decimal"""

    currency: str
    """ISO 4217 currency code"""

    coverage: Literal["merchandise"]

    released_on: str
    """Calendar date, ISO 8601"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeSummaryRevision:
    """Data of economics.release.revised: the new TradeSummary, and the one that it replaces"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year or month, e.g. 2025 or 2026-09"""

    exports: Decimal
    """Decimal, zero or greater"""

    imports: Decimal
    """Decimal, zero or greater"""

    balance: Decimal
    """Decimal"""

    currency: str
    """ISO 4217 currency code"""

    coverage: Literal["merchandise"]

    released_on: str
    """Calendar date, ISO 8601"""

    previous: TradeSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeSummaryWithdrawal:
    """Data of economics.release.withdrawn: the TradeSummary in previous was withdrawn"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year or month, e.g. 2025 or 2026-09"""

    released_on: str
    """Day of the withdrawal"""

    previous: TradeSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class Unemployment:
    """Unemployed persons as a share of the labour force"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    rate: Decimal
    """Decimal"""

    unit: Literal["percent"]

    released_on: str
    """Calendar date, ISO 8601"""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnemploymentRevision:
    """Data of economics.release.revised: the new Unemployment, and the one that it replaces"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    rate: Decimal
    """Decimal"""

    unit: Literal["percent"]

    released_on: str
    """Calendar date, ISO 8601"""

    previous: Unemployment


@dataclass(frozen=True, slots=True, kw_only=True)
class UnemploymentWithdrawal:
    """Data of economics.release.withdrawn: the Unemployment in previous was withdrawn"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    released_on: str
    """Day of the withdrawal"""

    previous: Unemployment


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Use in the current calendar month (UTC) of this key and of the keys it was rotated from or to"""

    plan: Literal["free", "basic", "pro"]

    month: str
    """Month, e.g. 2026-09"""

    used: int
    """Calls counted this month. While calls are made, each other process that serves the account may have reserved up to a thousandth of the plan’s month (8 to 1,024 calls), which counts as used. Unused reservations are returned within seconds"""

    remaining: int
    """calls_per_month less used"""

    streams_open: int
    """Streams of the account that are open, on all nodes"""

    limits: UsageLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageLimits:

    calls_per_month: int

    calls_per_minute: int

    concurrent_streams: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Vintage:
    """What was answered for a period from a day on, with the release that it is from"""

    country: str
    """ISO 3166-1 alpha-3 country code"""

    measure: Literal["cpi", "inflation", "unemployment", "labour_force_participation", "gdp", "gdp_growth", "merchandise_exports", "merchandise_imports", "merchandise_balance"]
    """What is measured"""

    value: Decimal | None
    """The figure; null if there is none from then on: it was withdrawn, or the series that answers does not have it"""

    unit: str
    """A currency code, `percent` or `index`"""

    transformation: Literal["", "year_over_year", "month_over_month", "year_to_date", "quarter_over_quarter"]
    """Change that the value is, in percent; empty: the level as published"""

    period: str
    """Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3"""

    series: str
    """Id of the series that the entry is from, as in the catalogue"""

    source: str
    """Agency code of the publisher, e.g. BIS"""

    base_period: str
    """Period in which the index equals base_value, or at whose prices a volume is; empty for others"""

    base_value: str
    """Value of the index in base_period; empty for other units"""

    seasonal_adjustment: str
    """Whether the figure is seasonally adjusted"""

    annualization: str
    """Whether a quarter is given at its rate for a year"""

    valid_from: str
    """First day on which this was the answer: `released_on`, or a later day on which the series that answered before lost the figure"""

    released_on: str
    """Day on which the value was released"""

    released_on_basis: Literal["publisher", "dataset", "copy", "first_seen", "estimated"]
    """`publisher`: the publisher’s own date; `dataset`: the day of the dataset’s last update; `copy`: the day on which a copy held the figure, which was released on that day or before; `first_seen`: the day on which this service first saw the figure; `estimated`, only below `/asof/{day}/estimated`: the end of the period and the usual lag of the series"""

    release_id: str
    """Id of the release"""

    revises: str | None

    recorded_at: str
    """When the release was recorded here"""


@dataclass(frozen=True, slots=True, kw_only=True)
class VintageList:
    """One page of what was answered for the periods over time, read from one snapshot"""

    vintages: list[Vintage]

    next_cursor: str | None

    as_of: str
    """When the newest release of the snapshot was recorded"""


MODELS: dict[str, type] = {
    "Calendar": Calendar,
    "CalendarEntry": CalendarEntry,
    "CalendarNotice": CalendarNotice,
    "Candle": Candle,
    "CandleList": CandleList,
    "CandlesOfPairs": CandlesOfPairs,
    "Catalog": Catalog,
    "CatalogCountries": CatalogCountries,
    "CatalogCountriesCountries": CatalogCountriesCountries,
    "CatalogEntry": CatalogEntry,
    "CatalogIndicators": CatalogIndicators,
    "CatalogIndicatorsIndicators": CatalogIndicatorsIndicators,
    "CatalogInstruments": CatalogInstruments,
    "CatalogInstrumentsInstruments": CatalogInstrumentsInstruments,
    "CatalogPlans": CatalogPlans,
    "CatalogPlansPlans": CatalogPlansPlans,
    "CaughtUp": CaughtUp,
    "CheckedClaim": CheckedClaim,
    "CheckedClaimClaim": CheckedClaimClaim,
    "Checkpoint": Checkpoint,
    "ClaimedPrint": ClaimedPrint,
    "CommodityPrice": CommodityPrice,
    "Cpi": Cpi,
    "CpiRevision": CpiRevision,
    "CpiWithdrawal": CpiWithdrawal,
    "Event": Event,
    "EventMessage": EventMessage,
    "EventPage": EventPage,
    "EventsError": EventsError,
    "EventsHeartbeat": EventsHeartbeat,
    "EventsSubscribed": EventsSubscribed,
    "ExportEnd": ExportEnd,
    "FxPrice": FxPrice,
    "FxRate": FxRate,
    "FxRates": FxRates,
    "Gdp": Gdp,
    "GdpGrowth": GdpGrowth,
    "GdpGrowthRevision": GdpGrowthRevision,
    "GdpGrowthWithdrawal": GdpGrowthWithdrawal,
    "GdpRevision": GdpRevision,
    "GdpWithdrawal": GdpWithdrawal,
    "Health": Health,
    "Heartbeat": Heartbeat,
    "Inflation": Inflation,
    "InflationRevision": InflationRevision,
    "InflationWithdrawal": InflationWithdrawal,
    "LabourForceParticipation": LabourForceParticipation,
    "LabourForceParticipationRevision": LabourForceParticipationRevision,
    "LabourForceParticipationWithdrawal": LabourForceParticipationWithdrawal,
    "MarketSessionChange": MarketSessionChange,
    "Notice": Notice,
    "Observation": Observation,
    "ObservationList": ObservationList,
    "PairCandles": PairCandles,
    "Ping": Ping,
    "Pong": Pong,
    "Prediction": Prediction,
    "PredictionMessage": PredictionMessage,
    "PredictionsError": PredictionsError,
    "PricesError": PricesError,
    "Problem": Problem,
    "Provenance": Provenance,
    "ProvenanceCopy": ProvenanceCopy,
    "ProvenanceFile": ProvenanceFile,
    "Ready": Ready,
    "ReleaseDetail": ReleaseDetail,
    "ReleaseDetailApproval": ReleaseDetailApproval,
    "ReleaseDetailEvent": ReleaseDetailEvent,
    "ReleaseInput": ReleaseInput,
    "ReleaseInputProvenance": ReleaseInputProvenance,
    "ReleaseInputProvenanceCopy": ReleaseInputProvenanceCopy,
    "ReleaseInputProvenanceFile": ReleaseInputProvenanceFile,
    "ScoredPrediction": ScoredPrediction,
    "SearchHit": SearchHit,
    "SearchHitFrequencies": SearchHitFrequencies,
    "SearchResult": SearchResult,
    "Series": Series,
    "SeriesObservation": SeriesObservation,
    "SeriesObservationList": SeriesObservationList,
    "ServedFigure": ServedFigure,
    "SourceInterruption": SourceInterruption,
    "SpotPrice": SpotPrice,
    "StreamTicket": StreamTicket,
    "StreamTicketRequest": StreamTicketRequest,
    "SubscribeEvents": SubscribeEvents,
    "SubscribePredictions": SubscribePredictions,
    "SubscribePrices": SubscribePrices,
    "SubscribePricesCommodities": SubscribePricesCommodities,
    "SubscribePricesFx": SubscribePricesFx,
    "Subscribed": Subscribed,
    "Tick": Tick,
    "TickList": TickList,
    "TradeExports": TradeExports,
    "TradeExportsRevision": TradeExportsRevision,
    "TradeExportsWithdrawal": TradeExportsWithdrawal,
    "TradeImports": TradeImports,
    "TradeImportsRevision": TradeImportsRevision,
    "TradeImportsWithdrawal": TradeImportsWithdrawal,
    "TradeProductFilter": TradeProductFilter,
    "TradeSummary": TradeSummary,
    "TradeSummaryRevision": TradeSummaryRevision,
    "TradeSummaryWithdrawal": TradeSummaryWithdrawal,
    "Unemployment": Unemployment,
    "UnemploymentRevision": UnemploymentRevision,
    "UnemploymentWithdrawal": UnemploymentWithdrawal,
    "Usage": Usage,
    "UsageLimits": UsageLimits,
    "Vintage": Vintage,
    "VintageList": VintageList,
}
"""Every model by its name, which is also the last part of an event's `dataschema`."""

ProblemCode = Literal[
    "body_too_large",
    "commodity_not_supported",
    "currency_not_supported",
    "cursor_ahead",
    "cursor_expired",
    "cursor_foreign",
    "cursor_invalid",
    "cursor_mismatch",
    "cursor_superseded",
    "event_not_found",
    "internal",
    "invalid_body",
    "invalid_path",
    "invalid_query",
    "never_published",
    "no_complete_publication",
    "no_dated_evidence",
    "not_acceptable",
    "not_yet_published",
    "origin_not_allowed",
    "pair_not_quoted",
    "plan_upgrade_required",
    "price_unavailable",
    "quota_exhausted",
    "rate_limited",
    "release_not_found",
    "unauthorized",
    "unavailable",
    "unsupported_media_type",
]

StreamErrorCode = Literal[
    "command_limit",
    "commodity_not_supported",
    "currency_not_supported",
    "cursor_ahead",
    "cursor_expired",
    "cursor_foreign",
    "cursor_invalid",
    "cursor_superseded",
    "filter_not_supported",
    "invalid_command",
    "invalid_frame",
    "plan_upgrade_required",
    "quota_unavailable",
    "resubscribe_required",
    "revoked",
    "slow_consumer",
    "stream_limit",
    "subscribe_required",
    "unauthorized",
    "unavailable",
]

StreamName = Literal[
    "prices",
    "events",
    "predictions",
]
