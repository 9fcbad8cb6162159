import { Type } from '#typebox'
import { literals } from './operation.ts'

/** Transformations of a history and aggregation to a lower frequency, by the names that FRED uses. */

/** Codes of the transformations, with what each computes. `lin` leaves the figures as they are. */
export const transformations = {
  lin: 'level',
  chg: 'change from the period before',
  ch1: 'change from a year before',
  pch: 'percent change from the period before',
  pc1: 'percent change from a year before',
  pca: 'compounded annual rate of change',
  cch: 'continuously compounded rate of change',
  cca: 'continuously compounded annual rate of change',
  log: 'natural logarithm',
} as const
export type UnitCode = keyof typeof transformations
// The cast: the keys of an object literal are those of its type.
export const unitCodes = Object.keys(transformations) as readonly UnitCode[]

export const aggregationMethods = ['avg', 'sum', 'eop'] as const
export type AggregationMethod = (typeof aggregationMethods)[number]

/** Why a transformed or aggregated figure does not exist. */
const missingReasons = {
  no_predecessor: 'the period that it compares with has no figure',
  other_series: 'only another series has the other periods that it needs',
  incomplete: 'not every period of the aggregate has a figure',
  not_positive:
    'a rate needs a base above zero; cch, cca and log also a figure above zero, pca one that is not negative',
  out_of_range: 'the result has more than 64 characters',
} as const
export type MissingReason = keyof typeof missingReasons
const reasons = Object.keys(missingReasons) as readonly MissingReason[]

/** Orders of the periods of a history. */
export const sortOrders = ['asc', 'desc'] as const

const listed = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([code, text]) => `${code}: ${text}`)
    .join('; ')

export const unitsParameter = Type.Optional({
  ...Type.Unsafe<UnitCode>(literals(unitCodes)),
  description: `Transformation, after any aggregation. ${listed(transformations)}. Left out: lin`,
})
export const aggregationParameter = Type.Optional({
  ...Type.Unsafe<AggregationMethod>(literals(aggregationMethods)),
  description:
    'Makes the periods of `frequency` from a higher one: average, sum or end of period. Only complete periods have a value',
})

/** Members of an entry that is transformed or aggregated; other entries lack them. */
export const ofTransformation = {
  aggregation_method: Type.Optional({
    ...Type.Unsafe<AggregationMethod>(literals(aggregationMethods)),
    description: 'How the periods of a higher frequency were aggregated; absent if they were not',
  }),
  missing: Type.Optional({
    ...Type.Unsafe<MissingReason>(literals(reasons)),
    description: `Why the value is null: ${listed(missingReasons)}`,
  }),
}

/** How a transformed figure is named. Differences stay in the unit of the series, those of percentages in percentage points. */
export function transformedAs(
  units: UnitCode,
  { unit, transformation }: { readonly unit: string; readonly transformation: string },
): { readonly unit: string; readonly transformation: string } {
  if (units === 'lin') return { unit, transformation }
  return { unit: unitOf(units, unit), transformation: transformation === '' ? units : `${units}:${transformation}` }
}

function unitOf(units: UnitCode, unit: string): string {
  if (units === 'log') return 'log'
  if (units !== 'chg' && units !== 'ch1') return 'percent'
  return unit === 'percent' ? 'percentage_points' : unit
}
