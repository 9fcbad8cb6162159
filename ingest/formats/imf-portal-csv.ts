import { DocumentError, type Reject } from '../source.ts'
import { refuseRepeatedColumn, type TableRow } from '../sources/shared/csv.ts'
import { rejectOf } from '../sources/shared/figure.ts'
import { tableRowsOf } from './csv-rows.ts'
import { artefactOf, type FormatReader, type MessageObservation, sharedDatasets } from './observation.ts'

/**
 * CSV of the IMF's data portal with a column for each period. The series code holds the codes of the dimensions; the
 * columns behind `OBS_MEASURE`, in the same order, hold their names and labels, and further ones attributes. Empty
 * cells state nothing: the columns are those of all series. Source: https://data.imf.org/
 */
export const imfPortalCsv: FormatReader = {
  name: 'CSV of the IMF’s data portal',
  recognises: (head) => /^"?DATASET"?,"?SERIES_CODE"?,"?OBS_MEASURE"?,/.test(head),
  read: readPortalCsv,
}

const fixed = ['DATASET', 'SERIES_CODE', 'OBS_MEASURE'] as const
const isPeriod = (column: string): boolean => /^\d{4}(?:-?[MQ]\d{1,2})?$/.test(column)
const powers: Readonly<Record<string, string>> = { Units: '0', Thousands: '3', Millions: '6', Billions: '9' }

function* readPortalCsv(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const datasetOf = sharedDatasets((name) => {
    const dataflow = artefactOf(name)
    return dataflow && { format: imfPortalCsv.name, dataflow }
  })
  for (const row of tableRowsOf(text, ',', checkHeader)) {
    if (row.kind === 'reject') {
      yield row
      continue
    }
    const { header, cell } = row
    const location = `line ${row.line}`
    const [name = '', seriesCode = '', measure = ''] = fixed.map(cell)
    const dataset = datasetOf(name)
    const codes = seriesCode.split('.')
    const labels = header.slice(fixed.length).filter((column) => !isPeriod(column))
    if (dataset === undefined || measure !== 'OBS_VALUE' || codes.length > labels.length) {
      const detail = 'The row names no dataset, holds no OBS_VALUE, or has more codes than dimensions.'
      yield rejectOf('malformed_row', detail, location, row.text)
      continue
    }
    const attributes = attributesOf(cell, labels.slice(codes.length))
    const key = Object.fromEntries(codes.map((code, i) => [labels[i] ?? '', code]))
    for (const column of header) {
      const value = isPeriod(column) ? cell(column) : ''
      if (value === '') continue
      yield {
        kind: 'observation',
        dataset,
        codes: key,
        period: column,
        value,
        attributes,
        location: `${location}, ${column}`,
        text: `${name},${seriesCode},${column},${value}`,
      }
    }
  }
}

function checkHeader(header: readonly string[], location: string): void {
  refuseRepeatedColumn(header, location)
  if (!header.some(isPeriod)) throw new DocumentError('missing_column', 'The header names no period.', location)
}

/**
 * Attributes of a series. `SCALE` has the name of the power of ten that the IMF's SDMX has as a code. One that is not known
 * stays, so that its figures are not taken for units.
 */
function attributesOf(cell: TableRow['cell'], names: readonly string[]): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = {}
  for (const name of names) {
    const stated = cell(name)
    if (stated !== '') attributes[name] = stated
  }
  const { SCALE: scale } = attributes
  return scale === undefined ? attributes : { ...attributes, SCALE: powers[scale] ?? scale }
}
