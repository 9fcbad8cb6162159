import type { Frequency } from '../../../contracts/records.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { rejectOf } from '../items.ts'
import { isArray, isObject, otherMembers, printed, readJson } from '../json.ts'
import { cbsAnswer } from '../json-kinds.ts'
import type { Dataset, FormatReader, MessageObservation } from './observation.ts'

/**
 * Observations of Statistics Netherlands by its API of OData 4. The context of the answer names the table. Every member
 * of an observation is a dimension, but those that have its value, and `FREQ` is the frequency of its period.
 * Source: https://www.cbs.nl/en-gb/our-services/open-data/statline-as-open-data
 */
export const cbsOData: FormatReader = { ...cbsAnswer, read: readObservationsOf }

/** Members of an observation that are no dimension. */
const members: ReadonlySet<string> = new Set(['Id', 'Value', 'ValueAttribute', 'StringValue', 'Perioden'])

function* readObservationsOf(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const root = readJson(text)
  const context = isObject(root) ? (printed(root['@odata.context']) ?? '') : ''
  const [, id, content] = /\/(\w+)\/\$metadata#(\w+)$/.exec(context) ?? []
  if (!isObject(root) || id === undefined || !isArray(root.value))
    throw new DocumentError('malformed_document', 'The context names no table, or value is no list.')
  if (content !== 'Observations')
    throw new DocumentError('no_data_message', `The document has ${content} of the table ${id}, and no observations.`)
  if (root['@odata.nextLink'] !== undefined)
    throw new DocumentError('truncated', 'The document is one page of several. Ask for fewer observations.')
  const dataset: Dataset = { format: cbsOData.name, dataflow: { agency: 'CBS', id } }
  for (const [i, entry] of root.value.entries()) {
    const location = `value ${i}`
    const row = JSON.stringify(entry)
    const printedPeriod = isObject(entry) ? (printed(entry.Perioden)?.trim() ?? '') : ''
    const { period, frequency } = periodOfCbs(printedPeriod)
    const value = isObject(entry) && entry.Value !== null ? printed(entry.Value) : null
    // A missing value may withdraw a figure, so nothing but null is taken for one.
    if (!isObject(entry) || value === undefined || frequency === undefined) {
      yield rejectOf('malformed_row', 'The observation has no Value, or no period that can be read.', location, row)
      continue
    }
    const status = printed(entry.ValueAttribute) ?? 'None'
    yield {
      kind: 'observation',
      dataset,
      codes: { ...otherMembers(entry, members), FREQ: frequency },
      period,
      value,
      attributes: status === 'None' ? {} : { OBS_STATUS: status },
      location,
      text: row,
    }
  }
}

const marks: Readonly<Record<string, Frequency>> = { JJ: 'A', KW: 'Q', MM: 'M' }

/** Writes `2026JJ00`, `2026KW01` and `2026MM06` as SDMX does. Other parts of a year, such as weeks, have no frequency. */
function periodOfCbs(code: string): { readonly period: string; readonly frequency: Frequency | undefined } {
  const [, year = '', mark = '', number = ''] = /^(\d{4})(JJ|KW|MM)(\d{2})$/.exec(code) ?? []
  const frequency = marks[mark]
  if (frequency === undefined) return { period: code, frequency }
  return {
    period: frequency === 'A' ? year : frequency === 'Q' ? `${year}-Q${Number(number)}` : `${year}-${number}`,
    frequency,
  }
}
