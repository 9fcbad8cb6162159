import { type ObservationContent, sharedDatasets } from './observation.ts'

/** An observation as the API and the flat files of the U.S. Bureau of Labor Statistics print it. */
type BlsRow = {
  readonly series: string
  readonly year: string
  /** `M01` to `M12`, `M13` for the average of the year, `Q01`, `S01`, `A01`. */
  readonly period: string
  readonly value: string
  /** Codes, separated by commas, such as `P` for a preliminary figure. */
  readonly footnotes: string
}

/** Stands for a figure that was not collected or is not disclosed. */
const MISSING = '-'

/** Averages of a year have a number after the last month, quarter or half of it. */
const averages: ReadonlySet<string> = new Set(['M13', 'Q05', 'S03', 'A01'])

/**
 * Returns the reader of the rows of one document. The two letters with which a series begins name its survey (`CU`:
 * consumer prices), which is the dataset.
 */
export function blsRowReader(format: string): (row: BlsRow) => ObservationContent {
  const datasetOf = sharedDatasets((id) => ({ format, dataflow: { agency: 'BLS', id } }))
  return ({ series, year, period, value, footnotes }) => {
    const isAverage = averages.has(period)
    return {
      dataset: datasetOf(series.slice(0, 2)),
      codes: { SERIES_ID: series, FREQ: isAverage ? 'A' : period.slice(0, 1) },
      period: isAverage ? year : `${year}-${period.startsWith('Q') ? period.replace('Q0', 'Q') : period}`,
      value: value === MISSING ? null : value,
      attributes: footnotes === '' ? {} : { FOOTNOTES: footnotes },
    }
  }
}
