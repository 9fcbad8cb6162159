import type { Dataset, MessageObservation } from './observation.ts'

/** An observation as the API and the flat files of the U.S. Bureau of Labor Statistics print it. */
type BlsRow = {
  readonly format: string
  readonly series: string
  readonly year: string
  /** `M01` to `M12`, `M13` for the average of the year, `Q01`, `S01`, `A01`. */
  readonly period: string
  readonly value: string
  /** Codes, separated by commas, such as `P` for a preliminary figure. */
  readonly footnotes: string
  readonly location: string
  readonly text: string
}

/** Stands for a figure that was not collected or is not disclosed. */
const MISSING = '-'

/** Averages of a year have a number after the last month, quarter or half of it. */
const averages: ReadonlySet<string> = new Set(['M13', 'Q05', 'S03', 'A01'])

/** The two letters with which a series begins name its survey (`CU`: consumer prices), which is the dataset. */
export class BlsSurveys {
  readonly #datasets = new Map<string, Dataset>()

  observationOf({ format, series, year, period, value, footnotes, location, text }: BlsRow): MessageObservation {
    const survey = series.slice(0, 2)
    const dataset = this.#datasets.get(survey) ?? { format, dataflow: { agency: 'BLS', id: survey, version: '' } }
    this.#datasets.set(survey, dataset)
    const isAverage = averages.has(period)
    return {
      kind: 'observation',
      dataset,
      codes: { SERIES_ID: series, FREQ: isAverage ? 'A' : period.slice(0, 1) },
      period: isAverage ? year : `${year}-${period.startsWith('Q') ? period.replace('Q0', 'Q') : period}`,
      value: value === MISSING ? null : value,
      attributes: footnotes === '' ? {} : { FOOTNOTES: footnotes },
      location,
      text,
    }
  }
}
