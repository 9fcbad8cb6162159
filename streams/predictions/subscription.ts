import { countryByAlpha3 } from '../../contracts/countries.ts'
import { SubscribePredictions } from '../../contracts/frames.ts'
import { isServed } from '../../contracts/indicators.ts'
import { type Filters, readFilters } from '../filters.ts'
import { refuseHistoryPosition } from '../no-history.ts'
import { shapeCheck } from '../shape.ts'
import type { Refusal } from '../stream.ts'

/** The predictions that a client subscribes to. */
export type PredictionFilter = Filters<'countries' | 'indicators'>

const checkShape = shapeCheck(SubscribePredictions)

/** Reads a subscribe message. Checks shape and limits first, then whether the values are served. */
export const readFilter = (message: Readonly<Record<string, unknown>>): PredictionFilter | Refusal =>
  refuseHistoryPosition(message, 'the events of the family predictions have past ones') ??
  checkShape(message) ??
  readFilters(message, { countries: (value) => countryByAlpha3.has(value), indicators: isServed })

export const matches = (
  { countries, indicators }: PredictionFilter,
  { country, indicator }: { readonly country: string; readonly indicator: string },
): boolean => (countries?.has(country) ?? true) && (indicators?.has(indicator) ?? true)
