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
    figures: ['value'],
  },
  inflation: {
    family: 'inflation',
    path: 'inflation',
    operationId: 'economics_get_inflation',
    resource: resources.Inflation,
    summary: 'Inflation: year over year, month over month, year to date',
    figures: ['year_over_year', 'month_over_month', 'year_to_date'],
  },
  unemployment: {
    family: 'labour',
    path: 'unemployment',
    operationId: 'economics_get_unemployment',
    resource: resources.Unemployment,
    summary: 'Unemployment rate',
    figures: ['rate'],
  },
  'labour-force-participation': {
    family: 'labour',
    path: 'labour-force-participation',
    operationId: 'economics_get_labour_force_participation',
    resource: resources.LabourForceParticipation,
    summary: 'Labour force participation rate',
    figures: ['rate'],
  },
  gdp: {
    family: 'output',
    path: 'gdp',
    operationId: 'economics_get_gdp',
    resource: resources.Gdp,
    summary: 'Gross domestic product at current prices',
    figures: ['value'],
  },
  'gdp-growth': {
    family: 'output',
    path: 'gdp-growth',
    operationId: 'economics_get_gdp_growth',
    resource: resources.GdpGrowth,
    summary: 'Growth of gross domestic product at constant prices',
    figures: ['year_over_year', 'quarter_over_quarter', 'year_to_date'],
  },
  'gdp-volume': {
    family: 'output',
    path: null,
    operationId: null,
    resource: null,
    summary: 'Gross domestic product at constant prices (level or index)',
    figures: ['value'],
  },
  trade: {
    family: 'trade',
    path: 'trade',
    operationId: 'economics_get_trade',
    resource: resources.TradeSummary,
    summary: 'Merchandise trade: exports, imports and balance',
    figures: ['exports', 'imports', 'balance'],
  },
  'trade-exports': {
    family: 'trade',
    path: 'trade/exports',
    operationId: 'economics_get_trade_exports',
    resource: resources.TradeExports,
    summary: 'Merchandise exports',
    figures: ['value'],
  },
  'trade-imports': {
    family: 'trade',
    path: 'trade/imports',
    operationId: 'economics_get_trade_imports',
    resource: resources.TradeImports,
    summary: 'Merchandise imports',
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
