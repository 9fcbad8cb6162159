import { DocumentError, type Reject } from '../source.ts'
import { rejectOf } from '../sources/shared/figure.ts'
import { BlsSurveys } from './bls-series.ts'
import { csvRowsOf } from './csv-rows.ts'
import type { FormatReader, MessageObservation } from './observation.ts'

const columns = ['series_id', 'year', 'period', 'value', 'footnote_codes']

/**
 * Data files of the U.S. Bureau of Labor Statistics, such as `cu.data.1.AllItems`: cells are padded with spaces and
 * separated by tabs. Source: https://download.bls.gov/pub/time.series/cu/cu.txt
 */
export const blsFlatFile: FormatReader = {
  name: 'flat file of the BLS',
  recognises: (head) => /^series_id *\tyear *\tperiod *\t *value *\t/.test(head),
  read: readFlatFile,
}

function* readFlatFile(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const surveys = new BlsSurveys()
  let hasHeader = false
  for (const { cells, line, text: row } of csvRowsOf(text, '\t')) {
    const location = `line ${line}`
    const [series = '', year = '', period = '', value = '', footnotes = ''] = cells.map((cell) => cell.trim())
    if (!hasHeader) {
      hasHeader = true
      if (cells.map((cell) => cell.trim()).join() === columns.join()) continue
      throw new DocumentError('missing_column', `The columns must be ${columns.join(', ')}.`, location)
    }
    if (cells.length === columns.length)
      yield surveys.observationOf({
        format: blsFlatFile.name,
        series,
        year,
        period,
        value,
        footnotes,
        location,
        text: row,
      })
    else {
      const detail = `The row has ${cells.length} cells, the header ${columns.length}.`
      yield rejectOf('wrong_cell_count', detail, location, row)
    }
  }
}
