import { indicators } from '../../../contracts/indicators.ts'
import type { Series } from '../../../contracts/records.ts'
import { frequencyOf } from '../../../domain/period.ts'
import { seriesOf } from '../../../domain/series.ts'
import type { Figure, Price } from '../../../ingest/source.ts'
import type { Origin } from './write-file.ts'

export type { Origin }

/** A file of the sample before it is written; its items stand in the order in which they are to be accepted. */
export type SampleFile =
  | { readonly path: string; readonly origin: Origin; readonly figures: readonly Figure[] }
  | { readonly path: string; readonly origin: Origin & { readonly source: string }; readonly prices: readonly Price[] }

/** A series of which every period has one figure, as its publisher describes it. */
export type SeriesDescription = Pick<
  Series,
  'indicator' | 'country' | 'source' | 'dataset' | 'unit' | 'seasonal_adjustment'
> &
  Partial<Pick<Series, 'annualization'>> & {
    /** What one printed unit is worth, e.g. `1000000`. */
    readonly multiplier?: string
    /** Declared decimals after the multiplier; cuts binary noise. */
    readonly decimals?: number
  }

export type Print = { readonly period: string; readonly printed: string; readonly released?: Figure['released'] }

/** The sample begins here: enough for any derivation, small enough to read. */
export const FIRST_YEAR = '2000'

/** The figures of a series from `FIRST_YEAR` on; periods without a print (`''`) are left out. */
export function figuresOf(description: SeriesDescription, prints: Iterable<Print>): Figure[] {
  const { multiplier, decimals, ...identity } = description
  const member = indicators[identity.indicator].figures[0]
  return Array.from(prints)
    .filter(({ period, printed }) => printed !== '' && period >= FIRST_YEAR)
    .map(({ period, printed, released }): Figure => {
      const frequency = frequencyOf(period)
      if (!frequency) throw new Error(`${identity.source} ${identity.dataset}: not a period: ${period}`)
      const series = seriesOf({
        annualization: 'not_annualized',
        base_period: '',
        base_value: '',
        derivation: '',
        ...identity,
        frequency,
      })
      const reading = { ...(multiplier ? { multiplier } : {}), ...(decimals === undefined ? {} : { decimals }) }
      return {
        kind: 'figure',
        series,
        period,
        figures: { [member]: { printed, ...reading } },
        location: '',
        ...(released ? { released } : {}),
      }
    })
}

/** `figures/trade-exports-AUS-abs.csv` for a series of its own. */
export const figuresPath = ({ indicator, country, source }: Pick<Series, 'indicator' | 'country' | 'source'>): string =>
  `figures/${indicator}-${country}-${source.toLowerCase()}.csv`

/** The month of a date. Many publishers date a month by its first day: `2021-04-01` is `2021-04`. */
export const monthOfDate = (date: string): string => date.slice(0, 7)
