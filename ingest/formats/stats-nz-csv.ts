import type { Reject } from '../source.ts'
import { cellsBeside, observationsOfTable } from './csv-rows.ts'
import { type FormatReader, type MessageObservation, sharedDatasets } from './observation.ts'

const required = ['Series_reference', 'Period', 'Data_value', 'UNITS']
/** The reference names all dimensions, which the subject, the group and the titles say in words. */
const notDimensions: ReadonlySet<string> = new Set(
  required
    .concat(
      'STATUS',
      'Suppressed',
      'MAGNTUDE',
      'MAGNITUDE',
      'Magnitude',
      'Subject',
      'Group',
      'Periodicity',
      'Series_title_1',
    )
    .concat('Series_title_2', 'Series_title_3', 'Series_title_4', 'Series_title_5'),
)

/**
 * CSV files of Stats NZ. The letters before the point of a series' reference name its collection, and their last one its
 * frequency: `HLFQ.S1F3S`. Source: https://www.stats.govt.nz/large-datasets/csv-files-for-download/
 */
export const statsNzCsv: FormatReader = {
  name: 'CSV of Stats NZ',
  recognises: (head) => /^"?Series_reference"?,"?Period"?,"?Data_value"?,/.test(head),
  read: readStatsNz,
}

function readStatsNz(text: Iterable<string>): Iterable<MessageObservation | Reject> {
  const datasetOf = sharedDatasets((id) => ({
    format: statsNzCsv.name,
    dataflow: { agency: 'STATSNZ', id, version: '' },
  }))
  return observationsOfTable(text, ',', required, (row) => {
    const { cell } = row
    const series = cell('Series_reference')
    const [collection = ''] = series.split('.')
    // Some files write the column's name without its I.
    const multiplier = cell('MAGNTUDE') || cell('MAGNITUDE') || cell('Magnitude')
    return {
      dataset: datasetOf(collection),
      codes: { ...cellsBeside(row, notDimensions), SERIES_ID: series, UNITS: cell('UNITS') },
      period: periodOf(cell('Period'), collection.at(-1)),
      value: cell('Data_value') || null,
      // No OBS_STATUS, because its letters are no codes of SDMX: F is final, and R revised.
      attributes: { STATUS: cell('STATUS'), ...(multiplier === '' ? {} : { UNIT_MULT: multiplier }) },
    }
  })
}

/** A quarter is stated by its last month: `2024.06`. A month of one digit is not read, because October would be `2024.1`. */
function periodOf(printed: string, frequency: string | undefined): string {
  const [, year, month = ''] = /^(\d{4})\.(\d{2})$/.exec(printed) ?? []
  if (year === undefined) return printed
  if (frequency !== 'Q') return `${year}-${month}`
  return Number(month) % 3 === 0 ? `${year}-Q${Number(month) / 3}` : printed
}
