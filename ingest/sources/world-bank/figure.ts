import { isPeriodOf } from '../../../domain/period.ts'
import { seriesOfMeaning } from '../../map/mapping.ts'
import { readSeriesRows } from '../../map/read-rows.ts'
import { figureOrReject, rejectOf } from '../../read/items.ts'
import { type Item, supported } from '../../source.ts'

/**
 * The rows of the annual figures by World Bank indicator code. Annual GDP, CPI and inflation are left out, because this
 * service publishes them by quarter or month. The trade figures come from the WTO in millions of dollars; their decimals
 * are noise. Source: https://data.worldbank.org/indicator
 */
export const worldBankIndicators = readSeriesRows('world-bank')

/** A figure as a document states it. */
type Stated = {
  /** Title of the indicator, with the unit in brackets; `''` if the document has none. */
  readonly title: string
  /** ISO 3166-1 alpha-3. */
  readonly country: string
  readonly period: string
  /** Null: the document states that the year has no value. */
  readonly printed: string | null
  readonly updated: string
  readonly location: string
  readonly text: string
}

/**
 * A figure of a World Bank indicator, or the statement that there is none, released on the day of the database's last update;
 * or a reject, such as `unknown_unit` if the title of the indicator names another unit.
 */
export function figureOf(code: string, { title, country, period, printed, updated, location, text }: Stated): Item {
  const { meaning, states } = supported(code, worldBankIndicators)
  if (states.get('INDICATOR_NAME')?.admits(title) === false) {
    const detail = `The indicator is ${JSON.stringify(title)}; the unit must be ${meaning.unit}.`
    return rejectOf('unknown_unit', detail, location, text)
  }
  const series = seriesOfMeaning(meaning, { source: 'WB', dataset: code, country })
  const statement = { series, period, released: { on: updated, basis: 'dataset' }, location } as const
  if (printed === null && isPeriodOf('A', period)) return { kind: 'missing', ...statement }
  const figures = { [meaning.figure]: { printed: printed ?? '', ...meaning.reading } }
  return figureOrReject({ ...statement, figures }, text)
}
