import { DocumentError, type Reject } from '../../source.ts'
import { rejectOf } from '../items.ts'
import { isArray, isObject, otherMembers, printed, readJson } from '../json.ts'
import { singStatAnswer } from '../json-kinds.ts'
import { statedDay } from '../printed-days.ts'
import type { Dataset, FormatReader, MessageObservation } from './observation.ts'
import { periodOfSingStat, singStatDays, statedByTitle, valueOfSingStat } from './singstat-cells.ts'

/**
 * Table Builder of the Singapore Department of Statistics, JSON of its API (`tabledata/M213751`). The table's number is
 * the dataset, and the label of a row the dimension `SERIES`, as in its CSV.
 * Source: https://tablebuilder.singstat.gov.sg/view-api/for-developers
 */
export const singStatJson: FormatReader = {
  ...singStatAnswer,
  read: readTable,
}

/** Members of a row and of its columns that are no dimension. The label of a row is one. */
const ofRow: ReadonlySet<string> = new Set(['columns', 'footnote', 'rowText', 'seriesNo', 'uoM'])
const ofColumn: ReadonlySet<string> = new Set(['key', 'value'])

function* readTable(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const root = readJson(text)
  const data = isObject(root) ? root.Data : undefined
  if (!isObject(data))
    throw new DocumentError('publisher_error', `The publisher answered: ${JSON.stringify(data ?? root).slice(0, 200)}`)
  if (!isArray(data.row))
    throw new DocumentError('no_data_message', "The document is an answer of SingStat's API without rows of a table.")
  const id = printed(data.id)
  const title = printed(data.title)
  const updated = statedDay(data.dataLastUpdated, { name: 'dataLastUpdated', forms: singStatDays })
  const dataset: Dataset = {
    format: singStatJson.name,
    dataflow: id === undefined ? undefined : { agency: 'SINGSTAT', id },
    structure: title === undefined ? undefined : { agency: 'SINGSTAT', id: title },
    updated,
  }
  for (const [i, row] of data.row.entries()) {
    const columns = isObject(row) ? row.columns : undefined
    const series = isObject(row) ? printed(row.rowText)?.trim() : undefined
    if (!isObject(row) || series === undefined || !isArray(columns)) {
      yield rejectOf('malformed_row', 'The row has no rowText, or columns is no list.', `row ${i}`, JSON.stringify(row))
      continue
    }
    const unit = printed(row.uoM)
    for (const [j, column] of columns.entries()) {
      const location = `row ${i}, column ${j}`
      const found = JSON.stringify(column)
      const period = isObject(column) ? printed(column.key) : undefined
      const value = isObject(column) ? printed(column.value) : undefined
      if (!isObject(column) || period === undefined || value === undefined) {
        yield rejectOf('malformed_row', 'The column has no key or no value.', location, found)
        continue
      }
      // As a blank cell of the CSV: an empty value states nothing, not even that there is no figure.
      if (value.trim() === '') continue
      yield {
        kind: 'observation',
        dataset,
        codes: { ...otherMembers(row, ofRow), ...otherMembers(column, ofColumn), SERIES: series },
        period: periodOfSingStat(period),
        value: valueOfSingStat(value.trim()),
        attributes: { ...statedByTitle(title ?? ''), ...(unit === undefined ? {} : { UNIT: unit }) },
        location,
        text: found,
      }
    }
  }
}
