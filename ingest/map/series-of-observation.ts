import type { Series } from '../../contracts/records.ts'
import { seriesOf } from '../../domain/series.ts'
import { type MessageObservation, stated } from '../read/formats/observation.ts'
import type { MappedPublisher, Meaning } from './mapping.ts'

/** A reason and a detail for people, as in `Reject`. */
type Fault = { readonly reason: string; readonly detail: string }

type MappedSeries = { readonly series: Series; readonly multiplier: string | undefined }

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** A year as the IMF prints it is `2010A`. */
const basePeriodOf = (printed: string): string => printed.replace(/^(\d{4})A$/, '$1')

/**
 * Returns the series of an observation and the multiplier of its figures. A unit, base or multiplier that the message
 * states must be what the row says, and one that the row leaves to the message must be stated.
 */
export function seriesOfObservation(
  observation: MessageObservation,
  meaning: Meaning,
  {
    publisher: { name, multiplier: powerIn = 'UNIT_MULT', base: baseIn = 'BASE' },
    dataset,
    country,
  }: { readonly publisher: MappedPublisher; readonly dataset: string; readonly country: string },
): MappedSeries | Fault {
  const reading = (text: string): string | undefined =>
    text.startsWith('@') ? stated(observation, text.slice(1)) : text
  const unit = reading(meaning.unit) ?? ''
  if (meaning.unit.startsWith('@') && !currencies.has(unit))
    return { reason: 'unknown_unit', detail: `${meaning.unit.slice(1)} is ${JSON.stringify(unit)}, no ISO 4217 code.` }
  const power = reading(meaning.multiplier) ?? ''
  if (!/^\d{1,2}$/.test(power))
    return {
      reason: 'unknown_unit',
      detail: `${meaning.multiplier.slice(1)} is ${JSON.stringify(power)}, no power of ten.`,
    }
  const statedPower = stated(observation, powerIn) ?? ''
  if (statedPower !== '' && statedPower !== power)
    return { reason: 'unknown_unit', detail: `${powerIn} is ${JSON.stringify(statedPower)}; ${power} is expected.` }
  const base = basePeriodOf(reading(meaning.base) ?? '')
  if (meaning.base.startsWith('@') && !/^\d{4}(?:-(?:0[1-9]|1[0-2]|Q[1-4]))?$/.test(base))
    return { reason: 'unknown_base', detail: `${meaning.base.slice(1)} is ${JSON.stringify(base)}, no period.` }
  const statedBase = stated(observation, baseIn) ?? ''
  if (statedBase !== '' && basePeriodOf(statedBase) !== base)
    return {
      reason: 'unknown_base',
      detail: `The base is stated as ${JSON.stringify(statedBase)}; ${base || 'none'} is expected.`,
    }
  const series = seriesOf({
    indicator: meaning.indicator,
    country,
    frequency: meaning.frequency,
    source: name,
    dataset,
    unit,
    seasonal_adjustment: meaning.seasonal_adjustment,
    annualization: meaning.annualization,
    base_period: base,
    base_value: base === '' ? '' : '100',
    derivation: '',
  })
  return { series, multiplier: power === '0' ? undefined : `1${'0'.repeat(Number(power))}` }
}
