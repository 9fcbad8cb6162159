import type { Reject } from '../../source.ts'
import { otherCells } from '../csv.ts'
import {
  datasetsOfAgency,
  type FormatReader,
  type MessageObservation,
  observationsOfTable,
  valueOrMissing,
} from './observation.ts'

/** CSV of the OECD's data portal until 2024. The column INDICATOR names the dataset, whose agency is not stated. */
export const oecdPortalCsv: FormatReader = {
  name: 'CSV of the former OECD data portal',
  recognises: (head) => /^"?LOCATION"?,"?INDICATOR"?,/.test(head),
  read: readPortalCsv,
}

const required = ['LOCATION', 'INDICATOR', 'SUBJECT', 'MEASURE', 'FREQUENCY', 'TIME', 'Value'] as const
const FLAGS = 'Flag Codes'
const notDimensions: ReadonlySet<string> = new Set(['INDICATOR', 'TIME', 'Value', FLAGS])

function readPortalCsv(text: Iterable<string>): Iterable<MessageObservation | Reject> {
  const datasetOf = datasetsOfAgency(oecdPortalCsv.name, '')
  return observationsOfTable(text, ',', required, (row) => ({
    dataset: datasetOf(row.cell('INDICATOR')),
    codes: otherCells(row, notDimensions),
    period: row.cell('TIME'),
    value: valueOrMissing(row.cell('Value')),
    // The portal's flags are codes of SDMX.
    attributes: { OBS_STATUS: row.cell(FLAGS) },
  }))
}
