import { type ServedIndicator, servingOf } from '../contracts/indicators.ts'
import type { Series } from '../contracts/records.ts'
import type { ForecastModel } from './forecast-method.ts'

/** Chooses the model that forecasts the predicted figure of a series. */
export function modelOf({
  indicator,
  frequency,
  seasonal_adjustment,
}: Series & { indicator: ServedIndicator }): ForecastModel {
  const { kind, onYearBefore } = servingOf(indicator).predicted
  return {
    frequency,
    kind,
    seasonal: frequency !== 'A' && !onYearBefore && seasonal_adjustment === 'not_seasonally_adjusted',
  }
}
