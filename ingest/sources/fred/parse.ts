import { periodNames } from '../../../contracts/serving.ts'
import { isDate } from '../../../domain/day.ts'
import { sourceDay } from '../../../domain/publisher-day.ts'
import { furtherPages } from '../../fetch/pages.ts'
import { type Meaning, onlyCountry, type SeriesRow, seriesOfMeaning } from '../../map/mapping.ts'
import { readSeriesRows } from '../../map/read-rows.ts'
import { readTable, refuseEmpty } from '../../read/csv.ts'
import { monthsOfLongerPeriods, periodBeginning } from '../../read/frequency.ts'
import { figureOrReject, inOrderOfRelease, rejectOf } from '../../read/items.ts'
import { isArray, isObject, type Json, type JsonObject, parseJson, printed } from '../../read/json.ts'
import { textOf } from '../../read/text.ts'
import { endedPrints, latestOf, NO_END, type Validity } from '../../read/validity.ts'
import { type Document, DocumentError, type Figure, type Item, type Reject, supported } from '../../source.ts'

/** One observation as FRED prints it, with the days on which the value was current, of which the first may be the copy's. */
type Observation = Validity &
  Pick<Figure, 'released' | 'until' | 'location'> & {
    readonly kind: 'observation'
    readonly date: string
    readonly value: string
    readonly text: string
  }

/**
 * Parses the figures of one FRED series: JSON of series/observations (a snapshot, or all vintages with their real-time
 * periods) or the CSV download. A CSV names its series in the header. JSON names none, so it is the document's dataset.
 * A missing value is `.`, or empty in CSV. A file without a date states none, because it may be older than the figure.
 * A value that ended without a successor was withdrawn on the day after, unless the real-time period of the request ended
 * with it. In a document of first prints (`output_type` 4) it was revised, and nothing says to what.
 * Throws `DocumentError`: `dataset_not_supported`, `series_not_named`, `publisher_error`, `not_levels`, `other_frequency`,
 * `truncated`, `malformed_document`, `empty`.
 * Source: https://fred.stlouisfed.org/docs/api/fred/series_observations.html
 */
export function* parseFred(document: Document): Iterable<Item> {
  const text = textOf(document)
  const { dataset, observations } = /^\s*\{/.test(text) ? readJson(document, text) : readDownload(document, text)
  if (dataset === '')
    throw new DocumentError(
      'series_not_named',
      'The document does not say which series it has. Name it: --dataset and its id at FRED, such as UNRATE.',
    )
  const definition = supported(dataset, fredSeries)
  refuseLongerPeriods(dataset, definition.meaning, observations)
  yield* inOrderOfRelease(
    observations.flatMap((observation): Item | [] =>
      observation.kind === 'reject' ? observation : itemOf(dataset, definition, observation),
    ),
  )
}

type Reading = { readonly dataset: string; readonly observations: readonly (Observation | Reject)[] }

/**
 * Throws `DocumentError` `other_frequency` for averages of longer periods than the series has. FRED computes them on request
 * and names the series as before, so only the dates tell: those of quarters would be read as every third month.
 */
function refuseLongerPeriods(dataset: string, { frequency }: Meaning, observations: Reading['observations']): void {
  const dates = observations.flatMap((observation) => (observation.kind === 'reject' ? [] : observation.date))
  const months = monthsOfLongerPeriods(frequency, dates)
  if (months === undefined) return
  const detail = `${dataset} has ${periodNames[frequency]}, and the dates of the document are ${months} months apart or a multiple of it.`
  throw new DocumentError('other_frequency', `${detail} Download the series at its own frequency.`)
}

function itemOf(dataset: string, row: SeriesRow, observation: Observation): Item | [] {
  const { date, value, from, location, released, until, text } = observation
  const { meaning } = row
  const period = periodBeginning(meaning.frequency, date)
  if (period === undefined)
    return rejectOf('bad_period', `${JSON.stringify(date)} begins no period of ${dataset}.`, location, text)
  const base = baseAt(dataset, meaning, from)
  // Without a figure there is nothing whose base could be wrong.
  if (!base && isMissing(value)) return []
  if (!base) return rejectOf('unknown_base', `The base of ${dataset} on ${from} is not known.`, location, text)
  const series = seriesOfMeaning(meaning, { source: 'FRED', dataset, country: onlyCountry(row) }, base)
  const stated = { series, period, ...(released ? { released } : {}), location }
  if (isMissing(value)) return { kind: 'missing', ...stated }
  const figures = { [meaning.figure]: { printed: value, ...meaning.reading } }
  return figureOrReject({ ...stated, ...(until ? { until } : {}), figures }, text)
}

const MISSING = '.'
const isMissing = (value: string): boolean => value === MISSING || value === ''

function readJson(document: Document, text: string): Reading {
  const root = parseJson(text)
  if (!isObject(root)) throw new DocumentError('malformed_document', 'The document is no object.')
  const message = printed(root.error_message)
  if (message !== undefined) throw new DocumentError('publisher_error', `FRED answered: ${message}`)
  const rows = root.observations
  if (!isArray(rows)) throw new DocumentError('malformed_document', 'The document has no observations.')
  checkLevels(root)
  checkWhole(root, rows.length)
  if (printed(root.count) === '0') throw new DocumentError('empty', 'The document has no observations.')
  const read = rows.map(readObservation)
  const observations = read.filter((row) => row.kind !== 'reject')
  // Values of the earliest vintage may be older than it, because the archive or the request goes no further back: FRED
  // held them on that day.
  const [opening] = observations.map(({ from }) => from).toSorted()
  const dated = observations.map(
    (row): Observation => ({
      ...row,
      released: { on: row.from, basis: row.from === opening ? 'copy' : 'publisher' },
    }),
  )
  const location = `offset ${printed(root.offset)}`
  const offset = Number(printed(root.offset))
  const end = offset + rows.length
  const further = furtherPages(document, location, end, Number(printed(root.count)))
  const lastKnown = lastKnownDay(root, dated)
  // Prints of the first and of the last date of a page may be on other pages, and a rejected row may be of any date.
  const rejects = read.filter((row) => row.kind === 'reject')
  const cut = [offset > 0 ? dated[0]?.date : '', end < Number(printed(root.count)) ? dated.at(-1)?.date : '']
  const whole = rejects.length > 0 ? [] : dated.filter(({ date }) => !cut.includes(date))
  return {
    dataset: document.dataset,
    observations: [
      ...(further ? [further] : []),
      ...rejects,
      ...(printed(root.output_type) === FIRST_PRINTS
        ? dated.map((row) => (row.to < lastKnown ? { ...row, until: row.to } : row))
        : [...dated, ...withdrawalsIn(whole, lastKnown)]),
    ],
  }
}

/** Type of a document that has only the first print of each period. */
const FIRST_PRINTS = '4'

/** Last day of which a document knows anything: the end of the request's real-time period, or that of the last print. */
function lastKnownDay({ realtime_end }: JsonObject, observations: readonly Observation[]): string {
  const stated = printed(realtime_end) ?? ''
  return isDate(stated) ? stated : latestOf(observations.map(({ to }) => to))
}

/** Statements that a period has no value, from the day on after a print that ended although none followed. */
function withdrawalsIn(observations: readonly Observation[], lastKnown: string): Observation[] {
  // Vintages of single days, as a request for `vintage_dates` gives them, say nothing of the days between.
  if (observations.every(({ from, to }) => from === to)) return []
  return [...Map.groupBy(observations, ({ date }) => date).values()].flatMap((ofPeriod) =>
    endedPrints(ofPeriod, lastKnown).flatMap(([print, next]): Observation | [] =>
      isMissing(print.value) ? [] : { ...print, value: MISSING, released: { on: next, basis: 'publisher' } },
    ),
  )
}

function readObservation(row: Json, index: number): Observation | Reject {
  const location = `observations[${index}]`
  const text = JSON.stringify(row)
  const members = isObject(row) ? [row.date, row.value, row.realtime_start, row.realtime_end] : []
  const [date, value, from, to = NO_END] = members.map(printed)
  if (date === undefined || value === undefined || from === undefined)
    return rejectOf('missing_member', 'An observation has date, value and realtime_start.', location, text)
  if (!isDate(from)) return rejectOf('bad_date', `realtime_start is ${JSON.stringify(from)}, no day.`, location, text)
  if (!isDate(to) || to < from)
    return rejectOf('bad_date', `realtime_end is ${JSON.stringify(to)}, no day from ${from} on.`, location, text)
  return { kind: 'observation', date, value, from, to, location, text }
}

/** Checks that the values are levels. FRED also serves changes and rates, and tables with a column per vintage. */
function checkLevels({ units, output_type }: JsonObject): void {
  const [unit, output] = [printed(units), printed(output_type)]
  if (unit !== undefined && unit !== 'lin')
    throw new DocumentError('not_levels', `Units are ${unit}, not lin (levels).`)
  if (output !== undefined && output !== '1' && output !== '4')
    throw new DocumentError('not_levels', `Output type is ${output}; 1 and 4 are read.`)
}

function checkWhole({ count, offset, limit }: JsonObject, length: number): void {
  const number = (member: Json | undefined): number => Number(printed(member) ?? Number.NaN)
  const expected = Math.min(number(count) - number(offset), number(limit))
  if (Number.isNaN(expected)) throw new DocumentError('malformed_document', 'count, offset or limit is no number.')
  if (length !== expected) throw new DocumentError('truncated', `Of ${expected} observations ${length} are here.`)
}

/** Reads `DATE,UNRATE` or `observation_date,UNRATE`; also `date,value`, a common form of saved copies. */
function readDownload(document: Document, text: string): Reading {
  const { header, rows } = readTable(text, [], { endsWithNewline: true })
  const [date = '', column = ''] = header
  if (header.length !== 2 || !/^(?:observation_)?date$/i.test(date))
    throw new DocumentError(
      'malformed_document',
      `The header is ${JSON.stringify(header.slice(0, 9).join())}.`,
      'line 1',
    )
  const dataset = column === 'value' ? document.dataset : column.toUpperCase()
  if (dataset !== document.dataset && Object.hasOwn(fredSeries, document.dataset))
    throw new DocumentError('other_series', `The document is of ${dataset}, not of ${document.dataset}.`, 'line 1')
  refuseEmpty(rows)
  // A saved copy without a date is read as a present one, whose base is the newest.
  const { lastUpdated, retrievedAt } = document
  const from = lastUpdated ?? (retrievedAt === null ? NO_END : sourceDay('FRED', Date.parse(retrievedAt)))
  const isDated = lastUpdated !== undefined || retrievedAt !== null
  const observations = rows.flatMap((row): Observation | Reject | [] => {
    if (row.kind === 'reject') return row
    const value = row.cell(column)
    if (isMissing(value) && !isDated) return []
    return {
      kind: 'observation',
      date: row.cell(date),
      value,
      from,
      to: NO_END,
      location: `line ${row.line}`,
      text: row.text,
    }
  })
  return { dataset, observations }
}

/** The rows of the series by FRED's id. Source: the series' pages, https://fred.stlouisfed.org/series/ID. */
export const fredSeries = readSeriesRows('fred')

/** Base of an index or volume, in vintages from `since` on (`YYYY-MM-DD`). */
type Base = { readonly since: string; readonly period: string; readonly value: string }

/** Base of US consumer prices. The BLS used it first in its release of January 1988; before, the base was 1967. */
const consumerPrices: readonly Base[] = [{ since: '1988-02-26', period: '1982/1984', value: '100' }]

/** Reference years of US real GDP, each with its comprehensive revision: https://www.bea.gov (NIPA vintages). */
const chainedDollars: readonly Base[] = [
  { since: '1991-12-04', period: '1987', value: '' },
  { since: '1996-01-19', period: '1992', value: '' },
  { since: '1999-10-28', period: '1996', value: '' },
  { since: '2003-12-10', period: '2000', value: '' },
  { since: '2009-07-31', period: '2005', value: '' },
  { since: '2013-07-31', period: '2009', value: '' },
  { since: '2018-07-27', period: '2012', value: '' },
  { since: '2023-09-28', period: '2017', value: '' },
]

/** Reference years of Japan's real GDP, each with its benchmark revision in a second estimate: https://www.esri.cao.go.jp */
const chainedYen: readonly Base[] = [
  { since: '2016-12-08', period: '2011', value: '' },
  { since: '2020-12-08', period: '2015', value: '' },
  { since: '2025-12-08', period: '2020', value: '' },
]

/** Bases by series, oldest first. A vintage before the first of them has an unknown base and is rejected. */
const bases: Readonly<Record<string, readonly Base[]>> = {
  CPIAUCSL: consumerPrices,
  CPIAUCNS: consumerPrices,
  GDPC1: chainedDollars,
  JPNRGDPEXP: chainedYen,
}

/** Returns the base of a series in the vintage of a day, or else that of its row; undefined if it is not known. */
export function baseAt(series: string, { base }: Pick<Meaning, 'base'>, day: string): Base | undefined {
  const constant: Base = { since: '', period: base, value: base === '' ? '' : '100' }
  return (bases[series] ?? [constant]).findLast(({ since }) => since <= day)
}
