import type { Series } from '../../contracts/records.ts'
import { seriesOf } from '../../domain/series.ts'
import type { Meaning } from './mapping.ts'

const NO_BASE = { period: '', value: '' }

/** Returns the series of what a row means, for a dataset and a country. `base` is that of an index or volume. */
export const seriesOfMeaning = (
  { indicator, frequency, unit, seasonal_adjustment, annualization }: Meaning,
  { source, dataset, country }: Pick<Series, 'source' | 'dataset' | 'country'>,
  base: { readonly period: string; readonly value: string } = NO_BASE,
): Series =>
  seriesOf({
    indicator,
    country,
    frequency,
    source,
    dataset,
    unit,
    seasonal_adjustment,
    annualization,
    base_period: base.period,
    base_value: base.value,
    derivation: '',
  })
