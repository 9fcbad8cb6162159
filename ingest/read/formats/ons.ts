import { frequencyOf } from '../../../domain/period.ts'
import { dayInZone } from '../../../domain/time-zone.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { csvRowsOf } from '../csv.ts'
import { readInstant } from '../instant.ts'
import { rejectOf } from '../items.ts'
import { isArray, isObject, otherMembers, printed, readJson } from '../json.ts'
import { onsSeries } from '../json-kinds.ts'
import { type DayForm, dayFirst, englishDay, isoDay, monthAbbreviated, statedDay } from '../printed-days.ts'
import type { Dataset, FormatReader, MessageObservation, ObservedSeries } from './observation.ts'

/**
 * Time series of the Office for National Statistics: of one series, or of a whole release with a column for each. Every column
 * names its series, the CDID, and that is its dataset. A row above the periods that the ONS does not write may be a dimension.
 * Years, quarters and months stand below each other. Empty cells state nothing: a column begins and ends where its series does.
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

type SeriesColumn = ObservedSeries & { readonly dataset: Dataset }

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
      const all = { ...codes, FREQ: frequencyOf(period) ?? '' }
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
      dataset: { format: onsCsv.name, dataflow: { agency: 'ONS', id: cdid }, updated },
    }
  })
}

/**
 * Time series of the Office for National Statistics as JSON: the page of a series with `/data` behind its address. Its
 * CDID is the dataset. The day of release is that of the series, in London.
 */
export const onsJson: FormatReader = { ...onsSeries, read: readOnsJson }

const lists = ['years', 'quarters', 'months'] as const

function* readOnsJson(text: Iterable<string>): Generator<MessageObservation | Reject> {
  const root = readJson(text)
  const description = isObject(root) ? root.description : undefined
  const cdid = isObject(description) ? printed(description.cdid) : undefined
  if (!isObject(root) || !isObject(description) || cdid === undefined || cdid === '')
    throw new DocumentError('malformed_document', 'The document has no description.cdid, which names the series.')
  const updated = statedDay(description.releaseDate, { name: 'releaseDate', forms: onsDays })
  const dataset: Dataset = { format: onsJson.name, dataflow: { agency: 'ONS', id: cdid }, updated }
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
      const codes = { ...otherMembers(entry, ofEntry), FREQ: frequencyOf(period) ?? '' }
      yield { kind: 'observation', dataset, codes, period, value, attributes, location, text: row }
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

/** Writes the ONS's `2024`, `2024 Q1` and `2024 JAN` as SDMX does; undefined for anything else. */
function periodOfOns(printed: string): string | undefined {
  const [, year, part] = /^(\d{4})(?: (Q[1-4]|[A-Z]{3}))?$/.exec(printed) ?? []
  if (year === undefined || part === undefined) return year
  if (part.startsWith('Q')) return `${year}-${part}`
  const month = monthAbbreviated(part.slice(0, 1) + part.slice(1).toLowerCase())
  return month === undefined ? undefined : `${year}-${month}`
}

/** A day, or that of an instant in London: summer's midnight is printed as `2021-07-14T23:00:00.000Z`. */
const londonDay: DayForm = {
  example: '2026-07-31; 2026-07-30T23:00:00.000Z',
  dayOf: (text) => {
    if (!text.includes('T')) return isoDay.dayOf(text)
    const instant = readInstant(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'))
    return instant === undefined ? undefined : isoDay.dayOf(dayInZone(Date.parse(instant), 'Europe/London'))
  },
}

/** Forms of the day of release in the ONS's files. */
const onsDays: readonly DayForm[] = [londonDay, dayFirst, englishDay]

/** Period in which an index is 100, from a title such as `CPI INDEX 00: ALL ITEMS 2015=100`. */
const baseOfOns = (title: string): string | undefined => /\b(\d{4})\s?=\s?100\b/.exec(title)?.[1]
