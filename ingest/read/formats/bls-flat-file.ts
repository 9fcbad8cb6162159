import { DocumentError, type Reject } from '../../source.ts'
import { blsRowReader } from './bls-series.ts'
import { type FormatReader, type MessageObservation, observationsOfTable } from './observation.ts'

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

function readFlatFile(text: Iterable<string>): Iterable<MessageObservation | Reject> {
  const readRow = blsRowReader(blsFlatFile.name)
  return observationsOfTable(text, '\t', checkColumns, ({ cell }) =>
    readRow({
      series: cell('series_id'),
      year: cell('year'),
      period: cell('period'),
      value: cell('value'),
      footnotes: cell('footnote_codes'),
    }),
  )
}

function checkColumns(header: readonly string[], location: string): void {
  if (header.join() === columns.join()) return
  throw new DocumentError('missing_column', `The columns must be ${columns.join(', ')}.`, location)
}
