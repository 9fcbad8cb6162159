import { DocumentError, type Reject } from '../../source.ts'
import { rejectOf } from '../items.ts'
import { isArray, isObject, otherMembers, printed, readJson } from '../json.ts'
import { onsSeries } from '../json-kinds.ts'
import { statedDay } from '../printed-days.ts'
import type { Dataset, FormatReader, MessageObservation } from './observation.ts'
import { baseOfOns, frequencyOfOns, onsDays, periodOfOns } from './ons-period.ts'

/**
 * Time series of the Office for National Statistics as JSON: the page of a series with `/data` behind its address. Its
 * CDID is the dataset. The day of release is that of the series, in London.
 */
export const onsJson: FormatReader = {
  ...onsSeries,
  read: readOnsJson,
}

const lists = ['years', 'quarters', 'months'] as const

function* readOnsJson(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const root = readJson(text)
  const description = isObject(root) ? root.description : undefined
  const cdid = isObject(description) ? printed(description.cdid) : undefined
  if (!isObject(root) || !isObject(description) || cdid === undefined || cdid === '')
    throw new DocumentError('malformed_document', 'The document has no description.cdid, which names the series.')
  const updated = statedDay(description.releaseDate, { name: 'releaseDate', forms: onsDays })
  const dataset: Dataset = {
    format: onsJson.name,
    dataflow: { agency: 'ONS', id: cdid },
    updated,
  }
  const attributes: Record<string, string> = { CDID: cdid }
  for (const [member, name] of Object.entries(members)) {
    const stated = (printed(description[member]) ?? '').trim()
    if (stated !== '') attributes[name] = stated
  }
  const base = baseOfOns(attributes.TITLE ?? '')
  if (base !== undefined) attributes.BASE = base
  for (const list of lists) {
    const found = root[list] ?? []
    if (!isArray(found)) throw new DocumentError('malformed_document', `${list} is no list.`)
    for (const [i, entry] of found.entries()) {
      const location = `${list} ${i}`
      const row = JSON.stringify(entry)
      const label = isObject(entry) ? (printed(entry.date)?.trim() ?? '') : ''
      const value = isObject(entry) ? printed(entry.value) : undefined
      const period = periodOfOns(label)
      if (!isObject(entry) || period === undefined || value === undefined) {
        yield rejectOf('malformed_row', 'The entry has no date or value that can be read.', location, row)
        continue
      }
      // As a blank cell of the CSV: an empty value states nothing, not even that there is no figure.
      if (value.trim() === '') continue
      const codes = { ...otherMembers(entry, ofEntry), FREQ: frequencyOfOns(period) }
      yield {
        kind: 'observation',
        dataset,
        codes,
        period,
        value,
        attributes,
        location,
        text: row,
      }
    }
  }
}

/** Members of an entry. The CDID of the description is all that tells its series from others. */
const ofEntry: ReadonlySet<string> = new Set('date label month quarter sourceDataset updateDate value year'.split(' '))

/** Members of the description, and the attributes that the CSV has for them. */
const members = {
  title: 'TITLE',
  keyNote: 'KEY_NOTE',
  datasetId: 'SOURCE_DATASET',
  preUnit: 'PRE_UNIT',
  unit: 'UNIT',
} as const
