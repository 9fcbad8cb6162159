import { DocumentError, type Reject } from '../../source.ts'
import { type CsvRow, readCsv } from '../csv.ts'
import { rejectOf } from '../items.ts'
import { monthNamed, statedDay } from '../printed-days.ts'
import { wholeText } from '../text.ts'
import {
  type Dataset,
  type FormatReader,
  type MessageObservation,
  type ObservedSeries,
  withoutCommas,
} from './observation.ts'

/**
 * Tables of Statistics Canada as its site shows and saves them (`CSV: download as displayed`): a block of lines about the
 * table, a blank line, the table with a column a period, a blank line, and notes that end with how to cite the table.
 */
export const statCanDisplayed: FormatReader = {
  name: 'table of Statistics Canada as displayed',
  recognises: (head) => /^"[^\n]*\n"Frequency:[^\n]*\n"Table: \d\d-\d\d-\d{4}-\d\d/.test(head),
  read: readDisplayed,
}

type Table = {
  readonly dataset: Dataset
  readonly frequency: string
  /** Multiplier of a table whose title states it. */
  readonly attributes: Readonly<Record<string, string>>
}

/** Members of the dimensions that stand above a column. */
type PeriodColumn = { readonly at: number; readonly period: string; readonly codes: Readonly<Record<string, string>> }

function* readDisplayed(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const whole = wholeText(text).trimStart()
  const [, about = '', space = '', body = '', next = ''] =
    /^(.*?)(\r?\n(?:\r?\n)+)(.*?)(?:\r?\n){2}\s*([^\r\n]*)/s.exec(whole) ?? []
  const table = tableOf(about)
  // The notes quote freely and are no CSV, and the last line has no line end, so the citation tells that nothing is cut.
  if (!whole.includes(`\n"How to cite: Statistics Canada. Table ${table.dataset.dataflow?.id}`))
    throw new DocumentError('truncated', 'The lines that say how to cite the table are missing.')
  const rows = readCsv(body, { firstLine: linesIn(about) + linesIn(space) + 1 })
  const head = rows.findIndex(({ cells }) => cells.some((cell) => periodOf(cell) !== undefined))
  const periods = rows[head]
  if (!periods) throw new DocumentError('missing_row', 'The table has no row of periods.')
  if (cellsIn(next) === periods.cells.length || whole.match(/^"Table: /gm)?.length !== 1)
    throw new DocumentError('malformed_document', `Behind the table there are more rows: ${next.slice(0, 60)}`)
  const first = periods.cells.findIndex((cell) => periodOf(cell) !== undefined)
  const columns = columnsOf(rows.slice(0, head), periods, first)
  const names = periods.cells.slice(0, first).map(withoutNotes)
  let unit = ''
  let labels: readonly string[] = []
  for (const row of rows.slice(head + 1)) {
    const heading = row.cells.slice(0, first)
    if (row.cells.length !== periods.cells.length) {
      const detail = `The row has ${row.cells.length} cells, the row of periods ${periods.cells.length}.`
      yield rejectOf('wrong_cell_count', detail, `line ${row.line}`, row.text)
      continue
    }
    if (heading.every((cell) => cell === '')) {
      unit = row.cells[first] ?? ''
      continue
    }
    // A label that is left out is that of the row above; whatever stands behind it is stated anew.
    const stated = heading.findIndex((cell) => cell !== '')
    labels = [...labels.slice(0, stated), ...heading.slice(stated)]
    const codes = { ...codesOf(names, labels), UNIT: unit }
    const attributes = Object.assign({ ...table.attributes }, ...labels.map(multiplierIn))
    yield* observationsOf(row, columns, table, { codes, attributes })
  }
}

function tableOf(about: string): Table {
  const stated = (name: string): string => new RegExp(`^"${name}:\\s*([^"\r\n]*)"`, 'm').exec(about)?.[1]?.trim() ?? ''
  const [id = ''] = stated('Table').split(' ')
  const updated = statedDay(stated('Release date'), { name: 'Release date' })
  return {
    dataset: {
      format: statCanDisplayed.name,
      dataflow: { agency: 'StatCan', id },
      updated,
    },
    frequency: stated('Frequency'),
    attributes: multiplierIn(about.split('\n')[0] ?? ''),
  }
}

/** Each row above the periods names a dimension and its members; a member holds until the next one. */
function columnsOf(above: readonly CsvRow[], periods: CsvRow, first: number): readonly PeriodColumn[] {
  const dimensions = above.map(({ cells }) => {
    let member = ''
    const members = cells.slice(first).map((cell) => (member = cell === '' ? member : withoutNotes(cell)))
    return { name: withoutNotes(cells[first - 1] ?? ''), members }
  })
  return periods.cells.slice(first).map((cell, i) => {
    const period = periodOf(cell)
    if (period === undefined)
      throw new DocumentError('bad_period', `${JSON.stringify(cell)} is no period.`, `line ${periods.line}`)
    return {
      at: first + i,
      period,
      codes: Object.fromEntries(dimensions.map(({ name, members }) => [name, members[i] ?? ''])),
    }
  })
}

function* observationsOf(
  { cells, line }: CsvRow,
  columns: readonly PeriodColumn[],
  { dataset, frequency }: Table,
  { codes, attributes }: ObservedSeries,
): Generator<MessageObservation> {
  for (const column of columns) {
    const value = cells[column.at]?.trim() ?? ''
    // A blank cell states nothing, not even that there is no figure.
    if (value === '') continue
    const all = { FREQ: frequency, ...column.codes, ...codes }
    yield {
      kind: 'observation',
      dataset,
      codes: all,
      period: column.period,
      value: missing.has(value) ? null : withoutCommas(value),
      attributes,
      location: `line ${line}, column ${column.at + 1}`,
      text: [...Object.values({ ...all, ...attributes }), column.period, value].join('\t'),
    }
  }
}

/** Not available, not applicable, confidential, too unreliable. */
const missing: ReadonlySet<string> = new Set(['..', '...', 'x', 'F'])

const codesOf = (names: readonly string[], labels: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, i) => [name, withoutNotes(labels[i] ?? '')]))

/** Takes the multiplier and the numbers of notes off a label: `Seasonally adjusted  (x 1,000)`, `Gender 5 6`. */
const withoutNotes = (label: string): string =>
  label
    .replace(/\(x [\d,]+\)/, '')
    .replace(/(?: \d{1,2})+\s*$/, '')
    .trim()

/** Power of ten of `(x 1,000,000)`. Another multiplier stays as it is, so that its figures are not taken for units. */
function multiplierIn(label: string): { readonly UNIT_MULT?: string } {
  const [, multiplier] = /\(x ([\d,]+)\)/.exec(label) ?? []
  if (multiplier === undefined) return {}
  const [, zeros] = /^1((?:,?000)+)$/.exec(multiplier) ?? []
  return { UNIT_MULT: zeros === undefined ? multiplier : String(zeros.replaceAll(',', '').length) }
}

/** Reads `January 1976`, `Q1 1961` and `1961`. */
function periodOf(cell: string): string | undefined {
  const [, name, year] = /^(?:([A-Z][a-z]+|Q[1-4]) )?(\d{4})$/.exec(cell.trim()) ?? []
  if (year === undefined || name === undefined) return year
  if (name.startsWith('Q')) return `${year}-${name}`
  const month = monthNamed(name)
  return month === undefined ? undefined : `${year}-${month}`
}

/** Number of cells of a row that may also be a note, which quotes freely. */
const cellsIn = (row: string): number => row.match(/(?:^|,)(?:"[^"]*"|[^",]*)/g)?.length ?? 0

const linesIn = (text: string): number => text.split('\n').length - 1
