import { documentLimits } from '../../limits.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { type CsvRow, csvRowsOf } from '../csv.ts'
import { rejectOf } from '../items.ts'
import { type DayForm, isoDay, statedDay, unambiguousDays } from '../printed-days.ts'
import { continued } from '../text.ts'
import { artefactOf, type Dataset, dimensionsAmong, type FormatReader, type MessageObservation } from './observation.ts'
import { statedBy } from './sdmx-action.ts'

/**
 * SDMX-CSV 1.0 and 2.0 with the labels `id`, `both` and `name`, and the ECB's CSV, whose column KEY begins with the
 * dataflow. Sources: https://github.com/sdmx-twg/sdmx-csv (data-message/docs/sdmx-csv-field-guide.md),
 * https://data.ecb.europa.eu/help/api/data.
 */
export const sdmxCsv: FormatReader = {
  name: 'SDMX-CSV',
  recognises: (head) => firstCell.test(head),
  read: readSdmxCsv,
}

/** The first cell of a header, quoted or not, with its separator of sub-fields and label. */
const firstCell = /^"?(DATAFLOW|STRUCTURE|KEY)(?:\[[^\]]*\])?(?::[^",;\t\r\n]*)?"?([,;\t])/

const LAST_UPDATE = 'LAST UPDATE'

/** Columns that are neither components of the data structure nor labels. */
const fixedColumns: ReadonlySet<string> = new Set(
  'DATAFLOW STRUCTURE STRUCTURE_ID STRUCTURE_NAME ACTION KEY SERIES_KEY OBS_KEY'.split(' ').concat(LAST_UPDATE),
)

type ComponentColumn = {
  readonly id: string
  readonly at: number
  /** Cells are `CODE: label`. */
  readonly isLabelled: boolean
}

type Layout = {
  readonly width: number
  readonly fixed: ReadonlyMap<string, number>
  readonly dimensions: readonly ComponentColumn[]
  /** Columns behind the value: attributes, where a service writes the columns in the order that the standard asks for. */
  readonly others: readonly ComponentColumn[]
  readonly period: ComponentColumn | undefined
  readonly value: ComponentColumn
  readonly version: '1' | '2'
}

function* readSdmxCsv(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const pieces = text[Symbol.iterator]()
  const first = pieces.next()
  const delimiter = first.done ? undefined : firstCell.exec(first.value.trimStart())?.[2]
  if (first.done || delimiter === undefined) throw new DocumentError('unknown_format', 'The text is no SDMX-CSV.')
  const datasets = new Map<string, Dataset>()
  let layout: Layout | undefined
  for (const row of csvRowsOf(continued([first.value], pieces), delimiter)) {
    if (!layout) {
      layout = layoutOf(row)
      continue
    }
    const found = observationOf(row, layout, datasets)
    if (found) yield found
  }
}

/**
 * Reads the header. Dimensions stand before TIME_PERIOD and OBS_VALUE, and attributes behind. The standard asks services to
 * do so and allows any order in files, so what is behind is an attribute only if it is known as one.
 */
function layoutOf({ cells, line }: CsvRow): Layout {
  const fault = (reason: string, detail: string) => new DocumentError(reason, detail, `line ${line}`)
  if (cells.length > documentLimits.csvColumns)
    throw fault('too_large', `The header names ${cells.length} columns; ${documentLimits.csvColumns} are read.`)
  const all = withoutNames(cells.map(columnOf), fault)
  const twice = all.find(({ id }, i) => all.findIndex((other) => other.id === id) !== i)
  if (twice) throw fault('duplicate_column', `The header names the column ${JSON.stringify(twice.id)} more than once.`)
  const isFixed = ({ id }: ComponentColumn) => fixedColumns.has(id)
  const components = all.filter((column) => !isFixed(column))
  const period = components.find(({ id }) => id === 'TIME_PERIOD')
  const value = components.find(({ id }) => id === 'OBS_VALUE')
  if (!value) throw fault('missing_column', 'The header names the column "OBS_VALUE" 0 times, not once.')
  const end = Math.min(value.at, period?.at ?? value.at)
  const others = components.filter((column) => column !== period && column !== value)
  return {
    width: cells.length,
    fixed: new Map(all.filter(isFixed).map(({ id, at }) => [id, at])),
    dimensions: others.filter(({ at }) => at < end),
    others: others.filter(({ at }) => at > end),
    period,
    value,
    version: all.some(({ id }) => id === 'STRUCTURE') ? '2' : '1',
  }
}

function columnOf(cell: string, at: number): ComponentColumn {
  const [, id = cell.trim(), , label] = /^([\w@$-]+)(\[[^\]]*\])?(:.*)?$/s.exec(cell.trim()) ?? []
  return { id, at, isLabelled: label !== undefined }
}

/** Leaves out the columns of names, which with `labels=name` stand behind each component. */
function withoutNames(
  columns: readonly ComponentColumn[],
  fault: (reason: string, detail: string) => Error,
): ComponentColumn[] {
  const firstComponent = columns.findIndex(({ id }) => !fixedColumns.has(id))
  if (firstComponent < 0 || !columns.some(({ id }) => id === 'STRUCTURE_NAME')) return [...columns]
  const pairs = columns.slice(firstComponent)
  if (pairs.length % 2 !== 0) throw fault('malformed_csv', 'A column has no column of names behind it.')
  return [...columns.slice(0, firstComponent), ...pairs.filter((_, i) => i % 2 === 0)]
}

function observationOf(
  row: CsvRow,
  layout: Layout,
  datasets: Map<string, Dataset>,
): MessageObservation | Reject | undefined {
  const { cells, line, text } = row
  const location = `line ${line}`
  if (cells.length !== layout.width) {
    const detail = `The row has ${cells.length} cells, the header ${layout.width}.`
    return rejectOf('wrong_cell_count', detail, location, text)
  }
  const fixed = (name: string): string => cells[layout.fixed.get(name) ?? -1]?.trim() ?? ''
  const dataset = datasetOf(fixed, layout, datasets, location)
  if (typeof dataset === 'string') return rejectOf('unknown_dataset', dataset, location, text)
  const { codes, attributes } = dimensionsAmong(componentsOf(layout.others, cells))
  // An empty value is null, unless the action says that it is not stated.
  return statedBy(fixed('ACTION'), {
    kind: 'observation',
    dataset,
    codes: { ...componentsOf(layout.dimensions, cells), ...codes },
    period: layout.period ? codeOf(layout.period, cells) : '',
    value: cells[layout.value.at]?.trim() ?? '',
    attributes,
    location,
    text,
  })
}

const componentsOf = (columns: readonly ComponentColumn[], cells: readonly string[]): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column.id, codeOf(column, cells)]))

function codeOf({ at, isLabelled }: ComponentColumn, cells: readonly string[]): string {
  const cell = cells[at]?.trim() ?? ''
  const label = isLabelled ? cell.indexOf(': ') : -1
  return label < 0 ? cell : cell.slice(0, label)
}

/** Dataset of a row, or what is wrong with the row's name of it. Throws `DocumentError` `bad_date`. */
function datasetOf(
  fixed: (name: string) => string,
  { version }: Layout,
  datasets: Map<string, Dataset>,
  location: string,
): Dataset | string {
  const kind = version === '1' ? 'dataflow' : fixed('STRUCTURE').toLowerCase()
  const named = version === '1' ? fixed('DATAFLOW') : fixed('STRUCTURE_ID')
  const flowOfKey = named === '' ? fixed('KEY').split('.')[0] : undefined
  const updated = statedDay(fixed(LAST_UPDATE), { name: LAST_UPDATE, location, forms: updateForms })
  const key = `${kind} ${named} ${flowOfKey ?? ''} ${updated ?? ''}`
  const known = datasets.get(key)
  if (known) return known
  const artefact = flowOfKey ? { agency: '', id: flowOfKey } : artefactOf(named)
  if (!artefact) return `The row is of ${JSON.stringify(named)}, which is no AGENCY:ID(VERSION).`
  if (kind !== 'dataflow' && kind !== 'datastructure')
    return `The row is of the ${kind} ${JSON.stringify(named)}; dataflows and data structures are read.`
  const dataset: Dataset = {
    format: `SDMX-CSV ${version}`,
    ...(kind === 'dataflow' ? { dataflow: artefact } : { structure: artefact }),
    updated,
  }
  datasets.set(key, dataset)
  return dataset
}

/** Eurostat's `25/04/23 11:00:00`. Without the time it might be another publisher's, with another order. */
const eurostatTime: DayForm = {
  example: '31/07/26 11:00:00',
  dayOf: (text) => {
    const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{2}) \d{2}:\d{2}:\d{2}$/.exec(text) ?? []
    return isoDay.dayOf(`20${year}-${month}-${day}`)
  },
}

const updateForms: readonly DayForm[] = [eurostatTime, ...unambiguousDays]
