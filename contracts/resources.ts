import { Type } from '#typebox'
import {
  Annualization,
  AnyPeriod,
  CountryCode,
  CurrencyCode,
  IsoDate,
  MonthPeriod,
  NonNegativeDecimal,
  nullable,
  PositiveDecimal,
  QuarterPeriod,
  SeasonalAdjustment,
  SignedDecimal,
  strict,
  Timestamp,
  YearOrMonthPeriod,
} from './scalars.ts'

/**
 * REST bodies of the interface specification, section 2. Type, validation, OpenAPI and serialiser follow from these.
 */

const percent = Type.Literal('percent')
const released_on = { released_on: IsoDate }

export const Cpi = strict(
  {
    country: CountryCode,
    period: MonthPeriod,
    value: PositiveDecimal,
    base_period: Type.String({
      pattern: '^\\d{4}(?:-(?:0[1-9]|1[0-2]))?(?:/\\d{4}(?:-(?:0[1-9]|1[0-2]))?)?$',
      description: 'The period in which the index equals base_value: a period, or an interval of two, e.g. 1982/1984',
    }),
    base_value: PositiveDecimal,
    ...released_on,
  },
  { $id: 'Cpi', description: 'Consumer price index, all items' },
)
export const Inflation = strict(
  {
    country: CountryCode,
    period: MonthPeriod,
    year_over_year: SignedDecimal,
    month_over_month: SignedDecimal,
    year_to_date: SignedDecimal,
    unit: percent,
    ...released_on,
  },
  { $id: 'Inflation', description: 'Change of the consumer price index; year to date is against December before' },
)
const labourRate = { country: CountryCode, period: AnyPeriod, rate: SignedDecimal, unit: percent, ...released_on }
export const Unemployment = strict(labourRate, {
  $id: 'Unemployment',
  description: 'Unemployed persons as a share of the labour force',
})
export const LabourForceParticipation = strict(labourRate, {
  $id: 'LabourForceParticipation',
  description: 'Labour force as a share of the working-age population',
})
export const Gdp = strict(
  {
    country: CountryCode,
    period: QuarterPeriod,
    value: PositiveDecimal,
    currency: CurrencyCode,
    price_basis: Type.Literal('current'),
    seasonal_adjustment: SeasonalAdjustment,
    annualization: Annualization,
    ...released_on,
  },
  { $id: 'Gdp', description: 'Gross domestic product at current prices, in whole units of currency' },
)
export const GdpGrowth = strict(
  {
    country: CountryCode,
    period: QuarterPeriod,
    year_over_year: SignedDecimal,
    quarter_over_quarter: SignedDecimal,
    year_to_date: Type.Optional(nullable(SignedDecimal)),
    unit: percent,
    price_basis: Type.Literal('constant'),
    seasonal_adjustment: SeasonalAdjustment,
    annualization: Annualization,
    ...released_on,
  },
  { $id: 'GdpGrowth', description: 'Growth of gross domestic product at constant prices' },
)
export const TradeSummary = strict(
  {
    country: CountryCode,
    period: YearOrMonthPeriod,
    exports: NonNegativeDecimal,
    imports: NonNegativeDecimal,
    balance: SignedDecimal,
    currency: CurrencyCode,
    coverage: Type.Literal('merchandise'),
    ...released_on,
  },
  { $id: 'TradeSummary', description: 'Merchandise trade of a country with the world, in whole units of currency' },
)
export const ProductCode = Type.String({
  pattern: '^(?:\\d{2}|\\d{4}|\\d{6})$',
  description: 'Harmonized System code: chapter, heading or subheading',
})
export const Classification = Type.String({
  pattern: '^HS\\d{4}$',
  description: 'Harmonized System edition, e.g. HS2022',
})
export const TradeProductFilter = strict(
  { classification: Classification, code: ProductCode },
  { $id: 'TradeProductFilter', description: 'A product of one edition of the Harmonized System' },
)
const flowTotal = <F extends 'export' | 'import'>(flow: F) => ({
  country: CountryCode,
  period: YearOrMonthPeriod,
  flow: Type.Literal(flow),
  value: NonNegativeDecimal,
  currency: CurrencyCode,
  coverage: Type.Literal('merchandise'),
  partner: Type.Optional(nullable(CountryCode)),
  product: Type.Optional(nullable(TradeProductFilter)),
  ...released_on,
})
export const TradeExports = strict(flowTotal('export'), {
  $id: 'TradeExports',
  description: 'Merchandise exports to the world, in whole units of currency',
})
export const TradeImports = strict(flowTotal('import'), {
  $id: 'TradeImports',
  description: 'Merchandise imports from the world, in whole units of currency',
})

const QuoteTime = Type.String({
  ...Timestamp,
  description:
    'Time of the oldest quote that the price was computed from; a newer quote changes the price but not this',
})

export const SpotPrice = strict(
  {
    symbol: Type.String({
      pattern: '^[A-Z][A-Z0-9_]{1,15}-[A-Z]{3}$',
      description: 'Commodity and currency, e.g. XAU-USD',
    }),
    price: PositiveDecimal,
    currency: CurrencyCode,
    unit: Type.String({ description: 'Unit of quantity the price is for, e.g. troy_ounce' }),
    timestamp: QuoteTime,
    stale: Type.Boolean({ description: 'The price is older than its market’s normal interval' }),
  },
  { $id: 'SpotPrice' },
)
export const FxRate = strict(
  {
    currency: CurrencyCode,
    rate: PositiveDecimal,
    timestamp: QuoteTime,
    stale: Type.Boolean(),
  },
  { $id: 'FxRate', description: 'Units of `currency` for one unit of the base' },
)
const [open, closed, simulated] = [Type.Literal('open'), Type.Literal('closed'), Type.Literal('simulated')]
const byHours = 'By the market’s weekly hours. Holidays are not known, so a market is `open` on a holiday'
/** Market session of a rate. The rates of a demonstration belong to no market. */
export const RateSession = Type.Union([open, closed, simulated], {
  description: `${byHours}. \`simulated\`: rates made up for a demonstration, which change at all hours`,
})
export const FxRates = strict(
  { base: CurrencyCode, market_session: RateSession, rates: Type.Array(FxRate) },
  { $id: 'FxRates' },
)

/** The beginning of a market’s session: the data of `prices.session.opened` and `prices.session.closed`. */
export const MarketSessionChange = strict(
  {
    market: Type.String({ description: 'Market code, e.g. FX' }),
    name: Type.String(),
    market_session: Type.Union([open, closed], { description: byHours }),
    since: Timestamp,
    until: { ...Timestamp, description: 'When the session ends by the market’s calendar' },
  },
  { $id: 'MarketSessionChange' },
)

/** An outage of a source of prices, or of the service: the data of `prices.source.interrupted`. */
export const SourceInterruption = strict(
  {
    source: Type.String({ description: 'Source of prices, e.g. feed' }),
    since: { ...Timestamp, description: 'Time of the last price before the outage, of any instrument' },
    until: { ...Timestamp, description: 'When the first price after it came' },
    instruments: Type.Integer({
      minimum: 2,
      description: 'Number of instruments whose prices of this source were stale',
    }),
  },
  { $id: 'SourceInterruption' },
)

export const ScoredPrediction = strict(
  {
    period: AnyPeriod,
    value: { ...SignedDecimal, description: 'What was predicted' },
    actual: { ...SignedDecimal, description: 'What was released' },
    error: { ...SignedDecimal, description: 'actual - value' },
    within: Type.Boolean({ description: 'Whether the release lay within the interval' }),
  },
  { $id: 'ScoredPrediction', description: 'How the prediction before this one did, once its release was in' },
)
export const Prediction = strict(
  {
    country: CountryCode,
    indicator: Type.String({ description: 'Indicator code, e.g. cpi' }),
    figure: Type.String({ description: 'Which member of the indicator’s body is predicted, e.g. year_over_year' }),
    period: { ...AnyPeriod, description: 'Period of the expected next release' },
    value: SignedDecimal,
    lower: { ...SignedDecimal, description: 'Lower bound of the 80 % interval' },
    upper: { ...SignedDecimal, description: 'Upper bound of the 80 % interval' },
    unit: Type.String({ description: 'Unit of the figures: a currency, percent or index' }),
    method: Type.String({ description: 'How it was computed; see docs/predictions.md' }),
    computed: Type.Boolean({ description: 'Always true: computed by this service, not published by anyone' }),
    made_at: Timestamp,
    scored: nullable(ScoredPrediction),
  },
  { $id: 'Prediction', description: 'What is expected of the next release. Computed, never an official figure' },
)

export const Plan = Type.Union([Type.Literal('free'), Type.Literal('basic'), Type.Literal('pro')])
export type Plan = Type.Static<typeof Plan>
export const Usage = strict(
  {
    plan: Plan,
    month: MonthPeriod,
    used: Type.Integer({
      minimum: 0,
      description:
        'Calls counted this month. While calls are made, each other process that serves the account may have reserved up to a thousandth of the plan’s month (8 to 1,024 calls), which counts as used. Unused reservations are returned within seconds',
    }),
    remaining: Type.Integer({ minimum: 0, description: 'calls_per_month less used' }),
    streams_open: Type.Integer({ minimum: 0, description: 'Streams of the account that are open, on all nodes' }),
    limits: strict({
      calls_per_month: Type.Integer(),
      calls_per_minute: Type.Integer(),
      concurrent_streams: Type.Integer(),
    }),
  },
  {
    $id: 'Usage',
    description: 'Use in the current calendar month (UTC) of this key and of the keys it was rotated from or to',
  },
)
export const Health = Type.Object(
  {
    status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
    version: Type.String({ description: 'Version of the program, not of the API' }),
    journal: Type.String(),
    read_models: Type.String(),
    access: Type.String(),
    starting: Type.Optional(
      Type.String({ description: 'What the start still waits for, as `/ready` says it; left out once nothing' }),
    ),
    data_as_of: Type.String({ description: 'When the newest record behind the latest figures was recorded, or empty' }),
  },
  { $id: 'Health', additionalProperties: Type.String(), description: 'Every value is a string' },
)

export type Cpi = Type.Static<typeof Cpi>
export type Inflation = Type.Static<typeof Inflation>
export type Unemployment = Type.Static<typeof Unemployment>
export type LabourForceParticipation = Type.Static<typeof LabourForceParticipation>
export type Gdp = Type.Static<typeof Gdp>
export type GdpGrowth = Type.Static<typeof GdpGrowth>
export type TradeSummary = Type.Static<typeof TradeSummary>
export type TradeExports = Type.Static<typeof TradeExports>
export type TradeImports = Type.Static<typeof TradeImports>
export type SpotPrice = Type.Static<typeof SpotPrice>
export type FxRate = Type.Static<typeof FxRate>
export type FxRates = Type.Static<typeof FxRates>
export type Usage = Type.Static<typeof Usage>
export type Health = Type.Static<typeof Health>
export type MarketSessionChange = Type.Static<typeof MarketSessionChange>
export type SourceInterruption = Type.Static<typeof SourceInterruption>
export type ScoredPrediction = Type.Static<typeof ScoredPrediction>
export type Prediction = Type.Static<typeof Prediction>
