import type { Frequency } from '../../../contracts/records.ts'
import { periodNames } from '../../../contracts/serving.ts'
import { isDate } from '../../../domain/day.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { type TableRow, tableRowsOf } from '../csv.ts'
import { frequencyOfDates, periodBeginning } from '../frequency.ts'
import { type Dataset, type FormatReader, type MessageObservation, valueOrMissing } from './observation.ts'

/**
 * OpenDOSM, the data catalogue of the Department of Statistics Malaysia. Its CSV names no dataset. The columns and the distance
 * between the first two dates prove one, or a structure that several datasets have. A column of figures is the dimension
 * `variable`. Source: https://developer.data.gov.my/static-api/data-catalogue
 */
export const openDosmCsv: FormatReader = {
  name: 'OpenDOSM CSV',
  recognises: (head) =>
    tables.some(({ columns }) => head.startsWith(`${columns}\n`) || head.startsWith(`${columns}\r`)),
  read: readCsv,
}

/** Columns of a file, and the datasets that have them, by the distance of their dates. */
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
]

/** Columns that tell rows apart; every other one but `date` holds figures. */
const dimensions: ReadonlySet<string> = new Set(['series'])

type Proven = { readonly dataset: Dataset; readonly frequency: Frequency }

function* readCsv(text: Iterable<string>): Generator<MessageObservation | Reject> {
  let first: TableRow | undefined
  let proven: Proven | undefined
  for (const row of tableRowsOf(text, ',', [])) {
    if (row.kind === 'reject') {
      yield row
      continue
    }
    if (!first) {
      first = row
      continue
    }
    if (!proven) {
      proven = prove(row.header.join(','), first, row)
      yield* observationsOf(first, proven)
    }
    yield* observationsOf(row, proven)
  }
  if (first && !proven) throw unproven('It has one row, which does not tell how far apart its dates are.')
}

/** The dataset, or the structure of several, that has these columns and whose dates are as far apart as those of two rows. */
function prove(columns: string, first: TableRow, second: TableRow): Proven {
  const dates = [first, second].map(({ cell }) => cell('date'))
  const frequency = frequencyOfDates(dates)
  const { datasets = {} } = tables.find((table) => table.columns === columns) ?? {}
  const [id, ...others] = (frequency && datasets[frequency]) ?? []
  if (frequency === undefined || id === undefined) throw unproven(`Its first dates are ${dates.join(' and ')}.`)
  const artefact = {
    agency: 'DOSM',
    id: others.length > 0 ? `${columns} by ${periodNames[frequency]}` : id,
  }
  return {
    dataset: { format: openDosmCsv.name, ...(others.length > 0 ? { structure: artefact } : { dataflow: artefact }) },
    frequency,
  }
}

const unproven = (detail: string): DocumentError =>
  new DocumentError(
    'dataset_not_proven',
    `The file does not name its dataset, and its columns do not prove one. ${detail}`,
  )

function* observationsOf(row: TableRow, { dataset, frequency }: Proven): Generator<MessageObservation> {
  const { header, cell, line, text } = row
  const date = cell('date')
  const codes = Object.fromEntries(header.filter((name) => dimensions.has(name)).map((name) => [name, cell(name)]))
  // A date that begins no period of the dataset stays as it is, and no figure is made of it.
  const period = (isDate(date) ? periodBeginning(frequency, date) : undefined) ?? date
  for (const variable of header) {
    if (variable === 'date' || dimensions.has(variable)) continue
    yield {
      kind: 'observation',
      dataset,
      codes: { ...codes, variable },
      period,
      value: valueOrMissing(cell(variable)),
      attributes: {},
      location: `line ${line}`,
      text,
    }
  }
}
