import { DocumentError, type Reject } from '../../source.ts'
import { refuseRepeatedColumn } from '../csv.ts'
import { rejectOf } from '../figure.ts'
import type { Dataset, FormatReader, MessageObservation } from './observation.ts'
import { textRows } from './text.ts'

/**
 * Eurostat's TSV: dimensions joined by commas in the first column, a column for each period, and flags behind values
 * (`7.1 p`, `: c`). The file does not name its dataset, so it proves none: the dataset must be told, and the mapping's
 * key must fit. Source: https://ec.europa.eu/eurostat/web/user-guides/data-browser/api-data-access/api-detailed-guidelines/sdmx2-1/data-query
 */
export const eurostatTsv: FormatReader = {
  name: 'Eurostat TSV',
  recognises: (head) => header.test(head),
  read: readTsv,
}

const header = /^([A-Za-z_]\w*(?:,[A-Za-z_]\w*)*)\\(time|TIME_PERIOD)\s*\t/i

/** No value, with its flags if there are any: `:`, `: c`, `:u`. What has a number behind the colon is a damaged value. */
const missingCell = /^:\s*(\D*)$/

function* readTsv(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const dataset: Dataset = { format: eurostatTsv.name }
  let dimensions: readonly string[] = []
  let periods: readonly string[] = []
  for (const { line, text: row } of textRows(text)) {
    const location = `line ${line}`
    const [first = '', ...cells] = row.split('\t')
    if (dimensions.length === 0) {
      dimensions = header.exec(row)?.[1]?.split(',') ?? []
      periods = cells.map((cell) => cell.trim())
      if (dimensions.length === 0) throw new DocumentError('unknown_format', 'The text is no Eurostat TSV.', location)
      refuseRepeatedColumn(periods, location)
      continue
    }
    const codes = first.split(',').map((code) => code.trim())
    if (codes.length !== dimensions.length || cells.length !== periods.length) {
      const detail = `The row has ${codes.length} codes and ${cells.length} values, the header ${dimensions.length} and ${periods.length}.`
      yield rejectOf('wrong_cell_count', detail, location, row)
      continue
    }
    const key = Object.fromEntries(dimensions.map((dimension, i) => [dimension, codes[i] ?? '']))
    for (const [i, cell] of cells.entries()) {
      const missing = missingCell.exec(cell.trim())
      const [, printed = '', flag = ''] = /^(\S*)\s*(.*)$/.exec(cell.trim()) ?? []
      yield {
        kind: 'observation',
        dataset,
        codes: key,
        period: periods[i] ?? '',
        value: printed === '' || missing ? null : printed,
        attributes: { OBS_FLAG: missing?.[1] ?? flag },
        location: `${location}, ${periods[i]}`,
        text: cell,
      }
    }
  }
}
