import { DocumentError, type Reject } from '../../source.ts'
import { rejectOf } from '../items.ts'
import { isArray, isObject, type Json, otherMembers, printed, readJson } from '../json.ts'
import { blsAnswer } from '../json-kinds.ts'
import { monthAbbreviated } from '../printed-days.ts'
import type { SheetRow, Workbook } from '../xlsx.ts'
import {
  datasetsOfAgency,
  type FormatReader,
  type MessageObservation,
  type ObservationContent,
  observationsOfTable,
  type WorkbookReader,
} from './observation.ts'
import { labelOf, textIn } from './workbook-rows.ts'

const columns = ['series_id', 'year', 'period', 'value', 'footnote_codes']

/**
 * Data files of the U.S. Bureau of Labor Statistics, such as `cu.data.1.AllItems`: cells are padded with spaces and
 * separated by tabs. Source: https://download.bls.gov/pub/time.series/cu/cu.txt
 */
export const blsFlatFile: FormatReader = {
  name: 'flat file of the BLS',
  recognises: (head) => /^series_id *\tyear *\tperiod *\t *value *\t/.test(head),
  read: readFlatFile,
}

function readFlatFile(text: Iterable<string>): Iterable<MessageObservation | Reject> {
  const readRow = blsRowReader(blsFlatFile.name)
  return observationsOfTable(text, '\t', checkColumns, ({ cell }) =>
    readRow({
      series: cell('series_id'),
      year: cell('year'),
      period: cell('period'),
      value: cell('value'),
      footnotes: cell('footnote_codes'),
    }),
  )
}

function checkColumns(header: readonly string[], location: string): void {
  if (header.join() === columns.join()) return
  throw new DocumentError('missing_column', `The columns must be ${columns.join(', ')}.`, location)
}

const SUCCEEDED = 'REQUEST_SUCCEEDED'

/** Answers of the BLS's API, versions 1 and 2. Source: https://www.bls.gov/developers/api_signature_v2.htm */
export const blsJson: FormatReader = { ...blsAnswer, read: readBlsJson }

function* readBlsJson(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const root = readJson(text)
  if (!isObject(root)) throw malformed('it is no object')
  // A request that is refused is answered with the status 200 of HTTP, too.
  if (root.status !== SUCCEEDED)
    throw new DocumentError(
      'publisher_error',
      `The publisher answered: ${printed(root.status)}: ${JSON.stringify(root.message)}`,
    )
  // Some answers have the results in an array of one object.
  const results = isArray(root.Results) ? root.Results[0] : root.Results
  if (!isObject(results) || !isArray(results.series)) throw malformed('it has no Results.series')
  // A request that succeeds may be answered in part: for fewer years, or without a series that does not exist.
  const messages = isArray(root.message)
    ? root.message.map((message) => printed(message) ?? JSON.stringify(message))
    : []
  for (const [index, message] of messages.entries())
    yield rejectOf('publisher_message', `The BLS answered: ${message}`, `message ${index + 1}`, message)
  const readRow = blsRowReader(blsJson.name)
  for (const [index, series] of results.series.entries()) {
    const id = isObject(series) ? printed(series.seriesID) : undefined
    if (!isObject(series) || id === undefined || !isArray(series.data))
      throw malformed(`series ${index + 1} has no seriesID and data`)
    if (series.data.length === 0)
      yield rejectOf('no_observations', `The series ${id} has no observations.`, `series ${id}`, JSON.stringify(series))
    for (const [at, row] of series.data.entries()) {
      const location = `series ${id}, observation ${at + 1}`
      yield observationOf(readRow, id, row, location)
    }
  }
}

function observationOf(
  readRow: ReturnType<typeof blsRowReader>,
  series: string,
  row: Json,
  location: string,
): MessageObservation | Reject {
  const text = JSON.stringify(row)
  const [year, period, value] = isObject(row) ? [row.year, row.period, row.value].map(printed) : []
  if (!isObject(row) || year === undefined || period === undefined || value === undefined)
    return rejectOf('missing_member', 'The observation has no year, period and value.', location, text)
  const notes = isArray(row.footnotes) ? row.footnotes : []
  const footnotes = notes.flatMap((note) => (isObject(note) ? (printed(note.code) ?? []) : [])).join()
  const read = readRow({ series, year, period, value, footnotes })
  const codes = { ...read.codes, ...otherMembers(row, members) }
  return { kind: 'observation', ...read, codes, location, text }
}

/** Members of an observation that are no dimension. The number of a series names all of them. */
const members: ReadonlySet<string> = new Set(
  'year period periodName value latest footnotes aspects calculations'.split(' '),
)

const malformed = (detail: string) => new DocumentError('malformed_document', `Not an answer of the BLS: ${detail}.`)

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
  const [series, ...others] = rows.filter((row) => labelOf(row) === 'Series Id:').map((row) => textIn(row, 'B'))
  const at = rows.findIndex((row) => labelOf(row) === YEAR)
  const head = rows[at]
  if (series === undefined || series === '' || others.length > 0 || !head)
    throw new DocumentError('missing_row', `There must be one row "Series Id:" and one row "${YEAR}".`, SHEET)
  if (!rows.slice(0, at).some((row) => labelOf(row) === FIGURES))
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
  const stated = head.flatMap((row) => (labelOf(row) === 'Years:' ? [textIn(row, 'B')] : []))[0] ?? ''
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
const yearIn = (row: SheetRow): string => labelOf(row).replace(/\.0$/, '')

/** An observation as the API and the flat files of the U.S. Bureau of Labor Statistics print it. */
type BlsRow = {
  readonly series: string
  readonly year: string
  /** `M01` to `M12`, `M13` for the average of the year, `Q01`, `S01`, `A01`. */
  readonly period: string
  readonly value: string
  /** Codes, separated by commas, such as `P` for a preliminary figure. */
  readonly footnotes: string
}

/** Stands for a figure that was not collected or is not disclosed. */
const MISSING = '-'

/** Averages of a year have a number after the last month, quarter or half of it. */
const averages: ReadonlySet<string> = new Set(['M13', 'Q05', 'S03', 'A01'])

/**
 * Returns the reader of the rows of one document. The two letters with which a series begins name its survey (`CU`:
 * consumer prices), which is the dataset.
 */
function blsRowReader(format: string): (row: BlsRow) => ObservationContent {
  const datasetOf = datasetsOfAgency(format, 'BLS')
  return ({ series, year, period, value, footnotes }) => {
    const isAverage = averages.has(period)
    return {
      dataset: datasetOf(series.slice(0, 2)),
      codes: { SERIES_ID: series, FREQ: isAverage ? 'A' : period.slice(0, 1) },
      period: isAverage ? year : `${year}-${period.startsWith('Q') ? period.replace('Q0', 'Q') : period}`,
      value: value === MISSING ? null : value,
      attributes: footnotes === '' ? {} : { FOOTNOTES: footnotes },
    }
  }
}
