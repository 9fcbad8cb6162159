import { DocumentError, type Reject } from '../source.ts'
import { rejectOf } from '../sources/shared/figure.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  membersBeside,
  parseJson,
  printed,
} from '../sources/shared/json.ts'
import { statedDay } from '../sources/shared/printed-days.ts'
import {
  type Dataset,
  type FormatReader,
  type MessageObservation,
  sharedDatasets,
  withoutCommas,
} from './observation.ts'
import { wholeText } from './text.ts'

/**
 * National accounts of the U.S. Bureau of Economic Analysis: tables of the dataset NIPA. A note of each table says when it
 * was last revised. Source: https://apps.bea.gov/api/_pdf/bea_web_service_api_user_guide.pdf
 */
export const beaJson: FormatReader = {
  name: 'JSON of the BEA',
  recognises: (head) => /^\{\s*"BEAAPI"\s*:/.test(head),
  read: readBeaJson,
}

function* readBeaJson(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const root = parseJson(wholeText(text))
  const api = isObject(root) ? root.BEAAPI : undefined
  const found = isObject(api) ? (isArray(api.Results) ? api.Results[0] : api.Results) : undefined
  const error = [api, found].flatMap((holder) => (isObject(holder) ? (holder.Error ?? []) : []))[0]
  if (error !== undefined)
    throw new DocumentError('publisher_error', `The publisher answered: ${JSON.stringify(error)}`)
  if (!isObject(found) || !isArray(found.Data))
    throw new DocumentError('malformed_document', 'Not an answer of the BEA: it has no Results.Data.')
  const datasetOf = sharedDatasets((table) => tableOf(table, found))
  for (const [at, row] of found.Data.entries()) yield observationOf(row, `data ${at + 1}`, datasetOf)
}

function observationOf(
  row: Json,
  location: string,
  datasetOf: (table: string) => Dataset,
): MessageObservation | Reject {
  const text = JSON.stringify(row)
  const member = (name: string) => (isObject(row) ? printed(row[name]) : undefined)
  const [table, period, value] = ['TableName', 'TimePeriod', 'DataValue'].map(member)
  if (!isObject(row) || table === undefined || period === undefined || value === undefined)
    return rejectOf('missing_member', 'The row has no TableName, TimePeriod and DataValue.', location, text)
  const noted = (member('NoteRef') ?? '').split(/[ ,]+/).find((note) => missing.has(note))
  if (noted !== undefined && !missing.has(value))
    return rejectOf(
      'marked_value',
      `The value is ${value}, and the note ${noted} says that there is none.`,
      location,
      text,
    )
  const frequency = /^\d{4}([QM])/.exec(period)?.[1] ?? 'A'
  return {
    kind: 'observation',
    dataset: datasetOf(table),
    codes: { ...membersBeside(row, notDimensions), FREQ: frequency },
    period,
    value: missing.has(value) ? null : withoutCommas(value),
    attributes: { UNIT_MULT: member('UNIT_MULT') ?? '' },
    location,
    text,
  }
}

/** Members of a row that are no dimension. A line's number may change with each revision of a table. */
const notDimensions: ReadonlySet<string> = new Set(
  ['TableName', 'LineNumber', 'TimePeriod', 'UNIT_MULT'].concat('DataValue', 'NoteRef'),
)

/**
 * Marks of a figure that is not available, not disclosed, not meaningful or not shown. They stand in place of the value, or
 * among its notes. A missing value may withdraw a figure, so nothing else is taken for one: not `(*)`, which rounds to
 * zero, and no `---` or `#N/A`, which the Bureau does not describe. Source: https://github.com/us-bea/beaapi
 */
const missing: ReadonlySet<string> = new Set(['(NA)', '(D)', '(NM)', 'n.a.', 'n.s.'])

function tableOf(table: string, { Notes: notes }: JsonObject): Dataset {
  const texts = (isArray(notes) ? notes : []).flatMap((note) =>
    isObject(note) && note.NoteRef === table ? (printed(note.NoteText) ?? []) : [],
  )
  const name = `${REVISED} in the notes of ${table}`
  const updated = texts.flatMap((text) => statedDay(text.split(REVISED)[1], { name }) ?? [])[0]
  return {
    format: beaJson.name,
    dataflow: { agency: 'BEA', id: table, version: '' },
    ...(updated === undefined ? {} : { updated }),
  }
}

const REVISED = 'LastRevised:'
