import { CsvError, parse } from 'csv-parse/sync'
import { documentLimits } from '../limits.ts'
import { DocumentError, type Reject } from '../source.ts'
import { syntaxOf } from './body.ts'

export type CsvRow = {
  /** Number of the row's first line, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** The row as it came, without its line end. */
  readonly text: string
}

type CsvOptions = {
  readonly delimiter?: string
  /** Number of the document's line at which `text` begins. Default 1. */
  readonly firstLine?: number
  /** The publisher ends every row with a line end, so a last row without one is cut off. */
  readonly endsWithNewline?: boolean
}

/**
 * Reads RFC 4180 CSV without blank lines. A row may have any number of cells (see `readTable` for a header).
 * Throws `DocumentError`: `wrong_format` for XML and JSON, `malformed_csv` with the line of the broken quoting, `truncated` if the last row is cut off,
 * `too_large` with the line of a row that is too long, or for too many cells.
 */
export function readCsv(text: string, options: CsvOptions = {}): CsvRow[] {
  const { delimiter = ',', firstLine = 1, endsWithNewline = false } = options
  if (firstLine === 1 && syntaxOf(text) !== 'text')
    throw new DocumentError('wrong_format', `The document is ${syntaxOf(text)}, not CSV.`)
  if (endsWithNewline && !text.endsWith('\n'))
    throw new DocumentError(
      'truncated',
      'The last row has no line end, so it may be cut; add one if it is whole.',
      `line ${firstLine + text.split('\n').length - 1}`,
    )
  refuseTooManyCells(text, delimiter)
  try {
    // Cast: csv-parse's type does not follow from the option `raw`, which adds the row's text to each record.
    const records = parse(text, {
      delimiter,
      max_record_size: documentLimits.csvRowBytes,
      record_delimiter: ['\r\n', '\n'],
      raw: true,
      relax_column_count: true,
    }) as unknown as { readonly record: readonly string[]; readonly raw: string }[]
    let next = firstLine
    return records
      .map(({ record, raw }) => {
        const row = raw.replace(/\r?\n?$/, '')
        const line = next
        next += row.split('\n').length
        return { line, cells: record, text: row }
      })
      .filter((row) => row.text.trim() !== '')
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    // Cast: csv-parse sets `lines` on its errors and does not declare it.
    const { lines } = cause as CsvError & { readonly lines?: number }
    const location = lines === undefined ? '' : `line ${lines + firstLine - 1}`
    const reason = cause.code === 'CSV_MAX_RECORD_SIZE' ? 'too_large' : 'malformed_csv'
    throw new DocumentError(reason, cause.message, location, { cause })
  }
}

/** Counts separators and line ends, quoted ones too, before any cell is built. */
function refuseTooManyCells(text: string, delimiter: string): void {
  let cells = 0
  for (const separator of [delimiter, '\n'])
    for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) cells++
  if (cells <= documentLimits.csvCells) return
  throw new DocumentError('too_large', `The table has ${cells} cells; at most ${documentLimits.csvCells} are read.`)
}

export type TableRow = {
  readonly kind: 'row'
  readonly line: number
  readonly text: string
  /** The columns of the table, trimmed. */
  readonly header: readonly string[]
  /** Returns the cell of a column, trimmed; `''` if the table lacks the column. */
  readonly cell: (column: string) => string
}

/**
 * Reads a CSV table. A row with another number of cells than the header becomes a `Reject` (`wrong_cell_count`).
 * Throws `DocumentError` `missing_column` or `duplicate_column` for the `required` columns, or what `readCsv` throws.
 */
export function readTable(
  text: string,
  required: readonly string[],
  options: CsvOptions = {},
): { readonly header: readonly string[]; readonly rows: readonly (TableRow | Reject)[] } {
  const [first = { cells: [], line: 1 }, ...rest] = readCsv(text, options)
  const { header, rowOf } = tableBelow(first, required)
  return { header, rows: rest.map(rowOf) }
}

const QUOTE = 0x22
const NEWLINE = 0x0a

/**
 * Reads RFC 4180 CSV piece by piece, without blank lines. Pieces are cut at line ends outside of quotes, so memory holds a piece
 * and its rows. Throws what `readCsv` throws: `malformed_csv`, `truncated` for a last row without a line end, `too_large`.
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
export type Header = readonly string[] | ((header: readonly string[], location: string) => void)

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

/** Cells of the columns that are none of the named ones, without empty cells: what a reader does not know and may be a dimension. */
export const otherCells = ({ header, cell }: TableRow, known: ReadonlySet<string>): Record<string, string> =>
  Object.fromEntries(
    header.flatMap((column) => (known.has(column) || cell(column) === '' ? [] : [[column, cell(column)]])),
  )

/** Throws `DocumentError` `duplicate_column` if a header names one column more than once. */
export function refuseRepeatedColumn(names: readonly string[], location: string): void {
  const known = new Set<string>()
  for (const name of names) {
    if (known.has(name))
      throw new DocumentError('duplicate_column', `The header names ${name} more than once.`, location)
    known.add(name)
  }
}

/** Reads the header of a table. `rowOf` reads a row below it, as `readTable` does, which says what is thrown. */
export function tableBelow(
  first: Pick<CsvRow, 'cells' | 'line'>,
  required: readonly string[],
): { readonly header: readonly string[]; readonly rowOf: (row: CsvRow) => TableRow | Reject } {
  const header = first.cells.map((name) => name.trim())
  if (header.length > documentLimits.csvColumns) {
    const detail = `The header names ${header.length} columns; at most ${documentLimits.csvColumns} are read.`
    throw new DocumentError('too_large', detail, `line ${first.line}`)
  }
  for (const column of required) {
    const count = header.filter((name) => name === column).length
    if (count === 1) continue
    const detail = `The header names the column ${JSON.stringify(column)} ${count} times, not once.`
    throw new DocumentError(count === 0 ? 'missing_column' : 'duplicate_column', detail, `line ${first.line}`)
  }
  const index = new Map(header.map((name, i) => [name, i]))
  const rowOf = ({ line, cells, text }: CsvRow): TableRow | Reject => {
    if (cells.length === header.length)
      return { kind: 'row', line, text, header, cell: (column) => cells[index.get(column) ?? -1]?.trim() ?? '' }
    const detail = `The row has ${cells.length} cells, the header ${header.length}.`
    return { kind: 'reject', reason: 'wrong_cell_count', detail, location: `line ${line}`, text }
  }
  return { header, rowOf }
}

/** Refuses a table without rows as `empty`: the download may have been cut after its header. */
export function refuseEmpty(rows: readonly unknown[]): void {
  if (rows.length === 0) throw new DocumentError('empty', 'The document has a header and no rows.')
}
