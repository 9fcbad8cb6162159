import { DocumentError, type Reject } from '../../source.ts'
import { csvRowsOf } from '../csv.ts'
import { rejectOf } from '../items.ts'
import { statedDay } from '../printed-days.ts'
import type { Dataset, FormatReader, MessageObservation } from './observation.ts'
import { baseOfOns, frequencyOfOns, onsDays, periodOfOns } from './ons-period.ts'

/**
 * Time series of the Office for National Statistics: of one series, or of a whole release with a column for each.
 * Every column names its series, the CDID, and that is its dataset. A row above the periods that the ONS does not write may
 * be a dimension. Years, quarters and months stand below each other.
 * Empty cells state nothing: a column begins and ends where its series does.
 * Source: https://www.ons.gov.uk/timeseriestool
 */
export const onsCsv: FormatReader = {
  name: 'ONS time series CSV',
  // Titles of a whole release may be longer than the beginning that is shown.
  recognises: (head) => /^"?Title"?,/.test(head) && /^[^\n]*(?:$|\n"?CDID"?,)/.test(head),
  read: readOnsCsv,
}

/** Rows before the periods, in lower case, and the attribute that each becomes. */
const heads: Readonly<Record<string, string>> = {
  title: 'TITLE',
  cdid: 'CDID',
  'source dataset id': 'SOURCE_DATASET',
  preunit: 'PRE_UNIT',
  unit: 'UNIT',
  'release date': 'RELEASE_DATE',
  'next release': 'NEXT_RELEASE',
  'important notes': 'NOTES',
}

const known: ReadonlySet<string> = new Set(Object.values(heads))

type SeriesColumn = {
  readonly dataset: Dataset
  readonly codes: Readonly<Record<string, string>>
  readonly attributes: Readonly<Record<string, string>>
}

function* readOnsCsv(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const stated = new Map<string, readonly string[]>()
  let columns: readonly SeriesColumn[] | undefined
  for (const { cells, line, text: row } of csvRowsOf(text, ',')) {
    const [label = '', ...values] = cells.map((cell) => cell.trim())
    const location = `line ${line}`
    const period = periodOfOns(label)
    const head = heads[label.toLowerCase()] ?? (period === undefined ? label : undefined)
    if (!columns && head !== undefined) {
      if (stated.has(head)) throw new DocumentError('malformed_document', `The row ${label} is stated twice.`, location)
      stated.set(head, values)
      continue
    }
    columns ??= columnsOf(stated, location)
    if (values.length !== columns.length) {
      const detail = `The row has ${values.length} values, the head ${columns.length} series.`
      yield rejectOf('wrong_cell_count', detail, location, row)
      continue
    }
    if (period === undefined) {
      yield rejectOf('bad_period', `${JSON.stringify(label)} is no year, quarter or month.`, location, row)
      continue
    }
    for (const [i, { dataset, codes, attributes }] of columns.entries()) {
      const value = values[i] ?? ''
      if (value === '') continue
      const all = { ...codes, FREQ: frequencyOfOns(period) }
      yield { kind: 'observation', dataset, codes: all, period, value, attributes, location, text: `${label},${value}` }
    }
  }
}

function columnsOf(stated: ReadonlyMap<string, readonly string[]>, location: string): readonly SeriesColumn[] {
  const ids = stated.get('CDID') ?? []
  if (ids.length === 0 || ids.includes(''))
    throw new DocumentError('malformed_document', 'The row CDID does not name every series.', location)
  if (new Set(ids).size !== ids.length)
    throw new DocumentError('malformed_document', 'The row CDID names a series twice.', location)
  return ids.map((cdid, i) => {
    const attributes: Record<string, string> = {}
    const codes: Record<string, string> = {}
    for (const [name, { [i]: cell = '' }] of stated)
      if (cell !== '') (known.has(name) ? attributes : codes)[name] = cell
    const base = baseOfOns(attributes.TITLE ?? '')
    const updated = statedDay(attributes.RELEASE_DATE, { name: `The release date of ${cdid}`, forms: onsDays })
    return {
      codes,
      attributes: base === undefined ? attributes : { ...attributes, BASE: base },
      dataset: {
        format: onsCsv.name,
        dataflow: { agency: 'ONS', id: cdid },
        updated,
      },
    }
  })
}
