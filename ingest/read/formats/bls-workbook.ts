import { DocumentError } from '../../source.ts'
import { monthAbbreviated } from '../months.ts'
import type { SheetRow, Workbook } from '../xlsx.ts'
import { blsRowReader } from './bls-series.ts'
import type { MessageObservation, WorkbookReader } from './observation.ts'

/**
 * A series as a workbook of the BLS's data finder: its id and years stand above a table with a row a year and a column
 * a month. The same series may be had as changes, whose workbooks differ only in the line below the title.
 * Source: https://data.bls.gov/dataQuery/find
 */
export const blsWorkbook: WorkbookReader = {
  name: 'workbook of the BLS',
  recognises: ({ sheets }) => sheets.includes(SHEET),
  read: readBlsWorkbook,
}

const SHEET = 'BLS Data Series'
const YEAR = 'Year'
const FIGURES = 'Original Data Value'

function* readBlsWorkbook(workbook: Workbook): Generator<MessageObservation> {
  const rows = workbook.rowsOf(SHEET)
  const [series, ...others] = rows.filter((row) => textIn(row, 'A') === 'Series Id:').map((row) => textIn(row, 'B'))
  const at = rows.findIndex((row) => textIn(row, 'A') === YEAR)
  const head = rows[at]
  if (series === undefined || series === '' || others.length > 0 || !head)
    throw new DocumentError('missing_row', `There must be one row "Series Id:" and one row "${YEAR}".`, SHEET)
  if (!rows.slice(0, at).some((row) => textIn(row, 'A') === FIGURES))
    throw new DocumentError('other_series', `The sheet must have "${FIGURES}" above its series.`, SHEET)
  const columns = [...head.cells.keys()].filter((letters) => letters !== 'A')
  const years = rows.slice(at + 1).filter(({ cells }) => cells.has('A'))
  refuseCut(years, rows.slice(0, at))
  const readRow = blsRowReader(blsWorkbook.name)
  for (const row of years)
    for (const letters of columns) {
      const value = textIn(row, letters)
      if (value === '') continue
      const [year, name] = [yearIn(row), textIn(head, letters)]
      // A column that is no month keeps its name, so that no figure is made of it.
      const month = monthAbbreviated(name)
      const period = month === undefined ? name : `M${month}`
      yield {
        kind: 'observation',
        ...readRow({ series, year, period, value, footnotes: '' }),
        location: `${SHEET}, ${letters}${row.number}`,
        text: `${series}\t${year}\t${name}\t${value}`,
      }
    }
}

/** The rows must be those of the years that the head states (`1954 to 2024`), each once. */
function refuseCut(years: readonly SheetRow[], head: readonly SheetRow[]): void {
  const stated = head.flatMap((row) => (textIn(row, 'A') === 'Years:' ? [textIn(row, 'B')] : []))[0] ?? ''
  const [, first = Number.NaN, last = Number.NaN] = (/^(\d{4}) to (\d{4})$/.exec(stated) ?? []).map(Number)
  const isWhole = years.length === last - first + 1 && years.every((row, i) => yearIn(row) === String(first + i))
  if (isWhole) return
  const found = [years[0], years.at(-1)].map((row) => row && yearIn(row))
  throw new DocumentError(
    'truncated',
    `The head states the years ${JSON.stringify(stated)}; there are ${years.length} rows from ${found.join(' to ')}.`,
    SHEET,
  )
}

/** A year is stored as a number, perhaps as `1954.0`. */
const yearIn = (row: SheetRow): string => textIn(row, 'A').replace(/\.0$/, '')
const textIn = ({ cells }: SheetRow, letters: string): string => (cells.get(letters) ?? '').trim()
