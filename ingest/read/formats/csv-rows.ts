import { documentLimits } from '../../limits.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { type CsvRow, readCsv, type TableRow, tableBelow } from '../csv.ts'
import type { MessageObservation, ObservationContent } from './observation.ts'

/**
 * Reads RFC 4180 CSV piece by piece, without blank lines. Pieces are cut at line ends outside of quotes, so memory holds
 * a piece and its rows. Throws what `readCsv` throws: `malformed_csv`, `truncated` for a last row without a line end,
 * `too_large`.
 */
export function* csvRowsOf(text: Iterable<string>, delimiter: string): Generator<CsvRow> {
  let rest = ''
  let line = 1
  // Quotes are counted up to `counted`, so that a long quoted text is not counted again with each piece.
  let counted = 0
  let isQuoted = false
  for (const piece of text) {
    rest += piece
    let end = 0
    for (; counted < rest.length; counted++) {
      const char = rest.charCodeAt(counted)
      if (char === QUOTE) isQuoted = !isQuoted
      else if (char === NEWLINE && !isQuoted) end = counted + 1
    }
    if (end === 0) {
      if (rest.length > documentLimits.csvRowBytes)
        throw new DocumentError('too_large', `A row has more than ${documentLimits.csvRowBytes} bytes.`, `line ${line}`)
      continue
    }
    const block = rest.slice(0, end)
    yield* readCsv(block, { delimiter, firstLine: line })
    line += block.split('\n').length - 1
    rest = rest.slice(end)
    counted = rest.length
  }
  if (rest.trim() !== '') yield* readCsv(rest, { delimiter, firstLine: line, endsWithNewline: true })
}

/** The columns that a table must have once, or a check of its header that throws `DocumentError`. */
type Header = readonly string[] | ((header: readonly string[], location: string) => void)

/** Reads a CSV table piece by piece. Rows are those of `readTable`, and what it and `csvRowsOf` throw is thrown. */
export function* tableRowsOf(text: Iterable<string>, delimiter: string, header: Header): Generator<TableRow | Reject> {
  let table: ReturnType<typeof tableBelow> | undefined
  for (const row of csvRowsOf(text, delimiter)) {
    if (table) {
      yield table.rowOf(row)
      continue
    }
    const [required, check] = typeof header === 'function' ? [[], header] : [header]
    table = tableBelow(row, required)
    check?.(table.header, `line ${row.line}`)
  }
}

/** Reads a CSV table of which each row states one observation, as `tableRowsOf` does. */
export function* observationsOfTable(
  text: Iterable<string>,
  delimiter: string,
  header: Header,
  readRow: (row: TableRow) => ObservationContent,
): Generator<MessageObservation | Reject> {
  for (const row of tableRowsOf(text, delimiter, header))
    yield row.kind === 'reject'
      ? row
      : { kind: 'observation', ...readRow(row), location: `line ${row.line}`, text: row.text }
}

/** Cells of the columns that are none of the named ones, without empty cells: what a reader does not know and may be a dimension. */
export const otherCells = ({ header, cell }: TableRow, known: ReadonlySet<string>): Record<string, string> =>
  Object.fromEntries(
    header.flatMap((column) => (known.has(column) || cell(column) === '' ? [] : [[column, cell(column)]])),
  )

const QUOTE = 0x22
const NEWLINE = 0x0a
