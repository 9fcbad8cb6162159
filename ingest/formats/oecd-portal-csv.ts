import type { Reject } from '../source.ts'
import { tableRowsOf } from './csv-rows.ts'
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
  for (const row of tableRowsOf(text, ',', required)) {
    if (row.kind === 'reject') {
      yield row
      continue
    }
    const { cell, line } = row
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
      location: `line ${line}`,
      text: row.text,
    }
  }
}
