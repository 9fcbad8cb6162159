import { DocumentError, type Reject } from '../source.ts'
import { rejectOf } from '../sources/shared/figure.ts'
import { isArray, type Json, parseJson, printed } from '../sources/shared/json.ts'
import { type Dataset, type FormatReader, type MessageObservation, sharedDatasets } from './observation.ts'
import { wholeText } from './text.ts'

const VALUE = 'cell_value'
const TIME = 'time'
/** Names the programme of an economic indicator, e.g. `FTD` for foreign trade. Other tables do not say what they are. */
const PROGRAMME = 'program_code'

/**
 * Time series of the U.S. Census Bureau's API: an array of rows, of which the first names the columns.
 * Source: https://www.census.gov/data/developers/data-sets/economic-indicators.html
 */
export const censusTable: FormatReader = {
  name: 'JSON table of the Census Bureau',
  recognises: (head) => /^\[\s*\[(?:\s*"\w+"\s*,)*\s*"\w+"\s*\]/.test(head) && /^[^\]]*"time"/.test(head),
  read: readCensusTable,
}

function* readCensusTable(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const root = parseJson(wholeText(text))
  const [first, ...rows] = isArray(root) ? root : []
  const columns = (isArray(first) ? first : []).map((name) => printed(name) ?? '')
  // A column that is asked for and limited as well is given twice.
  const twice = [VALUE, TIME].find((name) => columns.indexOf(name) !== columns.lastIndexOf(name))
  if (twice !== undefined) throw new DocumentError('duplicate_column', `The columns name ${twice} more than once.`)
  if (columns.includes(PROGRAMME) && !columns.includes(VALUE))
    throw new DocumentError('missing_column', `There is no column ${VALUE}.`)
  const datasetOf = sharedDatasets(programmeOf)
  for (const [at, row] of rows.entries()) yield observationOf(row, columns, `row ${at + 2}`, datasetOf)
}

function observationOf(
  row: Json,
  columns: readonly string[],
  location: string,
  datasetOf: (programme: string) => Dataset,
): MessageObservation | Reject {
  const text = JSON.stringify(row)
  if (!isArray(row) || row.length !== columns.length)
    return rejectOf('wrong_cell_count', `The row is no array of ${columns.length} cells.`, location, text)
  const cells = new Map(columns.map((name, at) => [name, printed(row[at]) ?? '']))
  const twice = columns.find((name, at) => cells.get(name) !== (printed(row[at]) ?? ''))
  if (twice !== undefined)
    return rejectOf('stated_twice', `The row states ${twice} twice, and not the same.`, location, text)
  const others = [...cells].filter(([name, cell]) => !notDimensions.has(name) && usual[name] !== cell)
  const value = cells.get(VALUE) ?? ''
  return {
    kind: 'observation',
    dataset: datasetOf(cells.get(PROGRAMME) ?? ''),
    codes: Object.fromEntries(others),
    period: cells.get(TIME) ?? '',
    value: missing.has(value) ? null : value,
    attributes: {},
    location,
    text,
  }
}

const programmeOf = (id: string): Dataset => ({
  format: censusTable.name,
  ...(id === '' ? {} : { dataflow: { agency: 'CENSUS', id, version: '' } }),
})

/** `time_slot_…` names the period once more. */
const notDimensions: ReadonlySet<string> = new Set(
  [VALUE, TIME, PROGRAMME].concat('time_slot_date', 'time_slot_id', 'time_slot_name'),
)

/** Codes that tell nothing: an estimate of the whole nation, and not the error of one. */
const usual: Readonly<Record<string, string>> = { error_data: 'no', geo_level_code: 'US', us: '1' }

/** Nothing, not available, withheld for its poor quality or for confidentiality. */
const missing: ReadonlySet<string> = new Set(['', '(NA)', 'NA', '(S)', '(D)'])
