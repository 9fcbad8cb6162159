import type { Type } from '#typebox'
import * as resources from './resources.ts'
import {
  AnyPeriod,
  MonthPeriod,
  type NamedObject,
  QuarterPeriod,
  type SeasonalAdjustment,
  YearOrMonthPeriod,
} from './scalars.ts'

const families = ['inflation', 'labour', 'output', 'trade'] as const
type Family = (typeof families)[number]

/**
 * The kind of a figure, which decides how it is forecast. A `level` is positive and changes by a factor. The other
 * kinds change by an amount. A `balance` is a difference of levels, a `rate` any percentage, and a `share` a percentage
 * of a whole, 0 to 100.
 */
export type FigureKind = 'level' | 'balance' | 'rate' | 'share'

type Bounds = { readonly above?: number; readonly from?: number; readonly to?: number }

/**
 * The values that a figure can have, because of what it measures. A `share` is a percentage of a whole, and a `rate` the
 * change of a positive level in percent.
 */
const figureRanges = {
  any: {},
  positive: { above: 0 },
  not_negative: { from: 0 },
  share: { from: 0, to: 100 },
  rate: { from: -100 },
} as const satisfies Record<string, Bounds>
export type FigureRange = keyof typeof figureRanges
export const figureBounds = (range: FigureRange): Bounds => figureRanges[range]

/** How an indicator is served. */
type Serving = {
  /** Path below /v1/economics/{country}/. */
  readonly path: string
  readonly operationId: string
  readonly resource: NamedObject
  /** Meaning of the figure and when to request it, in whole sentences. */
  readonly description: string
  /** The periods that a request may name. */
  readonly period: Type.TSchema
  /** Whether a request may name a partner or a product. */
  readonly hasTradeFilters?: true
  /** The predicted member and its kind. `onYearBefore` marks a change on the year before, which has no seasons. */
  readonly predicted: { readonly figure: string; readonly kind: FigureKind; readonly onYearBefore?: true }
}

type IndicatorDefinition = {
  readonly family: Family
  readonly summary: string
  /** The members of the body that hold its figures. A release has no others. */
  readonly figures: readonly string[]
  /** The members of `figures` that a release may lack, because the body lets them be null. */
  readonly optionalFigures?: readonly string[]
  /**
   * Whether a publisher may give some of `figures` and not the others, as growth on the year before without growth on the
   * quarter before. Such a release is in the histories. The body needs all figures, so it is not made from it.
   */
  readonly figuresStandAlone?: true
  /** The values that each of `figures` can have, one for all or one for each. */
  readonly range: FigureRange | Readonly<Record<string, FigureRange>>
  /** The usual seasonal adjustment of the indicator. The other one is served where this one is not on record. */
  readonly adjustment: SeasonalAdjustment
  /** Null if the indicator is only an input of another. */
  readonly served: Serving | null
}

/**
 * Every fact about an indicator, in one definition each. A new indicator needs one here, a body in `domain/resource.ts`
 * and, if it is computed, a rule in `domain/derive/`. `gdp-volume` (the constant-price level, as the SNA calls it) is
 * an input of `gdp-growth` and is not served itself.
 */
export const indicators = {
  cpi: {
    family: 'inflation',
    summary: 'Consumer price index',
    figures: ['value'],
    range: 'positive',
    adjustment: 'not_seasonally_adjusted',
    served: {
      path: 'cpi',
      operationId: 'economics_get_cpi',
      resource: resources.Cpi,
      description:
        'The level of consumer prices, all items, as an index number; `base_period` is where it equals `base_value`. For how fast prices rise, use economics_get_inflation.',
      period: MonthPeriod,
      predicted: { figure: 'value', kind: 'level' },
    },
  },
  inflation: {
    family: 'inflation',
    summary: 'Inflation: year over year, month over month, year to date',
    figures: ['year_over_year', 'month_over_month', 'year_to_date'],
    figuresStandAlone: true,
    range: 'rate',
    adjustment: 'not_seasonally_adjusted',
    served: {
      path: 'inflation',
      operationId: 'economics_get_inflation',
      resource: resources.Inflation,
      description:
        'How fast consumer prices rise, in percent: since the same month a year before, since the month before, and since December before. Computed from the consumer price index.',
      period: MonthPeriod,
      predicted: { figure: 'year_over_year', kind: 'rate', onYearBefore: true },
    },
  },
  unemployment: {
    family: 'labour',
    summary: 'Unemployment rate',
    figures: ['rate'],
    range: 'share',
    adjustment: 'seasonally_adjusted',
    served: {
      path: 'unemployment',
      operationId: 'economics_get_unemployment',
      resource: resources.Unemployment,
      description:
        'Unemployed persons in percent of the labour force. Published by month, quarter or year, as the country’s source does.',
      period: AnyPeriod,
      predicted: { figure: 'rate', kind: 'share' },
    },
  },
  'labour-force-participation': {
    family: 'labour',
    summary: 'Labour force participation rate',
    figures: ['rate'],
    range: 'share',
    adjustment: 'seasonally_adjusted',
    served: {
      path: 'labour-force-participation',
      operationId: 'economics_get_labour_force_participation',
      resource: resources.LabourForceParticipation,
      description:
        'People in work or looking for it, in percent of the working-age population. Published by month, quarter or year, as the country’s source does.',
      period: AnyPeriod,
      predicted: { figure: 'rate', kind: 'share' },
    },
  },
  gdp: {
    family: 'output',
    summary: 'Gross domestic product at current prices',
    figures: ['value'],
    range: 'positive',
    adjustment: 'seasonally_adjusted',
    served: {
      path: 'gdp',
      operationId: 'economics_get_gdp',
      resource: resources.Gdp,
      description:
        'The size of the economy in a quarter, in whole units of `currency`, which need not be the country’s own; `annualization` says whether a quarter is shown at its rate for a year. For how fast it grows, use economics_get_gdp_growth.',
      period: QuarterPeriod,
      predicted: { figure: 'value', kind: 'level' },
    },
  },
  'gdp-growth': {
    family: 'output',
    summary: 'Growth of gross domestic product at constant prices',
    figures: ['year_over_year', 'quarter_over_quarter', 'year_to_date'],
    optionalFigures: ['year_to_date'],
    figuresStandAlone: true,
    range: 'rate',
    adjustment: 'seasonally_adjusted',
    served: {
      path: 'gdp-growth',
      operationId: 'economics_get_gdp_growth',
      resource: resources.GdpGrowth,
      description:
        'How fast the economy grows without inflation, in percent: since the same quarter a year before and since the quarter before.',
      period: QuarterPeriod,
      predicted: { figure: 'year_over_year', kind: 'rate', onYearBefore: true },
    },
  },
  'gdp-volume': {
    family: 'output',
    summary: 'Gross domestic product at constant prices (level or index)',
    figures: ['value'],
    range: 'positive',
    adjustment: 'seasonally_adjusted',
    served: null,
  },
  trade: {
    family: 'trade',
    summary: 'Merchandise trade: exports, imports and balance',
    figures: ['exports', 'imports', 'balance'],
    range: { exports: 'not_negative', imports: 'not_negative', balance: 'any' },
    adjustment: 'seasonally_adjusted',
    served: {
      path: 'trade',
      operationId: 'economics_get_trade',
      resource: resources.TradeSummary,
      description:
        'What a country sells to and buys from the whole world, and the difference, in whole units of `currency`, which need not be the country’s own. Goods only, no services. By month or by year.',
      period: YearOrMonthPeriod,
      predicted: { figure: 'balance', kind: 'balance' },
    },
  },
  'trade-exports': {
    family: 'trade',
    summary: 'Merchandise exports',
    figures: ['value'],
    range: 'not_negative',
    adjustment: 'seasonally_adjusted',
    served: {
      path: 'trade/exports',
      operationId: 'economics_get_trade_exports',
      resource: resources.TradeExports,
      description:
        'What a country sells to the whole world, in whole units of `currency`, which need not be the country’s own. Goods only, no services. By month or by year.',
      period: YearOrMonthPeriod,
      hasTradeFilters: true,
      predicted: { figure: 'value', kind: 'level' },
    },
  },
  'trade-imports': {
    family: 'trade',
    summary: 'Merchandise imports',
    figures: ['value'],
    range: 'not_negative',
    adjustment: 'seasonally_adjusted',
    served: {
      path: 'trade/imports',
      operationId: 'economics_get_trade_imports',
      resource: resources.TradeImports,
      description:
        'What a country buys from the whole world, in whole units of `currency`, which need not be the country’s own. Goods only, no services. By month or by year.',
      period: YearOrMonthPeriod,
      hasTradeFilters: true,
      predicted: { figure: 'value', kind: 'level' },
    },
  },
} as const satisfies Record<string, IndicatorDefinition>

export type Indicator = keyof typeof indicators
export type ServedIndicator = { [I in Indicator]: (typeof indicators)[I]['served'] extends null ? never : I }[Indicator]

/** The definition of an indicator; undefined if `code` names none. */
export const indicatorDefinition = (code: string): IndicatorDefinition | undefined =>
  Object.hasOwn(indicators, code) ? indicators[code as Indicator] : undefined

const needed: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<IndicatorDefinition>(indicators).map(([code, { figures, optionalFigures = [] }]) => [
    code,
    figures.filter((figure) => !optionalFigures.includes(figure)),
  ]),
)
const NONE: readonly string[] = []

/** The figures without which an indicator has no body. */
export const neededFigures = (indicator: Indicator): readonly string[] => needed.get(indicator) ?? NONE

/** Those of them that a release lacks. Every release is asked for them, so that none must cost nothing. */
export function lackingFigures(indicator: Indicator, figures: Readonly<Record<string, unknown>>): readonly string[] {
  const isThere = (figure: string) => figure in figures
  return neededFigures(indicator).every(isThere) ? NONE : neededFigures(indicator).filter((figure) => !isThere(figure))
}

/** The values that a figure of an indicator can have. */
export function rangeOf(indicator: Indicator, figure: string): FigureRange {
  const { range }: IndicatorDefinition = indicators[indicator]
  return typeof range === 'string' ? range : (range[figure] ?? 'any')
}

// A cast, because `Object.keys` forgets the type of the keys.
export const indicatorCodes = Object.keys(indicators) as readonly Indicator[]
export const isServed = (code: string): code is ServedIndicator => indicatorDefinition(code)?.served != null
export const servedIndicators: readonly ServedIndicator[] = Object.keys(indicators).filter(isServed)
export const servingOf = (indicator: ServedIndicator): Serving => indicators[indicator].served

/** The ten countries whose export totals are public (specification 4.2 rule 3). */
export const exportsCountries = ['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'MYS', 'NLD', 'SGP', 'USA'] as const

/** Indicators that show a country's export total: `trade` has it as a member, and again in its balance. */
const showsExports: ReadonlySet<Indicator> = new Set(['trade-exports', 'trade'])

/** Whether an indicator is public for a country. REST, events and predictions all obey this rule. */
export const isPublic = (indicator: Indicator, country: string): boolean =>
  !showsExports.has(indicator) || exportsCountries.some((code) => code === country)
