import { DocumentError, type Reject } from '../../source.ts'
import { rejectOf } from '../items.ts'
import type { SheetRow, Workbook } from '../xlsx.ts'
import type { Dataset, MessageObservation, WorkbookReader } from './observation.ts'

/**
 * Time series workbooks of the Australian Bureau of Statistics: a sheet `Index` that names the catalogue number, and
 * sheets `Data1`, `Data2` … with a column a series, described by the rows above its figures. The first of them says what the
 * series is, so that a number above another column is noticed.
 * Source: https://www.abs.gov.au/statistics/understanding-statistics/guide-understanding-abs-time-series-workbooks
 */
export const absWorkbook: WorkbookReader = {
  name: 'time series workbook of the ABS',
  recognises: ({ sheets }) => sheets.includes('Index') && sheets.includes('Data1'),
  read: readAbsWorkbook,
}

/** Rows above the figures by their label in column A. */
const labels = ['Unit', 'Series Type', 'Frequency', 'Series Start', 'Series End', 'No. Obs', 'Series ID'] as const
type Label = (typeof labels)[number]

type SeriesColumn = { readonly letters: string; readonly item: string; readonly is: (label: Label) => string }

function* readAbsWorkbook(workbook: Workbook): Generator<MessageObservation | Reject> {
  // The Bureau's own workbooks count from 1900, so one that counts from 1904 was saved by another program.
  if (workbook.countsFrom1904)
    throw new DocumentError('unknown_dates', 'The workbook counts days from 1904, not from 1900. Read the original.')
  const dataset = datasetOf(workbook.rowsOf('Index'))
  for (const sheet of workbook.sheets.filter((name) => /^Data\d+$/.test(name)))
    yield* readSheetOf(sheet, workbook.rowsOf(sheet), dataset)
}

/** The heading of the index has the catalogue number, as in `6202.0 Labour Force, Australia`. */
function datasetOf(index: readonly SheetRow[]): Dataset {
  const headings = index.slice(0, 10).flatMap(({ cells }) => [...cells.values()].map((text) => text.trim()))
  const id = headings.flatMap((text) => /^(\d{4}\.\d[.\d]*) /.exec(text)?.[1] ?? [])[0]
  if (!headings.includes('Time Series Workbook') || id === undefined)
    throw new DocumentError('unknown_format', `The workbook is no ${absWorkbook.name}; it begins ${headings[0]}.`)
  return { format: absWorkbook.name, dataflow: { agency: 'ABS', id } }
}

function* readSheetOf(
  sheet: string,
  rows: readonly SheetRow[],
  dataset: Dataset,
): Generator<MessageObservation | Reject> {
  const heads = new Map(rows.map((row) => [row.cells.get('A') ?? '', row]))
  for (const label of labels)
    if (!heads.has(label)) throw new DocumentError('missing_row', `There is no row ${JSON.stringify(label)}.`, sheet)
  const ids = heads.get('Series ID')
  const items = rows.find(({ number }) => number === (heads.get('Unit')?.number ?? 0) - 1)
  const dated = rows.filter(
    ({ number, cells }) => number > (ids?.number ?? 0) && /^\d{1,6}$/.test(cells.get('A') ?? ''),
  )
  const columns = [...(ids?.cells.keys() ?? [])]
    .filter((letters) => letters !== 'A')
    .map(
      (letters): SeriesColumn => ({
        letters,
        item: dataItem(items?.cells.get(letters) ?? ''),
        is: (label) => heads.get(label)?.cells.get(letters)?.trim() ?? '',
      }),
    )
  for (const column of columns) refuseCut(column, dated, sheet)
  for (const row of dated)
    for (const column of columns) {
      const value = row.cells.get(column.letters)
      if (value !== undefined) yield observationOf(column, row, value, { sheet, dataset })
    }
}

/** Parts of a description such as `Unemployment rate ;  Persons ;`, in lower case, because capitals differ between tables. */
const dataItem = (description: string): string =>
  description
    .split(';')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '')
    .join(' / ')

/** The number of periods from a series' first to its last must be the stated one. Periods without a figure count. */
function refuseCut({ letters, is }: SeriesColumn, rows: readonly SheetRow[], sheet: string): void {
  const [first, last] = [Number(is('Series Start')), Number(is('Series End'))]
  const days = rows.map(({ cells }) => Number(cells.get('A')))
  const found = days.filter((day) => day >= first && day <= last).length
  if (String(found) === is('No. Obs') && days.includes(last)) return
  const detail = `${is('Series ID')} states ${is('No. Obs')} periods up to day ${is('Series End')}; there are ${found}.`
  throw new DocumentError('truncated', detail, `${sheet}, column ${letters}`)
}

function observationOf(
  { letters, item, is }: SeriesColumn,
  row: SheetRow,
  value: string,
  { sheet, dataset }: { readonly sheet: string; readonly dataset: Dataset },
): MessageObservation | Reject {
  const location = `${sheet}, ${letters}${row.number}`
  const day = row.cells.get('A') ?? ''
  const text = `${is('Series ID')}\t${day}\t${value}`
  const period = periodOfDay(Number(day), is('Frequency'))
  if (period === undefined)
    return rejectOf(
      'bad_period',
      `Day ${day} is not the first of the last month of a ${is('Frequency')}.`,
      location,
      text,
    )
  return {
    kind: 'observation',
    dataset,
    codes: {
      SERIES_ID: is('Series ID'),
      DATA_ITEM: item,
      SERIES_TYPE: is('Series Type'),
      FREQ: is('Frequency'),
      UNIT: is('Unit'),
    },
    period,
    value,
    attributes: {},
    location,
    text,
  }
}

/** Days are counted by Excel; a period is shown by the first day of its last month. */
function periodOfDay(day: number, frequency: string): string | undefined {
  const [year = '', month = '', first] = new Date((day - EXCEL_DAYS) * MS_A_DAY).toISOString().split(/[-T]/)
  if (first !== '01') return undefined
  if (frequency !== 'Quarter') return `${year}-${month}`
  return Number(month) % 3 === 0 ? `${year}-Q${Number(month) / 3}` : undefined
}

/** Excel's number of 1 January 1970. */
const EXCEL_DAYS = 25_569
const MS_A_DAY = 86_400_000
