import type { Series } from '../../contracts/records.ts'
import { seriesOf } from '../../domain/series.ts'
import { type ObservedSeries, stated } from '../read/formats/observation.ts'
import { BASE, type Meaning, MULTIPLIER, STATED_BASE } from './mapping.ts'

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

/** A reason and a detail for people, as in `Reject`. */
export type Fault = { readonly reason: string; readonly detail: string }

/**
 * Returns the series of an observation. A multiplier or base that the message states must be what the row says, and a
 * base that the row leaves to the message must be stated.
 */
export function seriesOfObservation(
  observed: ObservedSeries,
  meaning: Meaning,
  { source, dataset, country }: Pick<Series, 'source' | 'dataset' | 'country'>,
): Series | Fault {
  const power = stated(observed, MULTIPLIER) ?? ''
  if (power !== '' && power !== meaning.multiplier)
    return {
      reason: 'unknown_unit',
      detail: `${MULTIPLIER} is ${JSON.stringify(power)}; ${meaning.multiplier} is expected.`,
    }
  const found = stated(observed, BASE) ?? ''
  const base = meaning.base === STATED_BASE ? found : meaning.base
  if (meaning.base === STATED_BASE && !/^\d{4}(?:-(?:0[1-9]|1[0-2]|Q[1-4]))?$/.test(base))
    return { reason: 'unknown_base', detail: `${BASE} is ${JSON.stringify(base)}, no period.` }
  if (found !== '' && found !== base)
    return {
      reason: 'unknown_base',
      detail: `The base is stated as ${JSON.stringify(found)}; ${base || 'none'} is expected.`,
    }
  return seriesOfMeaning(meaning, { source, dataset, country }, { period: base, value: base === '' ? '' : '100' })
}
