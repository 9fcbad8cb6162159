import { countryByAlpha3 } from '../../contracts/countries.ts'
import { SubscribePredictions } from '../../contracts/frames.ts'
import { isServed } from '../../contracts/indicators.ts'
import { type Filters, readFilters } from '../filters.ts'
import { shapeCheck } from '../shape.ts'
import type { Refusal } from '../stream.ts'

/** Which predictions a client wants. */
export type PredictionFilter = Filters<'countries' | 'indicators'>

const misshapen = shapeCheck(SubscribePredictions)

/** Reads a subscribe message: shape and limits, then what is served. */
export const readFilter = (message: Readonly<Record<string, unknown>>): PredictionFilter | Refusal =>
  misshapen(message) ?? readFilters(message, { countries: (value) => countryByAlpha3.has(value), indicators: isServed })

export const matches = (
  { countries, indicators }: PredictionFilter,
  { country, indicator }: { readonly country: string; readonly indicator: string },
): boolean => (countries?.has(country) ?? true) && (indicators?.has(indicator) ?? true)
