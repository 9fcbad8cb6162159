import { indicators } from '../../../contracts/indicators.ts'
import { isPeriodOf } from '../../../domain/period.ts'
import { seriesOf } from '../../../domain/series.ts'
import { supported } from '../../fetch/fetch-documents.ts'
import { figureOrReject, rejectOf } from '../../read/figure.ts'
import type { Item } from '../../source.ts'
import { worldBankIndicators } from './indicators.ts'

const unitsInTitles = { USD: '(current US$)', percent: '%' } as const

/**
 * A figure of a World Bank indicator, or the statement that there is none, released on the day of the database's last update;
 * or a reject, such as `unknown_unit` if the title of the indicator names another unit.
 */
export function figureOf(
  code: string,
  {
    title,
    country,
    period,
    printed,
    updated,
    location,
    text,
  }: {
    /** As the document states it, with the unit in brackets; `''` if it does not. */
    readonly title: string
    /** ISO 3166-1 alpha-3. */
    readonly country: string
    readonly period: string
    /** Null: the document states that the year has no value. */
    readonly printed: string | null
    readonly updated: string
    readonly location: string
    readonly text: string
  },
): Item {
  const { indicator, unit, decimals } = supported(code, worldBankIndicators)
  if (title !== '' && !title.includes(unitsInTitles[unit]))
    return rejectOf(
      'unknown_unit',
      `The indicator is ${JSON.stringify(title)}; the unit must be ${unit}.`,
      location,
      text,
    )
  const series = seriesOf({
    indicator,
    country,
    frequency: 'A',
    source: 'WB',
    dataset: code,
    unit,
    seasonal_adjustment: 'not_seasonally_adjusted',
    annualization: 'not_annualized',
    base_period: '',
    base_value: '',
    derivation: '',
  })
  const statement = { series, period, released: { on: updated, basis: 'dataset' }, location } as const
  if (printed === null && isPeriodOf('A', period)) return { kind: 'missing', ...statement }
  const value = { printed: printed ?? '', ...(decimals === undefined ? {} : { decimals }) }
  return figureOrReject({ ...statement, figures: { [indicators[indicator].figures[0]]: value } }, text)
}
