import type { Frequency } from '../../../contracts/records.ts'
import { isPeriodOf } from '../../../domain/period.ts'
import { DocumentError, type Reject } from '../../source.ts'
import { type Header, type TableRow, tableRowsOf } from '../csv.ts'
import type { Fault } from '../items.ts'
import type { Validity } from '../validity.ts'
import type { Workbook } from '../xlsx.ts'

/**
 * What every statistical message format states, in one shape. `ingest/read/formats/` turns bytes into observations and
 * knows no country or indicator; `ingest/map/` turns observations into figures and knows no format.
 *
 * To add a format, general or of one publisher:
 * 1. Write a `FormatReader` in a file of its own. `recognises` decides from the beginning of the text, never from a
 *    file's name, and must not accept another format's text. `read` is a generator over pieces of text, so that a
 *    large document costs no more memory than its largest row: `csvRowsOf` and `XmlCursor` read pieces, `wholeText`
 *    joins them for formats that cannot be read in pieces (JSON).
 * 2. Add it to `formatReaders` in `read-observations.ts`. A format of JSON also gets its members in `ingest/read/json-kinds.ts`.
 * 3. Add rows to `ingest/map/rows/`. Their dataset is what `Dataset.dataflow` or `Dataset.structure` proves.
 *
 * A reader keeps codes, periods and values as they are printed. A period in a publisher's own notation (`2025 4Q`) is
 * written as SDMX does, and one that the reader does not know stays, so that it is rejected. A row that cannot be read becomes a `Reject`. It throws
 * `DocumentError` for a text that is cut, malformed, or of its format but without observations (a structure message,
 * an error).
 */
export type FormatReader = {
  /** Name for people, e.g. `SDMX-CSV`. */
  readonly name: string
  /** Tells whether a text that begins so is of this format. `head` has no byte order mark or leading white space. */
  readonly recognises: (head: string) => boolean
  readonly read: (text: Iterable<string>) => Iterable<MessageObservation | Reject>
}

/** A format of workbooks, in the list `workbookReaders`. It recognises its own by their sheets and titles. */
export type WorkbookReader = {
  readonly name: string
  readonly recognises: (workbook: Workbook) => boolean
  readonly read: (workbook: Workbook) => Iterable<MessageObservation | Reject>
}

/** Identification of an SDMX artefact or another publisher's dataset. `agency` is `''` if it is not stated. */
export type Artefact = { readonly agency: string; readonly id: string; readonly version?: string | undefined }

/** What a message proves about its observations. Observations of one dataset share one object. */
export type Dataset = {
  /** Format and version as found, e.g. `SDMX-ML 2.1 generic`. */
  readonly format: string
  readonly dataflow?: Artefact | undefined
  /** Data structure definition. Several dataflows may use one, so it proves less than a dataflow. */
  readonly structure?: Artefact | undefined
  /** Day of the dataset's last update, `YYYY-MM-DD`. */
  readonly updated?: string | undefined
  /** Days on which the observations stood. `from` is `''` if it is not stated. */
  readonly valid?: Validity | undefined
}

/** A message that is not as its format says. `location` may be the beginning of one, which ends in a comma. */
export const malformed = (detail: string, location = ''): DocumentError =>
  new DocumentError('malformed_document', detail, location.replace(/, $/, ''))

/** Makes the dataset of each id of an agency once, so that observations of one dataset share one object. */
export function datasetsOfAgency(format: string, agency: string): (id: string) => Dataset {
  const known = new Map<string, Dataset>()
  return (id) => {
    const dataset = known.get(id) ?? { format, dataflow: { agency, id } }
    known.set(id, dataset)
    return dataset
  }
}

export type MessageObservation = {
  readonly kind: 'observation'
  readonly dataset: Dataset
  /**
   * Codes by dimension, time excepted: everything that may tell an observation from others. Where a format does not tell
   * dimensions from attributes, what may be a dimension is here (`dimensionsAmong`).
   */
  readonly codes: Readonly<Record<string, string>>
  /** As printed: `2024-01`, `2024M01`, `2024-Q1`; `''` for a dataset without time. */
  readonly period: string
  /** As printed; null if the message states that there is none. An observation of which it states nothing is not read. */
  readonly value: string | null
  /** Attributes of observation, series, group and dataset; the closer one wins. */
  readonly attributes: Readonly<Record<string, string>>
  /** Day on which the publisher released this print, `YYYY-MM-DD`, if the message states it. */
  readonly released?: string | undefined
  /** Place in the document, for people: `line 12`, `series 3, observation 5`. */
  readonly location: string
  /** The row as it came, if the format has rows. */
  readonly text?: string
}

/** An observation without its place. */
export type ObservationContent = Omit<MessageObservation, 'kind' | 'location' | 'text'>

/** Reads a CSV table of which each row states one observation, as `tableRowsOf` does. */
export function* observationsOfTable(
  text: Iterable<string>,
  delimiter: string,
  header: Header,
  readRow: (row: TableRow) => ObservationContent,
): Generator<MessageObservation | Reject> {
  for (const row of tableRowsOf(text, delimiter, header))
    yield row.kind === 'reject'
      ? row
      : { kind: 'observation', ...readRow(row), location: `line ${row.line}`, text: row.text }
}

/** What tells the series of an observation. */
export type ObservedSeries = Pick<MessageObservation, 'codes' | 'attributes'>

/** Code or attribute of an observation; undefined if the message does not state it. */
export const stated = ({ codes, attributes }: ObservedSeries, name: string): string | undefined =>
  Object.hasOwn(codes, name) ? codes[name] : Object.hasOwn(attributes, name) ? attributes[name] : undefined

/**
 * Components that are attributes in every data structure. They describe an observation, and never tell it from another.
 * Source: SDMX cross-domain concepts, https://sdmx.org/wp-content/uploads/01_sdmx_cog_annex_1_cdc_2009.pdf
 */
const attributeConcepts: ReadonlySet<string> = new Set(
  'BASE_PER COLLECTION COMMENT_DSET COMMENT_OBS COMMENT_TS CONF_STATUS DECIMALS OBS_COM OBS_COMMENT OBS_CONF'
    .split(' ')
    .concat('OBS_FLAG', 'OBS_PRE_BREAK', 'OBS_STATUS', 'PRE_BREAK_VALUE', 'REF_YEAR_PRICE', 'TIME_FORMAT', 'TITLE')
    .concat('TITLE_COMPL', 'UNIT_MULT'),
)

/**
 * Divides the components of an observation where a format does not tell dimensions from attributes: structure-specific
 * SDMX-ML, and SDMX-CSV behind the value. What is no known attribute may be a dimension. A dimension always has a code, so a
 * component without one is an attribute that is not stated.
 */
export function dimensionsAmong(components: Readonly<Record<string, string>>): ObservedSeries {
  const codes: Record<string, string> = {}
  const attributes: Record<string, string> = {}
  for (const name in components) {
    const isAttribute = attributeConcepts.has(name) || components[name] === ''
    ;(isAttribute ? attributes : codes)[name] = components[name] ?? ''
  }
  return { codes, attributes }
}

/**
 * Returns a printed period in Almanac's form, or undefined if it is no period of the frequency. SDMX, the IMF and
 * Eurostat print a month as `2024-03`, `2024-M03`, `2024M03` or `2024-M3`, a quarter as `2024-Q1` or `2024Q1`, and a
 * year as `2024`, `2024-A1` or `2024A00`. A day is no period: whether it stands for a month is not the reader's guess.
 */
export function periodOf(frequency: Frequency, printed: string): string | undefined {
  const [, year = '', mark, number = ''] = /^(\d{4})(?:-?([AQM])(\d{1,2}))?$/.exec(printed) ?? []
  if (mark === undefined) return isPeriodOf(frequency, printed) ? printed : undefined
  if (mark !== frequency) return undefined
  if (mark === 'A') return /^0*1?$/.test(number) ? year : undefined
  const period = mark === 'Q' ? `${year}-Q${Number(number)}` : `${year}-${number.padStart(2, '0')}`
  return isPeriodOf(frequency, period) ? period : undefined
}

/** Printed forms that stand for a missing value in SDMX, JSON-stat and Eurostat's files. */
const missingValues: ReadonlySet<string> = new Set(['', 'NaN', ':'])

/** Returns a printed value, or null if it stands for a missing one. */
export const valueOrMissing = (printed: string): string | null => (missingValues.has(printed) ? null : printed)

/**
 * Codes of statuses that say what else the value is than a figure, by the code list CL_OBS_STATUS of SDMX. Other codes say
 * how good a figure is, such as `P` (provisional), `E` (estimated) and `B` (break): they are no fault.
 * Source: https://sdmx.org/?page_id=3215
 */
const missingCodes: ReadonlyMap<string, string> = new Map([
  ['H', 'missing because of a holiday or weekend'],
  ['K', 'included in another category'],
  ['L', 'missing, because it was not collected'],
  ['M', 'missing, because it cannot exist'],
  ['O', 'missing'],
  ['Q', 'missing, because it was suppressed'],
])
const FORECAST = 'F'

/** Components in which messages state it. Eurostat's `OBS_FLAG` has the same codes in lower case. */
const components = ['OBS_STATUS', 'OBS_FLAG'] as const

/** Fault of an observation that has a value, by the status that the message states of it; undefined if there is none. */
export function faultOfStatus(observation: MessageObservation): Fault | undefined {
  if (observation.value === null) return undefined
  for (const name of components) {
    const fault = faultOfStated(name, stated(observation, name) ?? '', observation.value)
    if (fault !== undefined) return fault
  }
  return undefined
}

/**
 * Fault of a printed value by its status, for readers that make no observations. `name` is what the document calls the
 * status, `''` is a status that is not stated.
 */
export function faultOfStated(name: string, status: string, value: string): Fault | undefined {
  if (status === '') return undefined
  const codes = codesOf(status)
  const missing = codes.find((code) => missingCodes.has(code))
  const shown = `${name} of the value ${value} is ${JSON.stringify(status)}`
  if (missing !== undefined)
    return { reason: 'marked_missing', detail: `${shown}: the figure is ${missingCodes.get(missing)}.` }
  if (codes.includes(FORECAST)) return { reason: 'forecast', detail: `${shown}: a forecast, no published figure.` }
  return undefined
}

/** Letters that Eurostat joins into flags such as `bf`. Words, such as `none`, have others. */
const joinedFlags = /^[bcdefiklmnprsuz]{2,4}$/

/** Codes of a status: `F`, `F: Forecast value`, `E;F` or Eurostat's `ef`. A word or an unknown notation is one code. */
function codesOf(status: string): readonly string[] {
  const codes = status.replace(/^([A-Za-z]+): .*$/s, '$1').split(/[;,\s]+/)
  return codes.flatMap((code) => (joinedFlags.test(code) ? [...code] : code)).map((code) => code.toUpperCase())
}

/** Takes the commas between thousands out of `1,234.5`; returns any other text as it is. */
export const withoutCommas = (value: string): string =>
  /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(value) ? value.replaceAll(',', '') : value

/** Reads `AGENCY:ID(VERSION)`, a URN that ends so, or either with a label behind it. Undefined for anything else. */
export function artefactOf(text: string): Artefact | undefined {
  const [, agency = '', id, version = ''] = /^(?:urn:\S+=)?([\w.-]+):([\w@$.-]+)\(([^()]*)\)/.exec(text.trim()) ?? []
  return id === undefined ? undefined : { agency, id, version }
}

export const artefactText = ({ agency, id, version }: Artefact): string =>
  `${agency === '' ? '' : `${agency}:`}${id}${version ? `(${version})` : ''}`
