import { DocumentError, type Reject } from '../../source.ts'
import { rejectOf } from '../items.ts'
import { isArray, isObject, type Json, otherMembers, printed, readJson } from '../json.ts'
import { blsAnswer } from '../json-kinds.ts'
import { blsRowReader } from './bls-series.ts'
import type { FormatReader, MessageObservation } from './observation.ts'

const SUCCEEDED = 'REQUEST_SUCCEEDED'

/** Answers of the BLS's API, versions 1 and 2. Source: https://www.bls.gov/developers/api_signature_v2.htm */
export const blsJson: FormatReader = {
  ...blsAnswer,
  read: readBlsJson,
}

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
  ['year', 'period', 'periodName', 'value', 'latest', 'footnotes'].concat('aspects', 'calculations'),
)

const malformed = (detail: string) => new DocumentError('malformed_document', `Not an answer of the BLS: ${detail}.`)
