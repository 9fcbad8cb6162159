import { DocumentError, type Reject } from '../source.ts'
import { rejectOf } from '../sources/shared/figure.ts'
import { csvRowsOf } from './csv-rows.ts'
import { type Artefact, artefactOf, type Dataset, type FormatReader, type MessageObservation } from './observation.ts'

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
  const datasets = new Map<string, Dataset>()
  let header: readonly string[] | undefined
  for (const { cells, line, text: row } of csvRowsOf(text, ',')) {
    const location = `line ${line}`
    if (!header) {
      header = cells.map((name) => name.trim())
      const twice = header.find((name, i) => header?.indexOf(name) !== i)
      if (twice !== undefined)
        throw new DocumentError('duplicate_column', `The header names ${twice} more than once.`, location)
      if (!header.some(isPeriod)) throw new DocumentError('missing_column', 'The header names no period.', location)
      continue
    }
    const [name = '', seriesCode = '', measure = ''] = cells
    const reject = (reason: string, detail: string) => rejectOf(reason, detail, location, row)
    if (cells.length !== header.length) {
      yield reject('wrong_cell_count', `The row has ${cells.length} cells, the header ${header.length}.`)
      continue
    }
    const dataflow = artefactOf(name)
    const codes = seriesCode.split('.')
    const labels = header.slice(fixed.length).filter((column) => !isPeriod(column))
    if (dataflow === undefined || measure !== 'OBS_VALUE' || codes.length > labels.length) {
      yield reject('malformed_row', 'The row names no dataset, holds no OBS_VALUE, or has more codes than dimensions.')
      continue
    }
    const dataset = datasets.get(name) ?? datasetOf(dataflow)
    datasets.set(name, dataset)
    const attributes = attributesOf(header, cells, labels.slice(codes.length))
    const key = Object.fromEntries(codes.map((code, i) => [labels[i] ?? '', code]))
    for (const [i, column] of header.entries()) {
      const value = cells[i]?.trim() ?? ''
      if (!isPeriod(column) || value === '') continue
      const found = `${name},${seriesCode},${column},${value}`
      const place = `${location}, ${column}`
      yield {
        kind: 'observation',
        dataset,
        codes: key,
        period: column,
        value,
        attributes,
        location: place,
        text: found,
      }
    }
  }
}

const datasetOf = (dataflow: Artefact): Dataset => ({ format: imfPortalCsv.name, dataflow })

/**
 * Attributes of a series. `SCALE` names the power of ten that SDMX states as `UNIT_MULT`. One that is not known is stated
 * as it is, so that its figures are not taken for units.
 */
function attributesOf(
  header: readonly string[],
  cells: readonly string[],
  names: readonly string[],
): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = {}
  for (const name of names) {
    const stated = cells[header.indexOf(name)]?.trim() ?? ''
    if (stated !== '') attributes[name] = stated
  }
  const { SCALE: scale } = attributes
  return scale === undefined ? attributes : { ...attributes, UNIT_MULT: powers[scale] ?? scale }
}
