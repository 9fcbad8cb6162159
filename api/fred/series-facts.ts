import { countryByAlpha3 } from '../../contracts/countries.ts'
import { indicators } from '../../contracts/indicators.ts'
import type { Frequency, Series } from '../../contracts/records.ts'
import { startOfPeriod } from '../../domain/period.ts'
import type { DayWindow } from '../../domain/real-time.ts'
import type { FigureOfSeries } from './series-id.ts'

export const frequencyNames: Readonly<Record<Frequency, string>> = { M: 'Monthly', Q: 'Quarterly', A: 'Annual' }

const currencyNames = new Intl.DisplayNames('en', { type: 'currency' })

/** What `series` and `series/search` say of a series, with the names and the texts of FRED. */
export type SeriesFacts = ReturnType<typeof factsOf>

/** Describes a figure of a series for a real-time window. */
export function factsOf({ id, record, figure }: FigureOfSeries, { start, end }: DayWindow) {
  const { series, firstPeriod, lastPeriod, spans, recordedAt } = record
  const { first, last } = spans.get(figure) ?? { first: firstPeriod, last: lastPeriod }
  const [units, units_short] = unitsOf(series)
  const [seasonal_adjustment, seasonal_adjustment_short] = adjustmentOf(series)
  return {
    id,
    realtime_start: start,
    realtime_end: end,
    title: titleOf(series, figure),
    observation_start: startOfPeriod(first),
    observation_end: startOfPeriod(last),
    frequency: frequencyNames[series.frequency],
    frequency_short: series.frequency,
    units,
    units_short,
    seasonal_adjustment,
    seasonal_adjustment_short,
    last_updated: `${recordedAt.slice(0, 10)} ${recordedAt.slice(11, 19)}+00`,
    // FRED counts downloads, from 0 to 100. They are not counted here, and clients expect the member.
    popularity: 0,
    notes: notesOf(record),
  }
}

/** `Inflation, year over year, Germany`: the figure is named if its indicator has several. */
function titleOf({ indicator, country }: Series, figure: string): string {
  const { summary, figures }: { readonly summary: string; readonly figures: readonly string[] } = indicators[indicator]
  // A summary may list the figures behind a colon.
  const [name = summary] = summary.split(':')
  const which = figures.length > 1 ? [figure.replaceAll('_', ' ')] : []
  return [name, ...which, countryByAlpha3.get(country)?.name ?? country].join(', ')
}

/** Name of a unit with its base, in full and short. */
export function unitsOf({ unit, base_period, base_value }: Series): readonly [string, string] {
  if (unit === 'percent') return ['Percent', '%']
  const base = base_period === '' ? '' : ` ${[base_period, base_value].filter(Boolean).join('=')}`
  return unit === 'index' ? [`Index${base}`, `Index${base}`] : [(currencyNames.of(unit) ?? unit) + base, unit + base]
}

function adjustmentOf({ seasonal_adjustment, annualization }: Series): readonly [string, string] {
  if (seasonal_adjustment === 'not_seasonally_adjusted') return ['Not Seasonally Adjusted', 'NSA']
  return annualization === 'annualized' ? ['Seasonally Adjusted Annual Rate', 'SAAR'] : ['Seasonally Adjusted', 'SA']
}

function notesOf({ series, document, publications }: FigureOfSeries['record']): string {
  const { source, dataset, unit, derivation } = series
  const origin = derivation === '' ? 'As published.' : `Derived: ${derivation}.`
  const terms = document ? ` Publisher: ${document.publisher}. Terms: ${document.licence}.` : ''
  const scale =
    unit === 'index' || unit === 'percent' ? '' : ` Values are in whole ${unit}, not in thousands or millions.`
  const isEstimated = publications.some(({ released_on_basis }) => released_on_basis === 'estimated')
  const dates = isEstimated ? ' The dates of some figures are estimated by the usual lag of the series.' : ''
  return `Source: ${source}, ${dataset}. ${origin}${terms}${scale}${dates}`
}
