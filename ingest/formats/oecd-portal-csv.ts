import { DocumentError, type Reject } from '../source.ts'
import { rejectOf } from '../sources/shared/figure.ts'
import { csvRowsOf } from './csv-rows.ts'
import { type Dataset, type FormatReader, type MessageObservation, valueOrMissing } from './observation.ts'

/** CSV of the OECD's data portal until 2024. The column INDICATOR names the dataset, whose agency is not stated. */
export const oecdPortalCsv: FormatReader = {
  name: 'CSV of the former OECD data portal',
  recognises: (head) => /^"?LOCATION"?,"?INDICATOR"?,/.test(head),
  read: readPortalCsv,
}

const required = ['LOCATION', 'INDICATOR', 'SUBJECT', 'MEASURE', 'FREQUENCY', 'TIME', 'Value'] as const
const dimensions = ['LOCATION', 'SUBJECT', 'MEASURE', 'FREQUENCY'] as const

function* readPortalCsv(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const datasets = new Map<string, Dataset>()
  let header: readonly string[] | undefined
  for (const { cells, line, text: row } of csvRowsOf(text, ',')) {
    const location = `line ${line}`
    if (!header) {
      header = headerOf(cells, location)
      continue
    }
    if (cells.length !== header.length) {
      const detail = `The row has ${cells.length} cells, the header ${header.length}.`
      yield rejectOf('wrong_cell_count', detail, location, row)
      continue
    }
    const at = header
    const cell = (column: (typeof required)[number]): string => cells[at.indexOf(column)]?.trim() ?? ''
    const id = cell('INDICATOR')
    const dataset = datasets.get(id) ?? {
      format: oecdPortalCsv.name,
      dataflow: { agency: '', id, version: '' },
    }
    datasets.set(id, dataset)
    yield {
      kind: 'observation',
      dataset,
      codes: Object.fromEntries(dimensions.map((name) => [name, cell(name)])),
      period: cell('TIME'),
      value: valueOrMissing(cell('Value')),
      attributes: {},
      location,
      text: row,
    }
  }
}

function headerOf(cells: readonly string[], location: string): readonly string[] {
  const header = cells.map((name) => name.trim())
  for (const column of required) {
    const count = header.filter((name) => name === column).length
    if (count === 1) continue
    const detail = `The header names the column ${JSON.stringify(column)} ${count} times, not once.`
    throw new DocumentError(count === 0 ? 'missing_column' : 'duplicate_column', detail, location)
  }
  return header
}
