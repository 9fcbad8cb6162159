import type { indicators, ServedIndicator } from '../contracts/indicators.ts'
import type { Series } from '../contracts/records.ts'
import type { FigureKind, ForecastModel } from './forecast-method.ts'

type Entry<I extends ServedIndicator> = {
  /** The member of the indicator’s body that is predicted. */
  readonly figure: (typeof indicators)[I]['figures'][number]
  readonly kind: FigureKind
  /** A change on the year before has no seasons, whatever its series has. */
  readonly onYearBefore?: true
}

/** Which figure of each served indicator is predicted. */
export const predictedFigures: { readonly [I in ServedIndicator]: Entry<I> } = {
  cpi: { figure: 'value', kind: 'level' },
  inflation: { figure: 'year_over_year', kind: 'rate', onYearBefore: true },
  unemployment: { figure: 'rate', kind: 'share' },
  'labour-force-participation': { figure: 'rate', kind: 'share' },
  gdp: { figure: 'value', kind: 'level' },
  'gdp-growth': { figure: 'year_over_year', kind: 'rate', onYearBefore: true },
  trade: { figure: 'balance', kind: 'balance' },
  'trade-exports': { figure: 'value', kind: 'level' },
  'trade-imports': { figure: 'value', kind: 'level' },
}

export const isPredicted = (indicator: string): indicator is ServedIndicator =>
  Object.hasOwn(predictedFigures, indicator)

/** How the predicted figure of a series is forecast. */
export function modelOf({
  indicator,
  frequency,
  seasonal_adjustment,
}: Series & { indicator: ServedIndicator }): ForecastModel {
  const { kind, onYearBefore } = predictedFigures[indicator]
  return {
    frequency,
    kind,
    seasonal: frequency !== 'A' && !onYearBefore && seasonal_adjustment === 'not_seasonally_adjusted',
  }
}
