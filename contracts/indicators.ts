import type Type from 'typebox'
import * as resources from './resources.ts'

/**
 * The indicators: what each is called, served as and grouped under. `gdp-volume` (constant-price level, the SNA's term)
 * is an input of `gdp-growth` and is not served by itself.
 */
export const families = ['inflation', 'labour', 'output', 'trade'] as const
export type Family = (typeof families)[number]

type IndicatorEntry = {
  readonly family: Family
  /** Path below /v1/economics/{country}/, or null where the indicator is an input only. */
  readonly path: string | null
  readonly operationId: string | null
  readonly resource: Type.TSchema | null
  readonly summary: string
  /** What the figure means and when to ask for it, in whole sentences; empty where the indicator isn't served. */
  readonly description: string
  /** The members of the body that hold its figures; a release carries exactly these. */
  readonly figures: readonly string[]
}

export const indicators = {
  cpi: {
    family: 'inflation',
    path: 'cpi',
    operationId: 'economics_get_cpi',
    resource: resources.Cpi,
    summary: 'Consumer price index',
    description:
      'The level of consumer prices, all items, as an index number; `base_period` is where it equals `base_value`. For how fast prices rise, use economics_get_inflation.',
    figures: ['value'],
  },
  inflation: {
    family: 'inflation',
    path: 'inflation',
    operationId: 'economics_get_inflation',
    resource: resources.Inflation,
    summary: 'Inflation: year over year, month over month, year to date',
    description:
      'How fast consumer prices rise, in percent: since the same month a year before, since the month before, and since December before. Computed from the consumer price index.',
    figures: ['year_over_year', 'month_over_month', 'year_to_date'],
  },
  unemployment: {
    family: 'labour',
    path: 'unemployment',
    operationId: 'economics_get_unemployment',
    resource: resources.Unemployment,
    summary: 'Unemployment rate',
    description:
      'Unemployed persons in percent of the labour force. Published by month, quarter or year, as the country’s source does.',
    figures: ['rate'],
  },
  'labour-force-participation': {
    family: 'labour',
    path: 'labour-force-participation',
    operationId: 'economics_get_labour_force_participation',
    resource: resources.LabourForceParticipation,
    summary: 'Labour force participation rate',
    description:
      'People in work or looking for it, in percent of the working-age population. Published by month, quarter or year, as the country’s source does.',
    figures: ['rate'],
  },
  gdp: {
    family: 'output',
    path: 'gdp',
    operationId: 'economics_get_gdp',
    resource: resources.Gdp,
    summary: 'Gross domestic product at current prices',
    description:
      'The size of the economy in a quarter, in whole units of `currency`, which need not be the country’s own; `annualization` says whether a quarter is shown at its rate for a year. For how fast it grows, use economics_get_gdp_growth.',
    figures: ['value'],
  },
  'gdp-growth': {
    family: 'output',
    path: 'gdp-growth',
    operationId: 'economics_get_gdp_growth',
    resource: resources.GdpGrowth,
    summary: 'Growth of gross domestic product at constant prices',
    description:
      'How fast the economy grows without inflation, in percent: since the same quarter a year before and since the quarter before.',
    figures: ['year_over_year', 'quarter_over_quarter', 'year_to_date'],
  },
  'gdp-volume': {
    family: 'output',
    path: null,
    operationId: null,
    resource: null,
    summary: 'Gross domestic product at constant prices (level or index)',
    description: '',
    figures: ['value'],
  },
  trade: {
    family: 'trade',
    path: 'trade',
    operationId: 'economics_get_trade',
    resource: resources.TradeSummary,
    summary: 'Merchandise trade: exports, imports and balance',
    description:
      'What a country sells to and buys from the whole world, and the difference, in whole units of `currency`, which need not be the country’s own. Goods only, no services. By month or by year.',
    figures: ['exports', 'imports', 'balance'],
  },
  'trade-exports': {
    family: 'trade',
    path: 'trade/exports',
    operationId: 'economics_get_trade_exports',
    resource: resources.TradeExports,
    summary: 'Merchandise exports',
    description:
      'What a country sells to the whole world, in whole units of `currency`, which need not be the country’s own. Goods only, no services. By month or by year. For many periods at once, use economics_get_trade_exports_history.',
    figures: ['value'],
  },
  'trade-imports': {
    family: 'trade',
    path: 'trade/imports',
    operationId: 'economics_get_trade_imports',
    resource: resources.TradeImports,
    summary: 'Merchandise imports',
    description:
      'What a country buys from the whole world, in whole units of `currency`, which need not be the country’s own. Goods only, no services. By month or by year.',
    figures: ['value'],
  },
} as const satisfies Record<string, IndicatorEntry>

export type Indicator = keyof typeof indicators
export type ServedIndicator = Exclude<Indicator, 'gdp-volume'>
export const indicatorCodes = Object.keys(indicators) as readonly Indicator[]

/** The ten countries whose export totals are public (specification 4.2 rule 3). */
export const exportsCountries = ['AUS', 'CAN', 'DEU', 'FRA', 'GBR', 'JPN', 'MYS', 'NLD', 'SGP', 'USA'] as const

/** Indicators that show a country's export total: `trade` has it as a member, and again in its balance. */
const showsExports: ReadonlySet<Indicator> = new Set(['trade-exports', 'trade'])

/** Whether an indicator of a country is public. REST, events and predictions all obey this one rule. */
export const isPublic = (indicator: Indicator, country: string): boolean =>
  !showsExports.has(indicator) || (exportsCountries as readonly string[]).includes(country)
