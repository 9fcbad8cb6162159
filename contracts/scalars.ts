import { Type } from '#typebox'

/** Scalar types of the interface specification, section 2.1. All figures travel as decimal strings. */
export const CountryCode = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 3166-1 alpha-3 country code' })
export const CurrencyCode = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 currency code' })
export const IsoDate = Type.String({
  format: 'date',
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'Calendar date, ISO 8601',
})
export const Timestamp = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: 'Instant, ISO 8601, UTC, milliseconds',
})
/** The `as_of` of an empty journal, over REST and streams. It is the same on every node. */
export const BEFORE_ANYTHING = '1970-01-01T00:00:00.000Z'
export const MonthPeriod = Type.String({ pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$', description: 'Month, e.g. 2026-09' })
export const QuarterPeriod = Type.String({ pattern: '^\\d{4}-Q[1-4]$', description: 'Quarter, e.g. 2026-Q3' })
export const YearOrMonthPeriod = Type.String({
  pattern: '^\\d{4}(?:-(?:0[1-9]|1[0-2]))?$',
  description: 'Year or month, e.g. 2025 or 2026-09',
})
export const AnyPeriod = Type.String({
  pattern: '^(?:\\d{4}|\\d{4}-(?:0[1-9]|1[0-2])|\\d{4}-Q[1-4])$',
  description: 'Year, month or quarter, e.g. 2025, 2026-09 or 2026-Q3',
})
export const PositiveDecimal = Type.String({
  maxLength: 64,
  pattern: '^(?:0\\.\\d*[1-9]\\d*|[1-9]\\d*(?:\\.\\d+)?)$',
  description: 'Decimal greater than zero',
})
export const NonNegativeDecimal = Type.String({
  maxLength: 64,
  pattern: '^(?:0|[1-9]\\d*)(?:\\.\\d+)?$',
  description: 'Decimal, zero or greater',
})
export const SignedDecimal = Type.String({
  maxLength: 64,
  pattern: '^-?(?:0|[1-9]\\d*)(?:\\.\\d+)?$',
  description: 'Decimal',
})
/** Value of an index in its base period. */
export const BaseValue = Type.String({
  pattern: '^(?:(?:0|[1-9]\\d*)(?:\\.\\d+)?)?$',
  description: 'Value of the index in base_period; empty for other units',
})
/** The cast: the type of a string schema leaves out its keywords. */
const patternOf = (schema: Type.TSchema) => (schema as { readonly pattern?: unknown }).pattern
/** The patterns of decimal strings. They are all that tells a decimal from another string. */
export const decimalPatterns: readonly unknown[] = [PositiveDecimal, NonNegativeDecimal, SignedDecimal].map(patternOf)
/** Those of strings that are decimals or empty, too. */
export const printedDecimalPatterns: readonly unknown[] = [...decimalPatterns, patternOf(BaseValue)]
export const SeasonalAdjustment = Type.Union([
  Type.Literal('seasonally_adjusted'),
  Type.Literal('not_seasonally_adjusted'),
])
export type SeasonalAdjustment = Type.Static<typeof SeasonalAdjustment>
export const Annualization = Type.Union([Type.Literal('annualized'), Type.Literal('not_annualized')])
export type Annualization = Type.Static<typeof Annualization>

/** A member that may be null. */
export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** An object schema that is published under its own name. */
export type NamedObject = Type.TSchema & { readonly $id: string; readonly properties: Type.TProperties }

/** An object schema that rejects unknown properties, as every resource of the specification does. */
export function strict<P extends Type.TProperties>(
  properties: P,
  options: Type.TObjectOptions & { readonly $id: string },
): Type.TObject<P> & { readonly $id: string }
export function strict<P extends Type.TProperties>(properties: P, options?: Type.TObjectOptions): Type.TObject<P>
export function strict<P extends Type.TProperties>(properties: P, options: Type.TObjectOptions = {}): Type.TObject<P> {
  return Type.Object(properties, { ...options, additionalProperties: false })
}
