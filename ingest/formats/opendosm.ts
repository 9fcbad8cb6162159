import { type Frequency, frequencies } from '../../contracts/records.ts'
import { isDate } from '../../domain/day.ts'
import { DocumentError, type Reject } from '../source.ts'
import { frequencyOfDates } from '../sources/shared/dates-apart.ts'
import { periodBeginning, rejectOf } from '../sources/shared/figure.ts'
import { isArray, isObject, type JsonObject, parseJson, printed } from '../sources/shared/json.ts'
import { statedDay } from '../sources/shared/printed-days.ts'
import { tableRowsOf } from './csv-rows.ts'
import { type Dataset, type FormatReader, type MessageObservation, valueOrMissing } from './observation.ts'
import { wholeText } from './text.ts'

/**
 * OpenDOSM, the data catalogue of the Department of Statistics Malaysia. Its CSV names no dataset. Several datasets
 * may have the same columns, so these and the distance between the first two dates must prove one, or the file is
 * refused. The JSON of the API names the dataset if it is asked for with `meta=true`. A column of figures is the
 * dimension `variable`.
 * Source: https://developer.data.gov.my/static-api/data-catalogue
 */
export const openDosmCsv: FormatReader = {
  name: 'OpenDOSM CSV',
  recognises: (head) =>
    tables.some(({ columns }) => head.startsWith(`${columns}\n`) || head.startsWith(`${columns}\r`)),
  read: readCsv,
}

export const openDosmJson: FormatReader = {
  name: 'OpenDOSM JSON',
  recognises: (head) => head.startsWith('{') && /"catalogue_id"\s*:/.test(head),
  read: readJson,
}

/** Columns of a file, and the datasets that have them, by the distance of their dates. Several for one prove none. */
type Table = { readonly columns: string; readonly datasets: Readonly<Partial<Record<Frequency, readonly string[]>>> }

const tables: readonly Table[] = [
  {
    columns: 'date,lf,lf_employed,lf_unemployed,lf_outside,p_rate,ep_ratio,u_rate',
    datasets: { M: ['lfs_month'], Q: ['lfs_qtr'], A: ['lfs_year'] },
  },
  { columns: 'date,lf,lf_employed,lf_unemployed,p_rate,u_rate', datasets: { M: ['lfs_month_sa'] } },
  {
    columns: 'series,date,exports,exports_domestic,re_exports,imports,imports_retained,total,balance',
    datasets: { M: ['trade_headline'] },
  },
  { columns: 'series,date,value', datasets: { Q: ['gdp_qtr_nominal', 'gdp_qtr_real', 'gdp_qtr_real_sa'] } },
  { columns: 'date,division,index', datasets: { M: ['cpi_headline', 'cpi_core'] } },
]

/** Columns of the CSV that tell rows apart; every other one but `date` holds figures. In JSON, every text does. */
const dimensions: ReadonlySet<string> = new Set(['series', 'division'])

type Row = {
  readonly dimensions: ReadonlySet<string>
  readonly cells: Readonly<Record<string, string>>
  readonly location: string
  readonly text: string
}

function* readCsv(text: Iterable<string>): Generator<MessageObservation | Reject> {
  let first: Row | undefined
  let proven: { readonly dataset: Dataset; readonly frequency: Frequency } | undefined
  for (const row of tableRowsOf(text, ',', [])) {
    if (row.kind === 'reject') {
      yield row
      continue
    }
    const { header, cell, line } = row
    const cells = Object.fromEntries(header.map((column) => [column, cell(column)]))
    const found: Row = { dimensions, cells, location: `line ${line}`, text: row.text }
    if (!first) {
      first = found
      continue
    }
    if (!proven) {
      proven = prove(header.join(','), first, found)
      yield* observationsOf(first, proven.dataset, proven.frequency)
    }
    yield* observationsOf(found, proven.dataset, proven.frequency)
  }
  if (first && !proven) throw unproven('It has one row, which does not tell how far apart its dates are.')
}

/** The dataset that has these columns, and whose dates are as far apart as those of two rows. */
function prove(columns: string, first: Row, second: Row): { readonly dataset: Dataset; readonly frequency: Frequency } {
  const dates = [first, second].map(({ cells: { date = '' } }) => date)
  const frequency = frequencyOfDates(dates)
  const { datasets = {} } = tables.find((table) => table.columns === columns) ?? {}
  const [id, ...others] = (frequency && datasets[frequency]) ?? []
  if (frequency === undefined || id === undefined) throw unproven(`Its first dates are ${dates.join(' and ')}.`)
  if (others.length > 0)
    throw unproven(`${[id, ...others].join(', ')} have them. The JSON of the API, asked with meta=true, names it.`)
  return { dataset: { format: openDosmCsv.name, dataflow: { agency: 'DOSM', id, version: '' } }, frequency }
}

const unproven = (detail: string): DocumentError =>
  new DocumentError(
    'dataset_not_proven',
    `The file does not name its dataset, and its columns do not prove one. ${detail}`,
  )

function* observationsOf(row: Row, dataset: Dataset, frequency: Frequency): Generator<MessageObservation> {
  const { dimensions, cells, location, text } = row
  const { date = '', ...others } = cells
  const entries = Object.entries(others)
  const codes = Object.fromEntries(entries.filter(([column]) => dimensions.has(column)))
  // A date that begins no period of the dataset stays as it is, and no figure is made of it.
  const period = (isDate(date) ? periodBeginning(frequency, date) : undefined) ?? date
  for (const [variable, value] of entries) {
    if (dimensions.has(variable)) continue
    yield {
      kind: 'observation',
      dataset,
      codes: { ...codes, variable },
      period,
      value: valueOrMissing(value),
      attributes: {},
      location,
      text,
    }
  }
}

function* readJson(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const root = parseJson(wholeText(text))
  const meta = isObject(root) ? root.meta : undefined
  const id = isObject(meta) ? printed(meta.catalogue_id) : undefined
  if (!isObject(root) || !isObject(meta) || id === undefined || !isArray(root.data))
    throw new DocumentError('malformed_document', 'The document has no meta.catalogue_id, or data is no list.')
  const frequency = frequencyOf(id)
  const updated = statedDay(meta.last_updated, { name: 'meta.last_updated' })
  const dataset: Dataset = {
    format: openDosmJson.name,
    dataflow: { agency: 'DOSM', id, version: '' },
    ...(updated === undefined ? {} : { updated }),
  }
  for (const [i, row] of root.data.entries()) {
    const location = `data ${i}`
    if (isObject(row)) {
      const texts = new Set(Object.keys(row).filter((name) => typeof row[name] === 'string'))
      yield* observationsOf(
        { dimensions: texts, cells: cellsOf(row), location, text: JSON.stringify(row) },
        dataset,
        frequency,
      )
    } else yield rejectOf('malformed_row', 'The row is no object.', location, JSON.stringify(row))
  }
}

/** Frequency of a dataset. For one that is not known it does not matter, because the mapping refuses it by its name. */
const frequencyOf = (id: string): Frequency =>
  frequencies.find((frequency) => tables.some(({ datasets }) => datasets[frequency]?.includes(id))) ?? 'M'

const cellsOf = (row: JsonObject): Row['cells'] =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, printed(cell) ?? '']))
