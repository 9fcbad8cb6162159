import { readTable, type TableRow } from '../../../ingest/read/csv.ts'
import { monthOfDate, type Print } from './sample-file.ts'

/** The rows of a recorded table; a malformed one is a fault of the copy, not to be passed over. */
export function csvRows(text: string, required: readonly string[], delimiter = ','): TableRow[] {
  return readTable(text, required, { delimiter }).rows.map((row) => {
    if (row.kind === 'reject') throw new Error(`${row.location}: ${row.detail}`)
    return row
  })
}

/** A table of a date (first day of the period) and a figure a row, whatever its columns are called. */
export function datedValues(text: string, periodOf: (date: string) => string = monthOfDate): Print[] {
  const { header } = readTable(text, [])
  const [date = '', value = ''] = header
  return csvRows(text, [date, value]).map((row) => ({ period: periodOf(row.cell(date)), printed: row.cell(value) }))
}
