import { type ForecastModel, forecaster, type Interval, reachOf } from './forecast-method.ts'
import { latest } from './instant.ts'
import { shiftPeriod } from './period.ts'

type Forecast = Interval & { readonly period: string }

/**
 * Forecasts by the seasonal naive method with drift. The forecast is the newest figure, changed by the median of the changes in
 * the same season of the past five years. If the figures have no seasons, every period is the same season: naive with drift.
 *
 * The bounds contain about 80 % of the errors that the method would have made over the newest 60 periods. Of n errors,
 * they are the k-th smallest and the k-th greatest. Here k is (n + 1) / 10, rounded down, but at least 1.
 *
 * `history` holds the current figures of one series by period, in any order. Values are decimals with the precision of the newest
 * figures, rounded half away from zero; `lower` ≤ `value` ≤ `upper`. `horizon` is in periods. Returns undefined if
 * - the past five years have fewer than two years of figures,
 * - there are fewer than eight errors,
 * - a level is not positive, or
 * - a value would be too long to serve.
 */
export function forecast(
  history: ReadonlyMap<string, string>,
  model: ForecastModel,
  horizon = 1,
): Forecast | undefined {
  const newest = latest(...history.keys())
  if (newest === '') return undefined
  const length = reachOf(model.frequency, horizon)
  const figures = Array.from({ length }, (_, at) => history.get(shiftPeriod(newest, at + 1 - length)))
  const interval = forecaster(figures, model, horizon)(length - 1)
  return interval && { period: shiftPeriod(newest, horizon), ...interval }
}

/** Name of the method in docs/predictions.md. */
export const methodName = ({ seasonal }: Pick<ForecastModel, 'seasonal'>): string =>
  seasonal ? 'seasonal_naive_drift' : 'naive_drift'
